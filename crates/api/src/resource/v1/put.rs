//! Stocks and prices in bulk, by numbers that both sides know. The rules are those of files of the same kind.

use std::collections::BTreeMap;

use http_api::{
    access::Authorized,
    input::{Db, RequestInfo},
    items::{Items, RawItem},
    publish,
    repeatable::{Repeatable, StoredAnswer, to_json},
    routes::{Answer, Routes},
};
use identity::idempotency::Claim;
use imports::{
    apply::direct::{AppliedItem, Call, FieldFault, Table},
    cells::CellChange,
    import::row::Outcome,
    importer::Importer,
    may,
};
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
use store::{Database, Scope, Write};
use utoipa::ToSchema;
use values::{Language, Result, Violations, now};

use crate::{
    codes,
    resource::{item_fault::ItemFault, visible_messages},
    webhook_events,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": put_prices, put_stocks);
}

/// Maximum number of items in a call.
pub(super) const ITEMS_MAX: usize = 1_000;

/// Stocks by their numbers.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct StockItems {
    /// Stocks, each once.
    #[schema(min_items = 1, max_items = 1_000)]
    #[schema(value_type = Vec<StockItem>)]
    items: Vec<RawItem<StockItem>>,
    /// True to check and report everything without writing.
    #[serde(default)]
    dry_run: bool,
}

/// Prices by the numbers of their stocks.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PriceItems {
    /// Prices, each stock once.
    #[schema(min_items = 1, max_items = 1_000)]
    #[schema(value_type = Vec<PriceItem>)]
    items: Vec<RawItem<PriceItem>>,
    /// True to check and report everything without writing.
    #[serde(default)]
    dry_run: bool,
}

/// Results of the items.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ItemResults {
    dry_run: bool,
    /// Results, one for each item in their order.
    data: Vec<ItemResult>,
}

/// Result of an item, or the expected one in a dry run.
#[derive(Debug, Serialize, ToSchema)]
struct ItemResult {
    /// Index of the item, from 0.
    #[schema(example = 0)]
    index: usize,
    result: Outcome,
    /// Id of the stock; `null` if the item was refused, or a dry run would create it.
    #[schema(required)]
    id: Option<i64>,
    errors: Vec<ItemFault>,
    /// Warnings about an accepted item, and the reasons why its prices are under review.
    warnings: Vec<ItemFault>,
}

/// Sets the quantities of up to 1,000 stocks; missing ones are created. Each item is accepted or refused on
/// its own; all accepted ones are written together. Needs the permissions for an upload of the type `Stock`.
#[utoipa::path(put, path = "/api/v1/stocks")]
async fn put_stocks(
    by: Authorized<may::CreateImport>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    call: Repeatable<StockItems>,
) -> Answer<StoredAnswer<ItemResults>> {
    let Repeatable { input: StockItems { items, dry_run }, key } = call;
    check_count(items.len())?;
    let Items { read, refused } = Items::read(&items, |_, _| {})?;
    let call = PutCall { db: &db, scope: by.scope(), language: request.language, key, dry_run, refused };
    Ok(call.run::<StockImporter>(items::table(&read)).await?)
}

/// Sets the prices of up to 1,000 existing stocks. Each item is accepted, refused, or under review if it
/// looks like a mistake; all accepted ones are written together. Needs the permissions for an upload of the
/// type `Price`.
#[utoipa::path(put, path = "/api/v1/prices")]
async fn put_prices(
    by: Authorized<may::CreateImport>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    call: Repeatable<PriceItems>,
) -> Answer<StoredAnswer<ItemResults>> {
    let Repeatable { input: PriceItems { items, dry_run }, key } = call;
    check_count(items.len())?;
    let Items { read, refused } = Items::read(&items, |item: &PriceItem, violations| {
        check_tiers(violations, "internal_bulk_prices", &item.internal_bulk_prices);
        check_tiers(violations, "external_bulk_prices", &item.external_bulk_prices);
    })?;
    let call = PutCall { db: &db, scope: by.scope(), language: request.language, key, dry_run, refused };
    Ok(call.run::<PriceImporter>(price_items::table(&read)).await?)
}

pub(super) fn check_count(items: usize) -> Result<()> {
    match items {
        0 => Err(Violations::error("items", codes::TOO_FEW.with("min", 1))),
        1..=ITEMS_MAX => Ok(()),
        _ => Err(Violations::error("items", codes::TOO_MANY.with("max", ITEMS_MAX))),
    }
}

