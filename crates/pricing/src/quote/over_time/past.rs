//! Present and past of all data that determine the price of an article: current rows, from which the history
//! is undone step by step.

use std::collections::HashMap;

use catalog::article_units::ArticleUnits;
use imports::import::row;
use sea_orm::{
    ActiveModelBehavior, ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, IntoActiveModel,
    ModelTrait, QueryFilter, QueryOrder, TryIntoModel, Value,
};
use serde_json::Value as Json;
use store::{
    Recorded, Scope,
    audit::{self, Fields},
    past::{self, PastEntry, StateHistory, state_history},
    reconstruction,
    scope::history_fields,
};
use tenancy::tenant_group;
use values::{Decimal, Instant, Result, TenantId};

use super::super::book::StockPrices;
use crate::{
    listing::{self, Listings},
    price_adjustment::{PriceAdjustment, PriceAdjustments},
    price_list::{self, PriceList, PriceLists, audience, seller_lists::List},
    price_list_entry::{self, Entries},
    price_side::{Prices, Side},
    surcharge_table::{
        SurchargeTable, SurchargeTables, SurchargeValues, surcharges::TableRecord,
        value_entity as surcharge_value, values_of_entry,
    },
};

/// Data that determine the price of an article; each state has the time since when it was current.
#[derive(Debug)]
pub(super) struct PriceStates {
    pub(super) seller: TenantId,
    pub(super) article: i64,
    /// Groups that the seller is a member of.
    pub(super) groups: Vec<i64>,
    /// Time before which the past is unknown.
    pub(super) known_from: Instant,
    pub(super) lists: Vec<StateHistory<List>>,
    /// Entries with the id of their list.
    pub(super) entries: Vec<StateHistory<(i64, Side)>>,
    pub(super) stocks: Vec<StateHistory<StockPrices>>,
    pub(super) adjustments: Vec<StateHistory<PriceAdjustment>>,
    pub(super) tables: Vec<StateHistory<TableRecord>>,
}

impl PriceStates {
    /// Loads the data of an article of a seller. `members`: seller and buyer. Times before the last change of
    /// their groups are unknown, because former memberships are.
    pub(super) async fn load(
        db: &impl ConnectionTrait,
        seller: TenantId,
        article: &ArticleUnits,
        members: &[i64],
        since: Instant,
    ) -> Result<Self> {
        let groups = tenant_group::load_groups(db, seller.into()).await?;
        let lists = lists(db, seller, &groups, since).await?;
        let ids: Vec<i64> = lists.keys().copied().collect();
        Ok(Self {
            seller,
            article: article.id,
            known_from: since.max(last_regrouping(db, members, since).await?.unwrap_or(since)),
            entries: entries(db, seller, &ids, article, since).await?,
            stocks: stocks(db, seller, article, since).await?,
            adjustments: adjustments(db, seller, since).await?,
            tables: tables(db, seller, article, since).await?,
            lists: lists.into_values().collect(),
            groups,
        })
    }

    /// Times of all changes.
    pub(super) fn changes(&self) -> impl Iterator<Item = Instant> {
        fn times<T>(lives: &[StateHistory<T>]) -> impl Iterator<Item = Instant> {
            lives.iter().flatten().map(|(since, _)| *since)
        }
        let all = times(&self.lists).chain(times(&self.entries)).chain(times(&self.stocks));
        let all = all.chain(times(&self.adjustments)).chain(times(&self.tables));
        all.filter(|since| *since > Instant::MIN_UTC)
    }
}

/// Returns the last time at which one of these tenants joined or left a group.
async fn last_regrouping(
    db: &impl ConnectionTrait,
    members: &[i64],
    since: Instant,
) -> Result<Option<Instant>> {
    let concerns = |list: &Json| {
        let ids = list.as_array().into_iter().flatten().filter_map(Json::as_i64);
        ids.into_iter().any(|id| members.contains(&id))
    };
    let happened = past::entries_of_all(db, "tenant_group", since).await?;
    // no price referred to a group before it was created, so its first members changed no price
    let moved = happened.into_iter().filter(|entry| !entry.is_creation()).filter(|entry| {
        let of_members = entry.changes.iter().filter(|change| change.field == "tenant_group_member");
        of_members.into_iter().any(|change| concerns(&change.from) || concerns(&change.to))
    });
    Ok(moved.map(|entry| entry.at).max())
}

