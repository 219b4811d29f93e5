//! Change feeds: records that have changed since a program's last call, in an order that skips none.

use std::{
    collections::HashMap,
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use catalog::{
    article::{self, Articles},
    material::Materials,
};
use http_api::{
    access::{AnyUser, Authorized},
    answer::OkJson,
    contract::{self, Schemas},
    etag::{WithEtag, with_etag},
    input::{self, Db, Id, Input, RequestInfo},
    problem::Refusal,
    publish,
    routes::{Answer, Routes},
};
use lists::Detailed;
use logistics::{
    matching::Matchings,
    stock::{self, Stocks},
    warehouse::Warehouses,
};
use pricing::{
    listing::{self, Listings},
    price_list::PriceLists,
    price_list_entry::{self, Entries, EntryRow},
};
use sea_orm::{ColumnTrait, QueryFilter};
use serde::Serialize;
use store::{
    Database, Recorded, Scope, Snapshot,
    change_feed::{self, RowChange, Stream},
};
use utoipa::{ToSchema, openapi::path::Operation};
use values::{Result, Violations};

use crate::{
    codes,
    resource::{
        articles::RowView,
        matchings::MatchingView,
        materials::MaterialView,
        price_list_prices::{EntryView, load_views},
        prices::{PriceView, load_listings},
        v1::{
            lookup::{self, FoundWarehouse},
            read::StockLevelView,
        },
    },
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": changes, article_changes, material_changes, warehouse_changes, matching_changes);
    publish!(routes, "v1": price_list_changes);
}

/// Changes as they are read, before their views are built.
struct Feed<V> {
    /// Changes, each with the present record; `None` if it was deleted or the caller does not see it any
    /// more.
    changes: Vec<(RowChange, Option<V>)>,
    cursor: i64,
    has_more: bool,
}

/// Defines the answer of a feed, and one change in it.
macro_rules! feed_of {
    ($(#[$about:meta])* $changes:ident of $change:ident: $view:ty) => {
        $(#[$about])*
        #[derive(Serialize, ToSchema)]
        struct $changes {
            data: Vec<$change>,
            /// Cursor for `since` in the next call.
            #[schema(example = "1042")]
            cursor: String,
            /// True if there may be more changes: call again without waiting. False if the feed was read to
            /// its end.
            has_more: bool,
        }

        /// Record that was created, changed or deleted.
        #[derive(Serialize, ToSchema)]
        struct $change {
            /// Id of the record.
            id: i64,
            /// True if the record was deleted, or the caller does not see it any more.
            deleted: bool,
            /// Name of a deleted record.
            #[schema(required, example = "HEB-200-S235JR-12.1")]
            name: Option<String>,
            /// Present record.
            #[schema(required)]
            record: Option<$view>,
        }

        impl From<Feed<$view>> for $changes {
            fn from(feed: Feed<$view>) -> Self {
                let change = |(change, record): (RowChange, Option<$view>)| $change {
                    id: change.id,
                    deleted: record.is_none(),
                    name: change.deleted_name,
                    record,
                };
                Self {
                    data: feed.changes.into_iter().map(change).collect(),
                    cursor: feed.cursor.to_string(),
                    has_more: feed.has_more,
                }
            }
        }
    };
}

feed_of! {
    /// Changes of articles, in their order.
    ArticleChanges of ChangedArticle: RowView
}
feed_of! {
    /// Changes of materials, in their order.
    MaterialChanges of ChangedMaterial: MaterialView
}
feed_of! {
    /// Changes of warehouses, in their order.
    WarehouseChanges of ChangedWarehouse: FoundWarehouse
}
feed_of! {
    /// Changes of matchings, in their order.
    MatchingChanges of ChangedMatching: MatchingView
}
feed_of! {
    /// Changes of the prices of a list, in their order.
    ListPriceChanges of ChangedListPrice: EntryView
}

/// Changes of stocks, in their order.
#[derive(Serialize, ToSchema)]
struct StockChanges {
    data: Vec<StockChange>,
    /// Cursor for `since` in the next call.
    #[schema(example = "1042")]
    cursor: String,
    /// True if there may be more changes: call again without waiting. False if the feed was read to its end.
    has_more: bool,
}

/// Stock that was created, changed or deleted.
#[derive(Serialize, ToSchema)]
struct StockChange {
    /// Id of the stock.
    id: i64,
    /// True if the stock was deleted.
    deleted: bool,
    /// Name of a deleted stock.
    #[schema(required, example = "HEB-200-S235JR-12.1, DU")]
    name: Option<String>,
    /// Present stock.
    #[schema(required)]
    stock: Option<StockLevelView>,
    /// Present prices, for a caller who may see them.
    #[schema(required)]
    listing: Option<PriceView>,
}

/// Cursor up to which a program has read.
struct Since(i64);

/// Reads a feed; `load` returns the records with these ids that the caller sees, at the time of the feed.
async fn read<E: Recorded, V>(
    db: &Database,
    stream: Stream,
    Since(since): Since,
    load: impl AsyncFnOnce(&Snapshot, Vec<i64>) -> Result<Vec<(i64, V)>>,
) -> Result<Feed<V>> {
    let change_feed::Changes { changes, cursor, has_more, snapshot } =
        change_feed::since::<E>(db, stream, since).await?;
    let present_ids = changes.iter().filter(|change| change.deleted_name.is_none()).map(|change| change.id);
    let mut records: HashMap<i64, V> = load(&snapshot, present_ids.collect()).await?.into_iter().collect();
    let with_record = |change: RowChange| {
        // a row that was deleted and restored occurs twice
        let record = if change.deleted_name.is_none() { records.remove(&change.id) } else { None };
        (change, record)
    };
    Ok(Feed { changes: changes.into_iter().map(with_record).collect(), cursor, has_more })
}

/// Loads records with these ids that the caller sees, each with its id.
async fn views<R: Detailed<Snapshot>, V: From<R::Detail>>(
    snapshot: &Snapshot,
    scope: &Scope,
    ids: Vec<i64>,
    id_of: fn(&R::Model) -> i64,
) -> Result<Vec<(i64, V)>> {
    let rows = scope.find::<R>().filter(R::ID.is_in(ids)).all(snapshot).await?;
    let ids: Vec<i64> = rows.iter().map(id_of).collect();
    let views = R::detailed(snapshot, scope, rows).await?.into_iter().map(V::from);
    Ok(ids.into_iter().zip(views).collect())
}

/// Reads the changes of stocks and their prices since a cursor, up to 500 at a time; without one, all stocks.
/// No change is skipped, regardless of concurrent writers; a stock that changes again is returned again in
/// its present state. Deletions are stored for 90 days: an older cursor is refused with 410 `cursor_expired`,
/// and the program must read all stocks again.
#[utoipa::path(get, path = "/api/v1/changes")]
async fn changes(
    by: Authorized<logistics::may::ListStocks>,
    Db(db): Db,
    since: Since,
) -> Answer<WithEtag<OkJson<StockChanges>>> {
    let scope = by.scope();
    let load = async |snapshot: &Snapshot, ids: Vec<i64>| {
        let rows = scope.find::<Stocks>().filter(stock::Column::Id.is_in(ids.clone())).all(snapshot).await?;
        let stocks = stock::detailed(snapshot, scope, rows).await?;
        let stocks = stocks.into_iter().map(|detail| (detail.stock.id, StockLevelView::from(detail)));
        let mut listings: HashMap<i64, PriceView> = HashMap::new();
        if scope.may(pricing::permissions::LIST_PRICES) {
            let rows = scope.find::<Listings>().filter(listing::Column::Id.is_in(ids)).all(snapshot).await?;
            let details = load_listings(snapshot, scope, rows).await?.into_iter();
            listings.extend(details.map(|detail| (detail.listing.id, detail.into())));
        }
        Ok(stocks.map(|(id, stock)| (id, (stock, listings.remove(&id)))).collect())
    };
    let feed = read::<Stocks, _>(&db, Stream::for_tenant(scope.tenant()?), since, load).await?;
    let change = |(change, record): (RowChange, Option<(StockLevelView, Option<PriceView>)>)| {
        let (stock, listing) = record.unzip();
        StockChange {
            id: change.id,
            deleted: stock.is_none(),
            name: change.deleted_name,
            stock,
            listing: listing.flatten(),
        }
    };
    Ok(with_etag(StockChanges {
        data: feed.changes.into_iter().map(change).collect(),
        cursor: feed.cursor.to_string(),
        has_more: feed.has_more,
    }))
}

/// Reads the changes of articles since a cursor, like the feed of stocks. An article has its type and
/// material by name; renaming these changes only the articles whose own number or name changes with it.
#[utoipa::path(get, path = "/api/v1/changes/articles")]
async fn article_changes(
    by: AnyUser,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    since: Since,
) -> Answer<WithEtag<OkJson<ArticleChanges>>> {
    let load = async |snapshot: &Snapshot, ids: Vec<i64>| {
        let rows = article::find_many(&db, snapshot, by.scope(), ids).await?;
        Ok(rows.into_iter().map(|row| (row.id, RowView::new(row, request.language))).collect())
    };
    Ok(with_etag(read::<Articles, _>(&db, Stream::PLATFORM, since, load).await?.into()))
}

/// Reads the changes of materials since a cursor, like the feed of stocks.
#[utoipa::path(get, path = "/api/v1/changes/materials")]
async fn material_changes(
    by: Authorized<catalog::may::ListMaterials>,
    Db(db): Db,
    since: Since,
) -> Answer<WithEtag<OkJson<MaterialChanges>>> {
    let load = async |snapshot: &Snapshot, ids: Vec<i64>| {
        views::<Materials, _>(snapshot, by.scope(), ids, |row| row.id).await
    };
    Ok(with_etag(read::<Materials, _>(&db, Stream::PLATFORM, since, load).await?.into()))
}

/// Reads the changes of the tenant's warehouses since a cursor, like the feed of stocks.
#[utoipa::path(get, path = "/api/v1/changes/warehouses")]
async fn warehouse_changes(
    by: AnyUser,
    Db(db): Db,
    since: Since,
) -> Answer<WithEtag<OkJson<WarehouseChanges>>> {
    let stream = Stream::for_tenant(by.scope().tenant()?);
    let load = async |snapshot: &Snapshot, ids: Vec<i64>| {
        let warehouses = lookup::find_warehouses(snapshot, by.scope(), Some(ids)).await?;
        Ok(warehouses.into_iter().map(|warehouse| (warehouse.id, warehouse)).collect())
    };
    Ok(with_etag(read::<Warehouses, _>(&db, stream, since, load).await?.into()))
}

/// Reads the changes of the tenant's matchings since a cursor, like the feed of stocks.
#[utoipa::path(get, path = "/api/v1/changes/matchings")]
async fn matching_changes(
    by: Authorized<logistics::may::ListMatchings>,
    Db(db): Db,
    since: Since,
) -> Answer<WithEtag<OkJson<MatchingChanges>>> {
    let stream = Stream::for_tenant(by.scope().tenant()?);
    let load = async |snapshot: &Snapshot, ids: Vec<i64>| {
        views::<Matchings, _>(snapshot, by.scope(), ids, |row| row.id).await
    };
    Ok(with_etag(read::<Matchings, _>(&db, stream, since, load).await?.into()))
}

/// Reads the changes of the prices of a list since a cursor, like the feed of stocks. A price that the caller
/// does not see any more counts as deleted; a list that was deleted or is not visible to the caller any more
/// is answered with 404.
#[utoipa::path(get, path = "/api/v1/changes/price-lists/{id}")]
async fn price_list_changes(
    by: Authorized<pricing::may::ViewPriceList>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    since: Since,
) -> Answer<WithEtag<OkJson<ListPriceChanges>>> {
    let scope = by.scope();
    let list = scope.get::<PriceLists>(&db, id).await?;
    let load = async |snapshot: &Snapshot, ids: Vec<i64>| {
        let rows = price_list_entry::find_many(snapshot, scope, &list, ids).await?;
        let ids: Vec<i64> = rows.iter().map(|row| row.entry.id).collect();
        let rows = rows.into_iter().map(EntryRow::from).collect();
        let views = load_views(snapshot, scope, rows, request.language).await?;
        Ok(ids.into_iter().zip(views).collect())
    };
    let stream = Stream::for_part(list.owner_tenant_id, list.id);
    Ok(with_etag(read::<Entries, _>(&db, stream, since, load).await?.into()))
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
                (SINCE, Some(_)) if since.is_some() => violations.add(SINCE, codes::DUPLICATE_PARAMETER),
                (SINCE, Some(number)) => since = Some(number),
                (SINCE, None) => violations.add(SINCE, codes::INVALID_PARAMETER.with("expected", "1042")),
                _ => violations.add(name, codes::UNKNOWN_PARAMETER.with("known", SINCE)),
            }
        }
        ready(violations.check().map(|()| Self(since.unwrap_or_default())).map_err(Refusal))
    }
}

impl Input for Since {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let about = "`cursor` of the previous answer; everything if omitted";
        contract::query_parameter(operation, SINCE, about, contract::text());
    }
}
