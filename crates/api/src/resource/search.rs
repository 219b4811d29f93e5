//! Global search of the admin area: records of all kinds that the caller may list, best matches first.

use std::{borrow::Cow, pin::Pin};

use http_api::{
    access::{Authorized, InSession},
    answer::{OkJson, Unpaged, ok_json},
    input::{Db, SEARCHED_TEXT, SearchedText},
    publish,
    routes::{Answer, Routes},
};
use lists::{ListQuery, Listed, list::Rank};
use sea_orm::FromQueryResult;
use serde::Serialize;
use store::{Database, Recorded, Scope};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};
use values::{Result, may};

use crate::resource::ALL;

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "search": search);
}

/// A resource with records in the global search, found by the search of their list. `findable!` implements
/// it.
pub(crate) trait Findable: Listed + Recorded<Model: FromQueryResult + Send + Sync> + 'static {
    /// Returns a text for each row that distinguishes it from others of the same name, in the same order.
    async fn details(db: &Database, scope: &Scope, rows: Vec<Self::Model>) -> Result<Vec<Option<String>>>;

    /// Scope with which the caller reads.
    fn reading_scope(scope: &Scope) -> Scope {
        *scope
    }
}

/// Implements [`Findable`]: `findable!(Materials, row => row.material_number)` gives the text beside a row's
/// name; with `of` it is taken from the detail.
macro_rules! findable {
    ($table:ty, $row:ident => $text:expr) => {
        impl $crate::resource::search::Findable for $table {
            async fn details(
                _: &store::Database,
                _: &store::Scope,
                rows: Vec<Self::Model>,
            ) -> values::Result<Vec<Option<String>>> {
                Ok(rows.into_iter().map(|$row| $text).collect())
            }

            fn reading_scope(scope: &store::Scope) -> store::Scope {
                <Self as $crate::resource::view::HasView>::reading_scope(scope)
            }
        }
    };
    ($table:ty, of $detail:ident => $text:expr) => {
        impl $crate::resource::search::Findable for $table {
            async fn details(
                db: &store::Database,
                scope: &store::Scope,
                rows: Vec<Self::Model>,
            ) -> values::Result<Vec<Option<String>>> {
                let details = <Self as lists::Detailed<store::Database>>::detailed(db, scope, rows).await?;
                Ok(details.into_iter().map(|$detail| $text).collect())
            }

            fn reading_scope(scope: &store::Scope) -> store::Scope {
                <Self as $crate::resource::view::HasView>::reading_scope(scope)
            }
        }
    };
}

pub(crate) use findable;

/// Function that finds records of one resource.
pub(crate) type Find = for<'a> fn(&'a Database, &'a Scope, &'a str) -> FindFuture<'a>;

type FindFuture<'a> = Pin<Box<dyn Future<Output = Result<Option<FoundRecords>>> + 'a>>;

/// Maximum number of records of a resource in the results.
const HITS_MAX: u64 = 5;

/// Records of one resource that match a search.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundRecords)]
pub(crate) struct FoundRecords {
    resource: FoundResource,
    /// Number of all matches.
    #[schema(example = 12)]
    total: u64,
    /// First matches: exact names, then names that begin with the text, then the others in the order of their
    /// list.
    records: Vec<FoundRecord>,
    #[serde(skip)]
    rank: Rank,
}

/// Matching record.
#[derive(Serialize, ToSchema)]
struct FoundRecord {
    id: i64,
    #[schema(example = "HEB-200-S235JR")]
    name: String,
    /// Text that distinguishes it from others of the same name.
    #[schema(required, example = "Breitflanschträger HEB 200 S235JR")]
    detail: Option<String>,
}

/// Searches records of all kinds that the caller may list; kinds with an exact match come first. Kinds that
/// are listed for one tenant at a time are searched only once a tenant is selected.
#[utoipa::path(get, path = "/api/admin/search")]
async fn search(
    by: InSession<Authorized<may::AccessAdmin>>,
    Db(db): Db,
    SearchedText(text): SearchedText,
) -> Answer<OkJson<Unpaged<FoundRecords>>> {
    let mut data = Vec::new();
    for published in ALL {
        let Some(find) = published.find.filter(|_| by.caller.may(published.resource.list)) else { continue };
        data.extend(find(&db, by.scope(), &text).await?);
    }
    data.sort_by_key(|hit| hit.rank);
    Ok(ok_json(Unpaged { data }))
}

/// Searches the list of a resource.
pub(super) fn find<'a, E: Findable>(db: &'a Database, scope: &'a Scope, text: &'a str) -> FindFuture<'a> {
    Box::pin(async move {
        let scope = E::reading_scope(scope);
        let hits = ListQuery::<E>::hits(db, &scope, SEARCHED_TEXT, text, HITS_MAX).await?;
        let Some(rank) = hits.first.iter().map(|hit| hit.rank).min() else { return Ok(None) };
        let (names, rows): (Vec<_>, Vec<_>) =
            hits.first.into_iter().map(|hit| ((hit.id, hit.name), hit.row)).unzip();
        let details = E::details(db, &scope, rows).await?;
        // a short code or an e-mail address identifies a record like its name
        let rank = details.iter().flatten().map(|detail| Rank::new(text, detail)).fold(rank, Ord::min);
        let records = names.into_iter().zip(details);
        let records = records.map(|((id, name), detail)| FoundRecord { id, name, detail }).collect();
        Ok(Some(FoundRecords { resource: FoundResource(E::RESOURCE.name), total: hits.total, records, rank }))
    })
}

/// Resource with records in the search, by its name in the API.
#[derive(Serialize)]
#[serde(transparent)]
struct FoundResource(&'static str);

impl ToSchema for FoundResource {
    fn name() -> Cow<'static, str> {
        "FoundResource".into()
    }
}

impl PartialSchema for FoundResource {
    fn schema() -> RefOr<Schema> {
        let names = ALL.iter().filter(|published| published.find.is_some());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A resource whose records the search finds."))
            .enum_values(Some(names.map(|published| published.resource.name).collect::<Vec<_>>()))
            .into()
    }
}
