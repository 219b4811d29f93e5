//! Price lists for programs: readable for their owners and audience, and written by numbers that both sides
//! know.

use http_api::{
    access::Authorized,
    answer::{OkJson, OkPage, ok_json, ok_page},
    etag::WithEtag,
    input::{Db, Id, List, RequestInfo},
    items::{Items, RawItem},
    publish,
    repeatable::{Repeatable, StoredAnswer},
    routes::{Answer, Routes},
};
use lists::Detailed;
use pricing::{
    price_list::{self, PriceLists},
    price_list_entry::{
        self, Entries,
        import::PriceListImporter,
        items::{self as price_list_items, PriceListItem},
    },
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::put::{ItemResults, PutCall, check_count, check_tiers};
use crate::resource::{
    price_list_prices::{EntryView, load_views},
    price_lists::PriceListView,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": price_lists, price_list, prices_of_list, put_prices_of_list);
}

/// Prices of a list by the numbers of their articles.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PriceListItems {
    /// Prices, each article once.
    #[schema(min_items = 1, max_items = 1_000)]
    #[schema(value_type = Vec<PriceListItem>)]
    items: Vec<RawItem<PriceListItem>>,
    /// True to check and report everything without writing.
    #[serde(default)]
    dry_run: bool,
}

/// Lists the price lists of the caller's company and its groups, and other sales lists that apply to it and
/// have begun or are announced.
#[utoipa::path(get, path = "/api/v1/price-lists")]
async fn price_lists(
    by: Authorized<pricing::may::ListPriceLists>,
    Db(db): Db,
    List(query): List<PriceLists>,
) -> Answer<WithEtag<OkPage<PriceListView>>> {
    let page = query.fetch(&db, by.scope(), |select| select).await?;
    let page = page.detailed(async |rows| PriceLists::detailed(&db, by.scope(), rows).await).await?;
    Ok(WithEtag(ok_page(page)))
}

/// Shows a price list.
#[utoipa::path(get, path = "/api/v1/price-lists/{id}")]
async fn price_list(
    by: Authorized<pricing::may::ViewPriceList>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<OkJson<PriceListView>> {
    Ok(ok_json(price_list::view(&db, by.scope(), id).await?))
}

/// Lists the prices of a price list.
#[utoipa::path(get, path = "/api/v1/price-lists/{id}/prices")]
async fn prices_of_list(
    by: Authorized<pricing::may::ViewPriceList>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    List(query): List<Entries>,
) -> Answer<WithEtag<OkPage<EntryView>>> {
    let page = price_list_entry::list(&db, by.scope(), id, &query).await?;
    let page = page.detailed(async |rows| load_views(&db, by.scope(), rows, request.language).await).await?;
    Ok(WithEtag(ok_page(page)))
}

/// Sets the prices of up to 1,000 articles in a price list of the caller; missing articles are added. Each
/// item is accepted, refused, or under review if it looks like a mistake; all accepted ones are written
/// together. Needs the permissions for an upload of the type `PriceList`.
#[utoipa::path(put, path = "/api/v1/price-lists/{id}/prices")]
async fn put_prices_of_list(
    by: Authorized<imports::may::CreateImport>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    call: Repeatable<PriceListItems>,
) -> Answer<StoredAnswer<ItemResults>> {
    let Repeatable { input: PriceListItems { items, dry_run }, key } = call;
    check_count(items.len())?;
    let Items { read, refused } = Items::read(&items, |item: &PriceListItem, violations| {
        check_tiers(violations, "bulk_prices", &item.bulk_prices);
    })?;
    by.scope().get::<PriceLists>(&db, id).await?;
    let call = PutCall { db: &db, scope: by.scope(), language: request.language, key, dry_run, refused };
    Ok(call.run_for_list::<PriceListImporter>(id, price_list_items::table(&read)).await?)
}
