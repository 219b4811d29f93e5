//! Stocks and prices in bulk, by the numbers that both sides know. They pass the rules of files of the same kind.

use std::collections::BTreeMap;

use identity::idempotency::Claim;
use imports::{
    apply::direct::{Call, Done, FieldFault, Table},
    cells::Wanted,
    import::row::Outcome,
    importer::Importer,
};
use kernel::{Code, Database, Language, Result, Scope, Violations, Write, may, now};
use logistics::stock::{
    import::StockImporter,
    items::{self, StockItem},
};
use pricing::{
    listing::{
        import::PriceImporter,
        items::{self as price_items, PriceItem},
    },
    price_list::{self, PriceCounts, PriceLists},
    price_side::{TIERS_MAX, TierInput},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        input::{About, Db},
        items::{Items, RawItem},
        repeatable::{Repeatable, Told, written},
        routes::{Answer, Routes},
    },
    publish,
    resource::{item_fault::ItemFault, visible_messages},
    webhook_events,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": put_prices, put_stocks);
}

/// The most items of one call.
pub(super) const ITEMS_MAX: usize = 1_000;

/// Stocks by their numbers.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct StockItems {
    /// Each stock once.
    #[schema(min_items = 1, max_items = 1_000)]
    #[schema(value_type = Vec<StockItem>)]
    items: Vec<RawItem<StockItem>>,
    /// Everything is checked and told, nothing is written.
    #[serde(default)]
    dry_run: bool,
}

/// Prices by the numbers of their stocks.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PriceItems {
    /// Each stock once.
    #[schema(min_items = 1, max_items = 1_000)]
    #[schema(value_type = Vec<PriceItem>)]
    items: Vec<RawItem<PriceItem>>,
    /// Everything is checked and told, nothing is written.
    #[serde(default)]
    dry_run: bool,
}

/// What became of items.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ItemResults {
    dry_run: bool,
    /// One for each item, in their order.
    data: Vec<ItemResult>,
}

/// What became of an item, or would become of it.
#[derive(Debug, Serialize, ToSchema)]
struct ItemResult {
    /// From 0.
    #[schema(example = 0)]
    index: usize,
    result: Outcome,
    /// The stock; `null` where the item was refused, or a dry run would have made it.
    #[schema(required)]
    id: Option<i64>,
    errors: Vec<ItemFault>,
    /// What there is to say of an item that was accepted, and why prices of it are held.
    warnings: Vec<ItemFault>,
}

/// Says how much there is of up to 1,000 stocks; those that are not there yet are made. Each item is accepted or refused by
/// itself, and what was accepted is written together. A caller needs what an upload of the type `Stock` needs.
#[utoipa::path(put, path = "/api/v1/stocks")]
async fn put_stocks(
    by: Authorized<may::CreateImport>,
    Db(db): Db,
    About(request): About,
    call: Repeatable<StockItems>,
) -> Answer<Told<ItemResults>> {
    let Repeatable { input: StockItems { items, dry_run }, key } = call;
    counted(items.len())?;
    let Items { read, refused } = Items::read(&items, |_, _| {})?;
    let call = Put { db: &db, scope: by.scope(), language: request.language, key, dry_run, refused };
    Ok(call.of::<StockImporter>(items::table(&read)).await?)
}

/// Says the prices of up to 1,000 stocks that there are. Each item is accepted, refused or, where a price looks like a mistake,
/// held by itself, and what was accepted is written together. A caller needs what an upload of the type `Price` needs.
#[utoipa::path(put, path = "/api/v1/prices")]
async fn put_prices(
    by: Authorized<may::CreateImport>,
    Db(db): Db,
    About(request): About,
    call: Repeatable<PriceItems>,
) -> Answer<Told<ItemResults>> {
    let Repeatable { input: PriceItems { items, dry_run }, key } = call;
    counted(items.len())?;
    let Items { read, refused } = Items::read(&items, |item: &PriceItem, violations| {
        check_tiers(violations, "internal_bulk_prices", &item.internal_bulk_prices);
        check_tiers(violations, "external_bulk_prices", &item.external_bulk_prices);
    })?;
    let call = Put { db: &db, scope: by.scope(), language: request.language, key, dry_run, refused };
    Ok(call.of::<PriceImporter>(price_items::table(&read)).await?)
}

pub(super) fn counted(items: usize) -> Result<()> {
    match items {
        0 => Err(Violations::of("items", Code::TooFew.with("min", 1))),
        1..=ITEMS_MAX => Ok(()),
        _ => Err(Violations::of("items", Code::TooMany.with("max", ITEMS_MAX))),
    }
}

