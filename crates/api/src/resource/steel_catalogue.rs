//! The steel catalogue over HTTP: fills an installation with the master data of the trade.

use catalog::may;
use http_api::{
    access::{Authorized, InSession},
    answer::{OkJson, Unpaged, ok_json},
    input::{Body, Db},
    publish,
    routes::{Answer, Routes},
};
use serde::{Deserialize, Serialize};
use store::deadline;
use utoipa::ToSchema;
use values::Violations;

use crate::{
    codes,
    steel_catalogue::{self, Part},
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "steel_catalogue": fill);
}

/// Parts of the steel catalogue to be created.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SteelCatalogueInput)]
struct PartsInput {
    /// Parts to create; article types include their attributes.
    #[schema(min_items = 1, max_items = 5)]
    parts: Vec<Part>,
}

/// Number of records that were created.
#[derive(Serialize, ToSchema)]
#[schema(as = SteelCatalogueCount)]
struct CountView {
    part: Part,
    /// Number of new records; existing records of the same name stay unchanged and are not counted.
    #[schema(example = 23)]
    created: u64,
}

/// Creates parts of the steel catalogue: materials, attributes with standard sections, commercial lengths,
/// article types with their groups, processings. Records whose names exist stay unchanged.
#[utoipa::path(post, path = "/api/admin/steel-catalogue")]
async fn fill(
    by: InSession<Authorized<may::CreateArticleType>>,
    Db(db): Db,
    Body(PartsInput { parts }): Body<PartsInput>,
) -> Answer<OkJson<Unpaged<CountView>>> {
    match parts.len() {
        0 => return Err(Violations::error("parts", codes::TOO_FEW.with("min", 1)).into()),
        count if count > Part::ALL.len() => {
            return Err(Violations::error("parts", codes::TOO_MANY.with("max", Part::ALL.len())).into());
        }
        _ => {}
    }
    if by.scope().home().is_some() {
        return Err(codes::PLATFORM_ONLY.into());
    }
    by.require_permission::<may::CreateArticleTypeGroup>()?;
    by.require_permission::<may::CreateAttribute>()?;
    by.require_permission::<may::CreateMaterial>()?;
    by.require_permission::<may::CreateTradeDimension>()?;
    by.require_permission::<may::CreateProcessing>()?;
    deadline::extend(deadline::MANY_RECORDS);
    let created = steel_catalogue::fill(&db, by.scope(), &parts).await?;
    let data = created.into_iter().map(|(part, created)| CountView { part, created }).collect();
    Ok(ok_json(Unpaged { data }))
}