/// Loads the lists of a seller and of their groups, with the audiences.
async fn lists(
    db: &impl ConnectionTrait,
    seller: TenantId,
    groups: &[i64],
    since: Instant,
) -> Result<HashMap<i64, StateHistory<List>>> {
    use price_list::Column::{Id, OwnerTenantGroupId, OwnerTenantId};
    const TENANTS: &str = "price_list_tenant";
    const GROUPS: &str = "price_list_tenant_group";
    const EXCLUDED: &str = "price_list_excluded_tenant";
    let owned =
        Condition::any().add(OwnerTenantId.eq(seller)).add(OwnerTenantGroupId.is_in(groups.iter().copied()));
    let heads = Scope::platform().find::<PriceLists>().filter(owned).order_by_asc(Id).all(db).await?;
    let mut audiences = audience::load_many(db, &heads).await?;
    let ids: Vec<i64> = heads.iter().map(|head| head.id).collect();
    let mut happened = by_record(past::entries(db, audit::table::<PriceLists>(), &ids, since).await?);
    let ids_of = |fields: &Fields, part: &str| -> Vec<i64> {
        fields.get(part).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_i64).collect()
    };
    let of_head = |head: PriceList| {
        let mut fields = history_fields::model_fields::<PriceLists>(&head);
        let audience = audiences.remove(&head.id).unwrap_or_default();
        fields.insert(TENANTS.to_owned(), audience.tenants.into());
        fields.insert(GROUPS.to_owned(), audience.groups.into());
        fields.insert(EXCLUDED.to_owned(), audience.excluded.into());
        let was = |fields: &Fields| {
            Ok(List {
                tenants: ids_of(fields, TENANTS),
                groups: ids_of(fields, GROUPS),
                excluded: ids_of(fields, EXCLUDED),
                head: rebuild_row::<PriceLists>(head.id, &head.name, fields)?,
            })
        };
        let life = state_history(
            Some(fields),
            happened.remove(&head.id).unwrap_or_default(),
            &[TENANTS, GROUPS, EXCLUDED],
        );
        Ok((head.id, try_map_states(life, was)?))
    };
    heads.into_iter().map(of_head).collect()
}

/// Loads the prices of an article in lists, including removed ones.
async fn entries(
    db: &impl ConnectionTrait,
    seller: TenantId,
    lists: &[i64],
    article: &ArticleUnits,
    since: Instant,
) -> Result<Vec<StateHistory<(i64, Side)>>> {
    use price_list_entry::Column::{ArticleId, PriceListId, TenantId};
    let rows = Scope::platform().find::<Entries>().filter(ArticleId.eq(article.id));
    // entries in lists of groups have tenant 0
    let rows = rows.filter(TenantId.is_in([0, seller.into()]));
    let rows = rows.filter(PriceListId.is_in(lists.iter().copied())).all(db).await?;
    let now = rows.into_iter().map(|row| (row.id, row)).collect();
    let states = load_states::<Entries>(db, now, Some(&article.article_number), since).await?;
    let side = |row: price_list_entry::Entry| {
        let own = row.article_id == article.id && lists.contains(&row.price_list_id);
        own.then(|| (row.price_list_id, Side::from_entry(&row)))
    };
    Ok(states.into_iter().map(|life| map_states(life, side)).collect())
}

/// Loads the stocks of an article in whole dimensions, including deleted ones.
async fn stocks(
    db: &impl ConnectionTrait,
    seller: TenantId,
    article: &ArticleUnits,
    since: Instant,
) -> Result<Vec<StateHistory<StockPrices>>> {
    use listing::Column::{ArticleId, TenantId};
    let rows = Scope::platform().find::<Listings>().filter(TenantId.eq(seller));
    let rows = rows.filter(ArticleId.eq(article.id)).all(db).await?;
    let now = rows.into_iter().map(|row| (row.id, row)).collect();
    let states = load_states::<Listings>(db, now, Some(&article.article_number), since).await?;
    let prices = |row: listing::Listing| {
        let whole = [row.length, row.width, row.height].iter().all(|side| *side == Decimal::ZERO);
        let own = row.tenant_id == seller && row.article_id == article.id && whole;
        let Prices { external, internal } = Prices::from_listing(&row);
        let (id, article_id, warehouse_id) = (row.id, row.article_id, row.warehouse_id);
        own.then_some(StockPrices { id, article_id, warehouse_id, external, internal })
    };
    Ok(states.into_iter().map(|life| map_states(life, prices)).collect())
}