/// Refuses more tiers than a price may have.
pub(super) fn check_tiers(violations: &mut Violations, field: &str, tiers: &Wanted<Vec<TierInput>>) {
    if matches!(tiers, Wanted::Set(tiers) if tiers.len() > TIERS_MAX) {
        violations.add(field, Code::TooMany.with("max", TIERS_MAX));
    }
}

/// A call on its way.
pub(super) struct Put<'c> {
    pub(super) db: &'c Database,
    pub(super) scope: &'c Scope,
    pub(super) language: Language,
    pub(super) key: Option<identity::idempotency::Key>,
    pub(super) dry_run: bool,
    /// Items that could not be read, by their index.
    pub(super) refused: BTreeMap<usize, Violations>,
}

impl Put<'_> {
    async fn of<I: Importer>(&self, table: Table) -> Result<Told<ItemResults>> {
        self.done(Call::<I>::prepare(self.db, self.scope, table, self.language).await?, None).await
    }

    /// Items of a price list.
    pub(super) async fn of_list<I: Importer>(&self, list: i64, table: Table) -> Result<Told<ItemResults>> {
        let call = Call::<I>::into(self.db, self.scope, Some(list), table, self.language).await?;
        self.done(call, Some(list)).await
    }

    async fn done<I: Importer>(&self, mut call: Call<I>, list: Option<i64>) -> Result<Told<ItemResults>> {
        if self.dry_run {
            call.try_only();
        }
        loop {
            match self.once(&mut call, list).await {
                Err(error) => call.wait_for_others(error).await?,
                done => return done,
            }
        }
    }

    async fn once<I: Importer>(&self, call: &mut Call<I>, list: Option<i64>) -> Result<Told<ItemResults>> {
        let tx = self.db.begin_long().await?;
        // a dry run leaves nothing that could be done twice
        let key = self.key.as_ref().filter(|_| !self.dry_run);
        if let Some(key) = key
            && let Claim::Answered(answer) = key.claim(&tx, self.scope, now()).await?
        {
            return Ok(Told::again(answer));
        }
        let done = call.apply(&tx).await?;
        let held = done.iter().filter(|item| item.outcome == Outcome::Held).count();
        match list {
            Some(list) => self.note_prices(&tx, list, &done).await?,
            None => webhook_events::stock_prices_held(&tx, self.scope, held).await?,
        }
        let answer = written(&ItemResults::new(done, self))?;
        if self.dry_run {
            tx.rollback().await?;
        } else {
            if let Some(key) = key {
                key.answer(&tx, self.scope, &answer).await?;
            }
            tx.commit().await?;
        }
        Ok(Told::now(answer))
    }

    /// Notes in the history of a list what has become of its prices, and tells webhooks of those that are held.
    async fn note_prices(&self, tx: &Write, list: i64, done: &[Done]) -> Result<()> {
        let number = |outcome: Outcome| done.iter().filter(|item| item.outcome == outcome).count() as u64;
        let counts = PriceCounts {
            changed: number(Outcome::Updated),
            added: number(Outcome::Created),
            removed: number(Outcome::Removed),
            held: number(Outcome::Held),
        };
        if counts == PriceCounts::default() {
            return Ok(());
        }
        let list = self.scope.get::<PriceLists>(tx, list).await?;
        webhook_events::list_prices_held(tx, &list, counts.held).await?;
        price_list::note_prices(tx, &list.writer(self.scope)?, &list, counts).await
    }
}

impl ItemResults {
    fn new(done: Vec<Done>, call: &Put<'_>) -> Self {
        let Put { scope, language, dry_run, ref refused, .. } = *call;
        let result = |(index, done): (usize, Done)| {
            let Done { outcome, record, errors, warnings } = done;
            let would_be_made = dry_run && outcome == Outcome::Created;
            let told = |faults: Vec<FieldFault>| {
                let faults = faults.iter().map(|fault| (fault.field.clone(), &fault.message));
                let visible = visible_messages(scope, faults).into_iter();
                visible.map(|(field, message)| ItemFault::new(field, &message, language)).collect()
            };
            ItemResult {
                index,
                result: outcome,
                id: record.filter(|_| !would_be_made),
                errors: told(errors),
                warnings: told(warnings),
            }
        };
        let mut done = done.into_iter();
        let unread = |wrong: &Violations| Done {
            outcome: Outcome::Refused,
            record: None,
            errors: wrong.iter().map(FieldFault::from).collect(),
            warnings: Vec::new(),
        };
        let all = (0..).map_while(|index| match refused.get(&index) {
            Some(wrong) => Some((index, unread(wrong))),
            None => done.next().map(|done| (index, done)),
        });
        Self { dry_run, data: all.map(result).collect() }
    }
}
