//! Surcharge tables of tenants: surcharges per tonne by month, for a material or an article type. Values that
//! a table lacks are taken from its base table.

pub mod entity;
mod guarding;
pub mod surcharges;
mod table_values;
pub mod value_entity;

use std::collections::{HashMap, HashSet};

use catalog::{article_type::ArticleTypes, material::Materials};
use lists::{Creatable, Deletable, Detailed, Field, Listed, Managed, listed_reference};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::LockType,
};
use serde::Deserialize;
use store::{
    Database, Owner, Part, PriceRole, Recorded, Resource, Scope, Scoped, Unique, Write, scope::refuse_stale,
    usage,
};
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;
use values::{Phrase, Result, TenantId, Validated, Violations, fold, rule::printable, tidy, today};

use self::{
    surcharges::{CompiledTable, KeyedBy, Month, SurchargeKind, TableRecord},
    value_entity as surcharge_value,
};
use crate::{codes, permissions};

pub(crate) use self::table_values::values_of_entry;
pub use self::table_values::{
    SurchargeValue, TableValues, VALUES_MAX, ValueInput, ValuesInput, put_values, revert_values, values,
};
pub use self::{
    entity::{ActiveModel, Column, Entity as SurchargeTables, Model as SurchargeTable},
    value_entity::{Entity as SurchargeValues, Model as SurchargeCell},
};

/// Maximum number of tables of a tenant.
pub const TABLES_MAX: usize = 100;

impl Scoped for SurchargeTables {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for SurchargeTables {
    const PRICES: Option<PriceRole<Column>> = Some(PriceRole::Rules);
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "surcharge_tables",
        Phrase { de: "Zuschlagstabellen", en: "surcharge tables" },
        permissions::LIST_PRICE_ADJUSTMENTS,
    )
    .refers(&[
        listed_reference::<Self, Tenants>("tenant_id"),
        listed_reference::<Self, Self>("base_table_id"),
        listed_reference::<Self, Materials>("material_id"),
        listed_reference::<Self, ArticleTypes>("article_type_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("surcharge_table_tenant_id_name_fold_key", "name", codes::TAKEN)];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        scope.remove_parts::<SurchargeValues>(tx, id, Condition::all()).await
    }
}

impl Listed for SurchargeTables {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::choice("kind", &Column::Kind, SurchargeKind::NAMES).unsorted(),
        Field::choice("keyed_by", &Column::KeyedBy, KeyedBy::NAMES).unsorted(),
        Field::id("base_table_id", &Column::BaseTableId).optional(),
        Field::part_id(
            "material_id",
            &surcharge_value::Column::MaterialId,
            &surcharge_value::Column::SurchargeTableId,
        )
        .with_part_tenant()
        .optional(),
        Field::part_id(
            "article_type_id",
            &surcharge_value::Column::ArticleTypeId,
            &surcharge_value::Column::SurchargeTableId,
        )
        .with_part_tenant()
        .optional(),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
    const NEEDS_TENANT: bool = true;
}

impl Part for SurchargeValues {
    type Whole = SurchargeTables;
    const WHOLE: surcharge_value::Column = surcharge_value::Column::SurchargeTableId;
    const TENANT: Option<surcharge_value::Column> = Some(surcharge_value::Column::TenantId);
    const UNNOTED: &'static [surcharge_value::Column] = &[surcharge_value::Column::KeyId];
}

/// Input that creates or changes a surcharge table.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct SurchargeTableInput {
    /// Name, unique among the tables of the tenant, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Legierungszuschlag Edelstahl")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    pub kind: SurchargeKind,
    /// Kind of the table's rows. It cannot be changed while the table has values, a base table, or tables
    /// based on it.
    pub keyed_by: KeyedBy,
    /// Base table, from which missing values are taken; it has the same kind of rows.
    pub base_table_id: Option<i64>,
    /// Version that was edited; rejected if it is not the current one.
    pub version: Option<i64>,
}

tidy!(SurchargeTableInput: trim name;);

/// Table with the records that it refers to, and its missing values.
#[derive(Debug, Clone)]
pub struct SurchargeTableDetail {
    pub table: SurchargeTable,
    /// Short code of the tenant.
    pub tenant: String,
    /// Name of the base table.
    pub base: Option<String>,
    /// Number of its own values.
    pub value_count: u64,
    /// Last month with a value.
    pub last_month: Option<String>,
    /// Missing values by row, then month.
    pub missing: Vec<Missing>,
}

/// Missing value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Id of the material or the article type.
    pub key: i64,
    pub name: String,
    pub month: Month,
}