async fn adjustments(
    db: &impl ConnectionTrait,
    seller: TenantId,
    since: Instant,
) -> Result<Vec<StateHistory<PriceAdjustment>>> {
    let rows = Scope::platform().acting_for(Some(seller)).find::<PriceAdjustments>().all(db).await?;
    let now = rows.into_iter().map(|row| (row.id, row)).collect();
    let states = load_states::<PriceAdjustments>(db, now, None, since).await?;
    Ok(states
        .into_iter()
        .map(|life| map_states(life, |row| (row.tenant_id == seller).then_some(row)))
        .collect())
}

/// Loads the surcharge tables with their values for an article only: a table, and each entry of its history,
/// may have thousands of others.
async fn tables(
    db: &impl ConnectionTrait,
    seller: TenantId,
    article: &ArticleUnits,
    since: Instant,
) -> Result<Vec<StateHistory<TableRecord>>> {
    use surcharge_value::Column::{ArticleTypeId, MaterialId};
    let scope = Scope::platform().acting_for(Some(seller));
    let part = audit::table::<SurchargeValues>();
    let mut values: HashMap<i64, Vec<Json>> = HashMap::new();
    let of_article = Condition::any()
        .add(ArticleTypeId.eq(article.article_type_id))
        .add_option(article.material_id.map(|material| MaterialId.eq(material)));
    for cell in scope.all_parts::<SurchargeValues>().filter(of_article).all(db).await? {
        let of_table = values.entry(cell.surcharge_table_id).or_default();
        of_table.push(history_fields::part_fields::<SurchargeValues>(&cell));
    }
    let rows = scope.find::<SurchargeTables>().all(db).await?;
    let record = audit::table::<SurchargeTables>();
    let ids = with_deleted(db, record, rows.iter().map(|row| row.id), None, since).await?;
    let mut all =
        past::entries_shortened(db, record, &ids, since, |entry| shorten(entry, part, article)).await?;
    all.extend(row::happened(db, record, &ids).await?);
    let mut happened = by_record(all);
    let mut tables: Vec<(i64, String, Option<Fields>)> = Vec::new();
    for row in rows {
        let mut fields = history_fields::model_fields::<SurchargeTables>(&row);
        fields.insert(part.to_owned(), values.remove(&row.id).unwrap_or_default().into());
        tables.push((row.id, row.name, Some(fields)));
    }
    let deleted_ids: Vec<_> =
        happened.keys().filter(|id| !tables.iter().any(|(table_id, ..)| table_id == *id)).copied().collect();
    tables.extend(deleted_ids.into_iter().map(|id| (id, String::new(), None)));
    let of_table = |(id, name, fields): (i64, String, Option<Fields>)| {
        let life = state_history(fields, happened.remove(&id).unwrap_or_default(), &[part]);
        let own_record = |fields: &Fields| -> Result<Option<TableRecord>> {
            let row: SurchargeTable = rebuild_row::<SurchargeTables>(id, &name, fields)?;
            let cells = fields.get(part).map(values_of_entry).unwrap_or_default();
            Ok((row.tenant_id == seller).then_some(TableRecord {
                id,
                name: row.name,
                keyed_by: row.keyed_by,
                base: row.base_table_id,
                cells,
            }))
        };
        Ok(try_map_states(life, own_record)?
            .into_iter()
            .map(|(since, record)| (since, record.flatten()))
            .collect())
    };
    tables.into_iter().map(of_table).collect()
}

/// Removes all values from a history entry except those for an article.
fn shorten(entry: &mut PastEntry, part: &str, article: &ArticleUnits) {
    let concerns = |cell: &Json| {
        let is = |key: &str, id: Option<i64>| id.is_some() && cell.get(key).and_then(Json::as_i64) == id;
        is("material_id", article.material_id) || is("article_type_id", Some(article.article_type_id))
    };
    for change in entry.changes.iter_mut().filter(|change| change.field == part) {
        for cells in [&mut change.from, &mut change.to].into_iter().filter_map(Json::as_array_mut) {
            cells.retain(concerns);
            cells.shrink_to_fit();
        }
    }
}

