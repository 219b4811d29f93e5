//! Impact of a price list, over HTTP.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::OkJson,
    bulk::{self, Filters, Selection},
    input::{Body, Id},
    publish,
    routes::{Answer, Routes},
};
use lists::Deletable;
use pricing::{
    impact::{ListChange, list_impact},
    may,
    price_list::{PriceListInput, PriceLists, copy::CopyInput},
    price_list_entry::{EntriesInput, EntryInput},
};
use serde::Deserialize;
use store::Database;
use utoipa::ToSchema;
use values::Violations;

use crate::{
    codes,
    resource::impact::{ImpactCalculator, ImpactView, moment},
    state::State,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, PriceLists: impact, deletion_impact);
}

/// Change of a price list as it would be saved: its head, prices, or both; a copy to be made of it; archiving
/// or deleting it. Without any of these, the impact of the list itself is requested.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListImpactInput, example = json!({ "prices": [{ "article_number": "HEB-200-S235JR",
    "price": { "price": "985", "unit": "t" } }] }))]
struct ImpactInput {
    change: Option<PriceListInput>,
    /// Prices, each article once.
    #[schema(min_items = 1, max_items = 5000)]
    prices: Option<Vec<EntryInput>>,
    copy: Option<CopyInput>,
    /// True to archive it: it ends immediately.
    #[serde(default)]
    archive: bool,
    /// True to delete it with its prices.
    #[serde(default)]
    delete: bool,
    /// Single time at which prices are compared. By default now, or the beginning of the list or of its copy if
    /// that is later, and all times that the change names.
    at: Option<DateTime<Utc>>,
}

/// Previews the impact of a change of a price list, or that of the list itself compared to the same seller
/// without it. Nothing is changed; a change that would be refused is refused here, too. The caller must own
/// the list and needs the permission for the change, and for seeing prices.
#[utoipa::path(post, path = "/api/admin/price-lists/{id}/impact")]
async fn impact(
    by: Authorized<may::ViewPriceList>,
    impacts: ImpactCalculator,
    Id(id): Id,
    Body(ImpactInput { change, prices, copy, archive, delete, at }): Body<ImpactInput>,
) -> Answer<OkJson<ImpactView>> {
    by.require_permission::<may::ViewPrice>()?;
    if delete && (change.is_some() || prices.is_some() || copy.is_some() || archive) {
        return Err(Violations::error("delete", codes::ONE_CHANGE).into());
    }
    let change = match (change, prices, copy, archive) {
        (None, None, None, false) if delete => {
            by.require_permission::<may::DeletePriceList>()?;
            ListChange::Deleted
        }
        (None, None, None, false) => ListChange::Presence,
        (None, None, None, true) => {
            by.require_permission::<may::UpdatePriceList>()?;
            ListChange::Archived
        }
        (None, None, Some(copy), false) => {
            by.require_permission::<may::CreatePriceList>()?;
            if copy.ends_original {
                by.require_permission::<may::UpdatePriceList>()?;
            }
            ListChange::Copied(copy.into())
        }
        (head, prices, None, false) => {
            by.require_permission::<may::UpdatePriceList>()?;
            let prices = prices.map(|prices| EntriesInput { prices, keep_bulk_prices: None }.into());
            ListChange::Amended { head: head.map(PriceListInput::into), prices }
        }
        (.., true) => return Err(Violations::error("archive", codes::ONE_CHANGE).into()),
        _ => return Err(Violations::error("copy", codes::ONE_CHANGE).into()),
    };
    let at = moment(at)?;
    let calculate =
        async |state: &State| list_impact(&state.db, by.scope(), state.calculator(), id, change, at).await;
    impacts.answer(calculate).await
}

/// Previews the impact of deleting many price lists on the prices of the acting tenant. Lists that cannot be
/// deleted are left out. Nothing is changed. Needs the permissions for the deletion, and for seeing the lists
/// and prices.
#[utoipa::path(post, path = "/api/admin/price-lists/bulk-delete/impact")]
async fn deletion_impact(
    by: Authorized<may::DeletePriceList>,
    impacts: ImpactCalculator,
    filters: Filters<PriceLists>,
    Body(selection): Body<Selection>,
) -> Answer<OkJson<ImpactView>> {
    by.require_permission::<may::ViewPriceList>()?;
    by.require_permission::<may::ViewPrice>()?;
    let scope = by.scope();
    let change = async |db: &Database| {
        let delete = async |id, _: &str| PriceLists::delete(db, scope, id).await;
        bulk::apply_to_each(db, scope, &filters, &selection, impacts.request.language, delete).await?;
        Ok(0)
    };
    impacts.rehearse(scope, scope.tenant()?, change).await
}