/// Loads a table with its missing values.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<SurchargeTableDetail> {
    let table = scope.get::<SurchargeTables>(db, id).await?;
    Ok(SurchargeTables::detailed(db, scope, vec![table]).await?.remove(0))
}

impl<C: ConnectionTrait> Detailed<C> for SurchargeTables {
    type Detail = SurchargeTableDetail;

    /// Loads the records that tables refer to, and their missing values.
    async fn detailed(
        db: &C,
        scope: &Scope,
        tables: Vec<SurchargeTable>,
    ) -> Result<Vec<SurchargeTableDetail>> {
        let codes = tenant::short_codes(db, scope, tables.iter().map(|table| table.tenant_id)).await?;
        let counts = counts(db, scope, &tables).await?;
        let mut missing = missing_values(db, scope, &tables).await?;
        let of_kind = |kind: KeyedBy, missing: &HashMap<i64, Vec<(i64, Month)>>| -> HashSet<i64> {
            let of_kind = tables.iter().filter(|table| table.keyed_by == kind);
            of_kind.filter_map(|table| missing.get(&table.id)).flatten().map(|(key, _)| *key).collect()
        };
        let mut names = HashMap::new();
        for kind in [KeyedBy::Material, KeyedBy::ArticleType] {
            names.insert(kind, table_values::names(db, scope, kind, of_kind(kind, &missing)).await?);
        }
        let bases = base_names(db, scope, &tables).await?;
        let detail = |table: SurchargeTable| {
            let lacked = |(key, month): (i64, Month)| Missing {
                name: names
                    .get(&table.keyed_by)
                    .and_then(|names| names.get(&key))
                    .cloned()
                    .unwrap_or_default(),
                key,
                month,
            };
            let (value_count, last_month) = counts.get(&table.id).cloned().unwrap_or_default();
            let missing = missing.remove(&table.id).unwrap_or_default();
            SurchargeTableDetail {
                tenant: codes.get(&table.tenant_id).cloned().unwrap_or_default(),
                base: table.base_table_id.and_then(|base| bases.get(&base).cloned()),
                value_count: value_count.unsigned_abs(),
                last_month,
                missing: missing.into_iter().map(lacked).collect(),
                table,
            }
        };
        Ok(tables.into_iter().map(detail).collect())
    }
}

/// Returns the number of values of each table, and the month of the last one.
async fn counts(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tables: &[SurchargeTable],
) -> Result<HashMap<i64, (i64, Option<String>)>> {
    use surcharge_value::Column::{Month, SurchargeTableId};
    let rows = scope
        .parts::<SurchargeValues>(tables.iter().map(|table| table.id))
        .select_only()
        .column(SurchargeTableId)
        .column_as(Month.count(), "count")
        .column_as(Month.max(), "last")
        .group_by(SurchargeTableId)
        .into_tuple::<(i64, i64, Option<String>)>()
        .all(db)
        .await?;
    Ok(rows.into_iter().map(|(table, count, last)| (table, (count, last))).collect())
}

async fn base_names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tables: &[SurchargeTable],
) -> Result<HashMap<i64, String>> {
    names(db, scope, tables.iter().filter_map(|table| table.base_table_id)).await
}

/// Loads the names of tables.
pub async fn names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, String>> {
    let ids: HashSet<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let names = scope.find::<SurchargeTables>().filter(Column::Id.is_in(ids)).select_only();
    let names = names.columns([Column::Id, Column::Name]).into_tuple::<(i64, String)>();
    Ok(names.all(db).await?.into_iter().collect())
}

