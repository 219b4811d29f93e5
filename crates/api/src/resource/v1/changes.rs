//! What has changed since a program asked last.

use std::{
    collections::HashMap,
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use kernel::{Code, Permission, Violations, may};
use logistics::stock::{
    self, Stocks,
    changes::{self, Change},
};
use pricing::listing::{self, Listings};
use sea_orm::{ColumnTrait, QueryFilter};
use serde::Serialize;
use utoipa::{ToSchema, openapi::path::Operation};

use crate::{
    http::{
        access::Authorized,
        answer::Shown,
        contract::{self, Schemas},
        input::{self, Db, Input},
        problem::Refusal,
        routes::{Answer, Routes},
        tagged::{Tagged, tagged},
    },
    publish,
    resource::{crud::Readable, prices::PriceView, v1::read::StockLevelView},
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": changes);
}

/// What has changed, in the order in which it did.
#[derive(Serialize, ToSchema)]
struct StockChanges {
    data: Vec<StockChange>,
    /// To be sent as `since` with the next call.
    #[schema(example = "1042")]
    cursor: String,
    /// Whether there is more already: then the next call needs not wait.
    has_more: bool,
}

/// A stock that was made, changed or deleted.
#[derive(Serialize, ToSchema)]
struct StockChange {
    id: i64,
    deleted: bool,
    /// What a deleted one was called.
    #[schema(required, example = "HEB-200-S235JR-12.1, DU")]
    name: Option<String>,
    /// As it is now.
    #[schema(required)]
    stock: Option<StockLevelView>,
    /// Its prices as they are now, for those who may see them.
    #[schema(required)]
    listing: Option<PriceView>,
}

/// Where a program has read until.
struct Since(i64);

/// Reads what has changed of stocks and their prices since a cursor, up to 500 at once; without one, all stocks. Nothing is skipped,
/// whoever writes meanwhile; what has changed again comes again, as it is now. Deletions are known for 90 days: after that a
/// cursor is refused with 410 `cursor_expired`, and everything is to be read again.
#[utoipa::path(get, path = "/api/v1/changes")]
async fn changes(
    by: Authorized<may::ListStocks>,
    Db(db): Db,
    Since(since): Since,
) -> Answer<Tagged<Shown<StockChanges>>> {
    let changes::Changes { changes, cursor, more, snapshot } = changes::since(&db, by.scope(), since).await?;
    let ids: Vec<i64> =
        changes.iter().filter(|change| change.gone.is_none()).map(|change| change.stock_id).collect();
    let rows =
        by.scope().find::<Stocks>().filter(stock::Column::Id.is_in(ids.clone())).all(&snapshot).await?;
    let mut stocks: HashMap<i64, _> = HashMap::new();
    for detail in stock::detailed(&snapshot, by.scope(), rows).await? {
        stocks.insert(detail.stock.id, StockLevelView::from(detail));
    }
    let mut listings: HashMap<i64, _> = HashMap::new();
    if by.scope().may(Permission::ListPrices) {
        let rows =
            by.scope().find::<Listings>().filter(listing::Column::Id.is_in(ids)).all(&snapshot).await?;
        for detail in Listings::detailed(&snapshot, by.scope(), rows).await? {
            listings.insert(detail.listing.id, PriceView::from(detail));
        }
    }
    let shown = |Change { stock_id: id, gone: name, .. }: Change| {
        if name.is_some() {
            return Some(StockChange { id, deleted: true, name, stock: None, listing: None });
        }
        let stock = Some(stocks.remove(&id)?);
        Some(StockChange { id, deleted: false, name, stock, listing: listings.remove(&id) })
    };
    let data = changes.into_iter().filter_map(shown).collect();
    Ok(tagged(StockChanges { data, cursor: cursor.to_string(), has_more: more }))
}

const SINCE: &str = "since";

impl FromRequest for Since {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let mut violations = Violations::new();
        let mut since = None;
        for (name, value) in input::parameters(request) {
            let number = value.parse().ok().filter(|number: &i64| *number >= 0);
            match (&*name, number) {
                (SINCE, Some(_)) if since.is_some() => violations.add(SINCE, Code::DuplicateParameter),
                (SINCE, Some(number)) => since = Some(number),
                (SINCE, None) => violations.add(SINCE, Code::InvalidParameter.with("expected", "1042")),
                _ => violations.add(name, Code::UnknownParameter.with("known", SINCE)),
            }
        }
        ready(violations.check().map(|()| Self(since.unwrap_or_default())).map_err(Refusal))
    }
}

impl Input for Since {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let about = "The `cursor` of the last answer; without it, everything";
        contract::query_parameter(operation, SINCE, about, contract::text());
    }
}