/// Refuses more quantity breaks than a price may have.
pub(super) fn check_tiers(violations: &mut Violations, field: &str, tiers: &CellChange<Vec<TierInput>>) {
    if matches!(tiers, CellChange::Set(tiers) if tiers.len() > TIERS_MAX) {
        violations.add(field, codes::TOO_MANY.with("max", TIERS_MAX));
    }
}

/// Call in progress.
pub(super) struct PutCall<'c> {
    pub(super) db: &'c Database,
    pub(super) scope: &'c Scope,
    pub(super) language: Language,
    pub(super) key: Option<identity::idempotency::Key>,
    pub(super) dry_run: bool,
    /// Items that could not be read, by their index.
    pub(super) refused: BTreeMap<usize, Violations>,
}

impl PutCall<'_> {
    async fn run<I: Importer>(&self, table: Table) -> Result<StoredAnswer<ItemResults>> {
        self.run_call(Call::<I>::prepare(self.db, self.scope, table, self.language).await?, None).await
    }

    /// Writes items of a price list.
    pub(super) async fn run_for_list<I: Importer>(
        &self,
        list: i64,
        table: Table,
    ) -> Result<StoredAnswer<ItemResults>> {
        let call = Call::<I>::into(self.db, self.scope, Some(list), table, self.language).await?;
        self.run_call(call, Some(list)).await
    }

    async fn run_call<I: Importer>(
        &self,
        mut call: Call<I>,
        list: Option<i64>,
    ) -> Result<StoredAnswer<ItemResults>> {
        if self.dry_run {
            call.set_dry_run();
        }
        loop {
            match self.try_once(&mut call, list).await {
                Err(error) => call.wait_for_others(error).await?,
                done => return done,
            }
        }
    }

    async fn try_once<I: Importer>(
        &self,
        call: &mut Call<I>,
        list: Option<i64>,
    ) -> Result<StoredAnswer<ItemResults>> {
        let tx = self.db.begin_long().await?;
        // a dry run writes nothing, so that repeating it needs no key
        let key = self.key.as_ref().filter(|_| !self.dry_run);
        if let Some(key) = key
            && let Claim::Answered(answer) = key.claim(&tx, self.scope, now()).await?
        {
            return Ok(StoredAnswer::replayed(answer));
        }
        let done = call.apply(&tx).await?;
        let under_review = done.iter().filter(|item| item.outcome == Outcome::Held).count();
        match list {
            Some(list) => self.note_prices(&tx, list, &done).await?,
            None => webhook_events::stock_prices_held(&tx, self.scope, under_review).await?,
        }
        let answer = to_json(&ItemResults::new(done, self))?;
        if self.dry_run {
            tx.rollback().await?;
        } else {
            if let Some(key) = key {
                key.answer(&tx, self.scope, &answer).await?;
            }
            tx.commit().await?;
        }
        Ok(StoredAnswer::new(answer))
    }

    /// Records the result in the history of a price list and notifies webhooks of prices under review.
    async fn note_prices(&self, tx: &Write, list: i64, done: &[AppliedItem]) -> Result<()> {
        let number = |outcome: Outcome| done.iter().filter(|item| item.outcome == outcome).count() as u64;
        let counts = PriceCounts {
            changed: number(Outcome::Updated),
            added: number(Outcome::Created),
            removed: number(Outcome::Removed),
            under_review: number(Outcome::Held),
        };
        if counts == PriceCounts::default() {
            return Ok(());
        }
        let list = self.scope.get::<PriceLists>(tx, list).await?;
        webhook_events::list_prices_held(tx, &list, counts.under_review).await?;
        price_list::note_prices(tx, &list.writer(self.scope)?, &list, counts).await
    }
}

impl ItemResults {
    fn new(done: Vec<AppliedItem>, call: &PutCall<'_>) -> Self {
        let PutCall { scope, language, dry_run, ref refused, .. } = *call;
        let result = |(index, done): (usize, AppliedItem)| {
            let AppliedItem { outcome, record, errors, warnings } = done;
            let would_be_made = dry_run && outcome == Outcome::Created;
            let item_faults = |faults: Vec<FieldFault>| {
                let faults = faults.iter().map(|fault| (fault.field.clone(), &fault.message));
                let visible = visible_messages(scope, faults).into_iter();
                visible.map(|(field, message)| ItemFault::new(field, &message, language)).collect()
            };
            ItemResult {
                index,
                result: outcome,
                id: record.filter(|_| !would_be_made),
                errors: item_faults(errors),
                warnings: item_faults(warnings),
            }
        };
        let mut done = done.into_iter();
        let unread = |wrong: &Violations| AppliedItem {
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