/// Returns the missing values of tables for this month and the next, as rows and months.
async fn missing_values(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tables: &[SurchargeTable],
) -> Result<HashMap<i64, Vec<(i64, Month)>>> {
    use surcharge_value::Column as Value;
    if tables.is_empty() {
        return Ok(HashMap::new());
    }
    let owners: HashSet<TenantId> = tables.iter().map(|table| table.tenant_id).collect();
    let bases = scope.find::<SurchargeTables>().filter(Column::TenantId.is_in(owners));
    let bases = bases.select_only().columns([Column::Id, Column::BaseTableId]);
    let bases: HashMap<i64, Option<i64>> = bases.into_tuple().all(db).await?.into_iter().collect();
    let chain = |id| surcharges::chain(id, |id| bases.get(&id).copied().flatten());
    let table_ids: HashSet<i64> = tables.iter().flat_map(|table| chain(table.id)).collect();
    let (today, mut cells) = (today(), HashMap::<i64, Vec<(i64, Month)>>::new());
    let watched = surcharges::watched(today);
    let rows = scope
        .parts::<SurchargeValues>(table_ids)
        .filter(Value::Month.between(watched.start().to_string(), watched.end().to_string()))
        .select_only()
        .columns([Value::SurchargeTableId, Value::KeyId, Value::Month])
        .into_tuple::<(i64, i64, String)>()
        .all(db)
        .await?;
    for (table, key, month) in rows {
        cells.entry(table).or_default().extend(Month::parse(&month).map(|month| (key, month)));
    }
    let lacks = |table: &SurchargeTable| {
        let filled_cells = chain(table.id).into_iter().filter_map(|id| cells.get(&id)).flatten().copied();
        (table.id, surcharges::missing(&filled_cells.collect(), today))
    };
    Ok(tables.iter().map(lacks).collect())
}

/// Returns the number of tables of the acting tenant that lack values which are due.
pub async fn count_incomplete(db: &impl ConnectionTrait, scope: &Scope) -> Result<u64> {
    let tables = scope.find::<SurchargeTables>().all(db).await?;
    let missing = missing_values(db, scope, &tables).await?;
    let is_due =
        |missing: &&Vec<(i64, Month)>| missing.iter().any(|(_, month)| surcharges::is_due(*month, today()));
    Ok(missing.values().filter(is_due).count() as u64)
}

/// Loads and compiles all tables of a seller.
pub(crate) async fn load_compiled(
    db: &impl ConnectionTrait,
    seller: TenantId,
) -> Result<HashMap<i64, std::sync::Arc<CompiledTable>>> {
    Ok(surcharges::compile(&load_records(db, seller).await?))
}

/// Loads all tables of a seller with their own values.
pub(crate) async fn load_records(db: &impl ConnectionTrait, seller: TenantId) -> Result<Vec<TableRecord>> {
    let scope = Scope::platform().acting_for(Some(seller));
    let tables = scope.find::<SurchargeTables>().order_by_asc(Column::Id).all(db).await?;
    if tables.is_empty() {
        return Ok(Vec::new());
    }
    let mut records: Vec<TableRecord> = tables
        .into_iter()
        .map(|table| TableRecord {
            id: table.id,
            name: table.name,
            keyed_by: table.keyed_by,
            base: table.base_table_id,
            cells: surcharges::Cells::new(),
        })
        .collect();
    for cell in scope.all_parts::<SurchargeValues>().all(db).await? {
        let table = records.iter_mut().find(|table| table.id == cell.surcharge_table_id);
        if let (Some(table), Some(month)) = (table, Month::parse(&cell.month)) {
            table.cells.insert((cell.key_id, month), cell.value);
        }
    }
    Ok(records)
}

impl Managed for SurchargeTables {
    type Input = SurchargeTableInput;

