//! Trading partners over HTTP: the companies that can be named as customers and sellers.

mod terms;

use http_api::{
    access::AuthorizedByAny,
    answer::{OkJson, OkPage, ok_json, ok_page},
    input::{Db, Id, List},
    publish,
    routes::{Answer, Routes},
};
use serde::Serialize;
use tenancy::partner::{NamesPartners, Partner, Partners};
use utoipa::ToSchema;

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "partners": list, view);
    terms::routes(routes);
}

/// Company that trades on the platform, as others see it.
#[derive(Serialize, ToSchema)]
#[schema(as = Partner)]
struct PartnerView {
    id: i64,
    #[schema(example = "Nordstahl Handel GmbH")]
    company: String,
    /// Unique, ignoring case.
    #[schema(example = "NORD")]
    short_code: String,
    /// Town of its address; `null` if the address does not contain it.
    #[schema(required, example = "Duisburg")]
    place: Option<String>,
}

impl From<Partner> for PartnerView {
    fn from(Partner { id, company, short_code, place, .. }: Partner) -> Self {
        Self { id, company, short_code, place }
    }
}

/// Lists the companies that the caller can name as customers and sellers, their own included. The operator
/// can restrict them to members of common groups.
#[utoipa::path(get, path = "/api/admin/partners")]
async fn list(
    by: AuthorizedByAny<NamesPartners>,
    Db(db): Db,
    List(query): List<Partners>,
) -> Answer<OkPage<PartnerView>> {
    let page = query.fetch::<Partner>(&db, by.scope(), |select| select).await?;
    Ok(ok_page(page))
}

/// Shows a company that the caller can name as a customer or seller.
#[utoipa::path(get, path = "/api/admin/partners/{id}")]
async fn view(by: AuthorizedByAny<NamesPartners>, Db(db): Db, Id(id): Id) -> Answer<OkJson<PartnerView>> {
    Ok(ok_json(by.scope().get::<Partners>(&db, id).await?))
}