/// Returns the states of a row since `since`, reconstructed from its history, without the current one.
pub async fn former_rows<E: Recorded>(
    db: &impl ConnectionTrait,
    id: i64,
    row: &E::Model,
    since: Instant,
) -> Result<Vec<E::Model>>
where
    E::ActiveModel: ActiveModelTrait<Entity = E> + ActiveModelBehavior + Send + TryIntoModel<E::Model>,
    E::Model: IntoActiveModel<E::ActiveModel> + Sync,
{
    let record = audit::table::<E>();
    let mut happened = past::entries(db, record, &[id], since).await?;
    happened.extend(row::happened(db, record, &[id]).await?.into_iter().filter(|entry| entry.at >= since));
    let name = happened.first().map(|entry| entry.name.clone()).unwrap_or_default();
    let mut states = state_history(Some(history_fields::model_fields::<E>(row)), happened, &[]);
    states.pop();
    let former = states.into_iter().filter_map(|(_, fields)| fields);
    former.map(|fields| rebuild_row::<E>(id, &name, &fields)).collect()
}

/// Returns the states of rows, including deleted rows.
async fn load_states<E: Recorded>(
    db: &impl ConnectionTrait,
    now: HashMap<i64, E::Model>,
    name: Option<&str>,
    since: Instant,
) -> Result<Vec<StateHistory<E::Model>>>
where
    E::ActiveModel: ActiveModelTrait<Entity = E> + ActiveModelBehavior + Send + TryIntoModel<E::Model>,
    E::Model: IntoActiveModel<E::ActiveModel> + Sync,
{
    let mut happened = load_history::<E>(db, now.keys().copied(), name, since).await?;
    let deleted_ids: Vec<i64> = happened.keys().filter(|id| !now.contains_key(id)).copied().collect();
    let now =
        now.into_iter().map(|(id, row)| (id, Some(row))).chain(deleted_ids.into_iter().map(|id| (id, None)));
    let of_row = |(id, row): (i64, Option<E::Model>)| {
        let mut happened = happened.remove(&id).unwrap_or_default();
        let name = happened.first().map(|entry| entry.name.clone()).unwrap_or_default();
        if let Some(row) = &row
            && let Value::ChronoDateTimeUtc(Some(at)) = row.get(E::CREATED_AT)
            && !happened.iter().any(PastEntry::is_creation)
        {
            // rows created in bulk have no creation entry of their own
            happened.push(PastEntry::created(id, at));
        }
        let life = state_history(row.as_ref().map(history_fields::model_fields::<E>), happened, &[]);
        try_map_states(life, |fields| rebuild_row::<E>(id, &name, fields))
    };
    now.map(of_row).collect()
}

/// Loads the history of these records and of deleted ones. `name`: the beginning of the names of deleted
/// records.
async fn load_history<E: Recorded>(
    db: &impl ConnectionTrait,
    ids: impl Iterator<Item = i64>,
    name: Option<&str>,
    since: Instant,
) -> Result<HashMap<i64, Vec<PastEntry>>> {
    let record = audit::table::<E>();
    let ids = with_deleted(db, record, ids, name, since).await?;
    let mut all = past::entries(db, record, &ids, since).await?;
    all.extend(row::happened(db, record, &ids).await?);
    Ok(by_record(all))
}

/// Returns these ids and those of records deleted since. `name`: the beginning of the names of deleted
/// records.
async fn with_deleted(
    db: &impl ConnectionTrait,
    record: &str,
    ids: impl Iterator<Item = i64>,
    name: Option<&str>,
    since: Instant,
) -> Result<Vec<i64>> {
    let deleted_ids = past::deleted(db, record, name, since).await?;
    let mut ids: Vec<i64> = ids.chain(deleted_ids).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

fn by_record(happened: Vec<PastEntry>) -> HashMap<i64, Vec<PastEntry>> {
    let mut by_record: HashMap<i64, Vec<PastEntry>> = HashMap::new();
    for entry in happened {
        by_record.entry(entry.record_id).or_default().push(entry);
    }
    by_record
}

fn rebuild_row<E: Recorded>(id: i64, name: &str, fields: &Fields) -> Result<E::Model>
where
    E::ActiveModel: TryIntoModel<E::Model>,
{
    Ok(reconstruction::recreate_row::<E>(id, name, fields)?.try_into_model()?)
}

fn try_map_states<T>(
    life: StateHistory<Fields>,
    map: impl Fn(&Fields) -> Result<T>,
) -> Result<StateHistory<T>> {
    let one =
        |(since, fields): (Instant, Option<Fields>)| Ok((since, fields.as_ref().map(&map).transpose()?));
    life.into_iter().map(one).collect()
}

fn map_states<T, U>(life: StateHistory<T>, map: impl Fn(T) -> Option<U>) -> StateHistory<U> {
    life.into_iter().map(|(since, state)| (since, state.and_then(&map))).collect()
}