    /// Changes a table.
    ///
    /// # Errors
    /// All violations, by field; among them a table that would be based on itself.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<SurchargeTableInput>>,
    ) -> Result<SurchargeTableDetail> {
        let (input, violations) = input.into().parts();
        let tx = db.begin().await?;
        let before = scope.get::<Self>(&tx, id).await?;
        let writer = scope.acting_for(Some(before.tenant_id));
        let all = all_locked(&tx, &writer).await?;
        let before = all.iter().find(|table| table.id == id).ok_or_else(values::Error::not_found)?;
        refuse_stale(input.version, before.version)?;
        let row = read(&tx, &writer, input, Some(before), &all, violations).await?;
        writer.update_from::<Self>(&tx, before, row).await?;
        finish(tx, scope, id).await
    }
}

impl Creatable for SurchargeTables {
    /// Creates a table.
    ///
    /// # Errors
    /// All violations, by field.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<SurchargeTableInput>>,
    ) -> Result<SurchargeTableDetail> {
        let (input, violations) = input.into().parts();
        scope.claim::<Self>()?;
        let tx = db.begin().await?;
        let all = all_locked(&tx, scope).await?;
        if all.len() >= TABLES_MAX {
            return Err(codes::TOO_MANY.with("max", TABLES_MAX).into());
        }
        let row = read(&tx, scope, input, None, &all, violations).await?;
        let table = scope.create::<Self>(&tx, row).await?;
        finish(tx, scope, table.id).await
    }
}

impl Deletable for SurchargeTables {
    /// Deletes a table with its values. Rejected while an adjustment takes its value from it, or another
    /// table is based on it.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Loads and locks all tables of the tenant, in a fixed order. So of two concurrent calls that would together
/// make a cycle, the second one sees the change of the first.
async fn all_locked(tx: &Write, scope: &Scope) -> Result<Vec<SurchargeTable>> {
    let tables = scope.find::<SurchargeTables>().order_by_asc(Column::Id);
    Ok(tables.lock(LockType::NoKeyUpdate).all(tx).await?)
}

/// Validates an input, and returns the row.
async fn read(
    db: &impl ConnectionTrait,
    scope: &Scope,
    input: SurchargeTableInput,
    before: Option<&SurchargeTable>,
    all: &[SurchargeTable],
    mut violations: Violations,
) -> Result<ActiveModel> {
    if let Some(before) = before.filter(|before| before.keyed_by != input.keyed_by) {
        let connected =
            before.base_table_id.is_some() || all.iter().any(|table| table.base_table_id == Some(before.id));
        let filled = || scope.parts::<SurchargeValues>([before.id]).one(db);
        if connected || filled().await?.is_some() {
            violations.add("keyed_by", codes::KEYS_FIXED);
        }
    }
    if let Some(base) = input.base_table_id {
        check_base(base, input.keyed_by, before, all, &mut violations);
    }
    violations.check()?;
    Ok(ActiveModel {
        name_fold: Set(fold(&input.name)),
        name: Set(input.name),
        kind: Set(input.kind),
        keyed_by: Set(input.keyed_by),
        base_table_id: Set(input.base_table_id),
        ..Default::default()
    })
}

/// Adds the violations of a base table.
fn check_base(
    base: i64,
    keyed_by: KeyedBy,
    before: Option<&SurchargeTable>,
    all: &[SurchargeTable],
    violations: &mut Violations,
) {
    const BASE: &str = "base_table_id";
    let find_table = |id: i64| all.iter().find(|table| table.id == id);
    let Some(base_table) = find_table(base) else { return violations.add(BASE, codes::UNKNOWN_REFERENCE) };
    if base_table.keyed_by != keyed_by {
        violations.add(BASE, codes::OTHER_KEYS);
    }
    let below = surcharges::chain(base, |id| find_table(id).and_then(|table| table.base_table_id));
    if let Some(place) = before.and_then(|before| below.iter().position(|id| *id == before.id)) {
        let cycle = before.map(|before| before.id).into_iter().chain(below.into_iter().take(place + 1));
        let names = cycle.filter_map(find_table).map(|table| table.name.clone());
        violations.add(BASE, codes::SURCHARGE_CYCLE.list("tables", names));
    }
}

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<SurchargeTableDetail> {
    let detail = view(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}
