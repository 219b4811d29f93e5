//! The search of the whole admin area: what there is of each kind of records that the caller may list, the best first.

use std::{borrow::Cow, pin::Pin};

use kernel::{Database, ListQuery, Listed, Recorded, Result, Scope, list::Rank, may};
use sea_orm::FromQueryResult;
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::{
    http::{
        access::{Authorized, InSession},
        answer::{Shown, Unpaged, shown},
        input::{Db, SEARCHED_TEXT, SearchedText},
        routes::{Answer, Routes},
    },
    publish,
    resource::ALL,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "search": search);
}

/// A resource whose records the search finds, by the search of their list. `found!` implements it.
pub(crate) trait Findable: Listed + Recorded<Model: FromQueryResult + Send + Sync> + 'static {
    /// What tells each row from others of the same name, in the same order.
    async fn described(db: &Database, scope: &Scope, rows: Vec<Self::Model>) -> Result<Vec<Option<String>>>;

    /// As whom the caller reads.
    fn reader(scope: &Scope) -> Scope {
        *scope
    }
}

/// `found!(Materials, row => row.material_number)`: what is shown beside a row's name; `of` what is read besides the row.
macro_rules! found {
    ($table:ty, $row:ident => $text:expr) => {
        impl $crate::resource::search::Findable for $table {
            async fn described(
                _: &kernel::Database,
                _: &kernel::Scope,
                rows: Vec<Self::Model>,
            ) -> kernel::Result<Vec<Option<String>>> {
                Ok(rows.into_iter().map(|$row| $text).collect())
            }
        }
    };
    ($table:ty, of $detail:ident => $text:expr) => {
        impl $crate::resource::search::Findable for $table {
            async fn described(
                db: &kernel::Database,
                scope: &kernel::Scope,
                rows: Vec<Self::Model>,
            ) -> kernel::Result<Vec<Option<String>>> {
                let details = <Self as $crate::resource::crud::Readable>::detailed(db, scope, rows).await?;
                Ok(details.into_iter().map(|$detail| $text).collect())
            }

            fn reader(scope: &kernel::Scope) -> kernel::Scope {
                <Self as $crate::resource::crud::Readable>::reader(scope)
            }
        }
    };
}

pub(crate) use found;

/// Finds records of one resource.
pub(crate) type Find = for<'a> fn(&'a Database, &'a Scope, &'a str) -> Finding<'a>;

type Finding<'a> = Pin<Box<dyn Future<Output = Result<Option<Found>>> + 'a>>;

/// So many records of a resource are shown.
const SHOWN: u64 = 5;

/// The records of one resource that a search finds.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundRecords)]
pub(crate) struct Found {
    resource: FoundResource,
    /// How many there are.
    #[schema(example = 12)]
    total: u64,
    /// The first of them: those that are called so, those that begin so, then the others in the order of their list.
    records: Vec<FoundRecord>,
    #[serde(skip)]
    rank: Rank,
}

/// A record that was found.
#[derive(Serialize, ToSchema)]
struct FoundRecord {
    id: i64,
    #[schema(example = "HEB-200-S235JR")]
    name: String,
    /// What tells it from others of the same name.
    #[schema(required, example = "Breitflanschträger HEB 200 S235JR")]
    detail: Option<String>,
}

/// Finds records of all kinds that the caller may list, those kinds first of which a record is called exactly so. What is
/// listed for one tenant at a time is found once a tenant is chosen.
#[utoipa::path(get, path = "/api/admin/search")]
async fn search(
    by: InSession<Authorized<may::AccessAdmin>>,
    Db(db): Db,
    SearchedText(text): SearchedText,
) -> Answer<Shown<Unpaged<Found>>> {
    let mut data = Vec::new();
    for published in ALL {
        let Some(find) = published.find.filter(|_| by.caller.may(published.resource.list)) else { continue };
        data.extend(find(&db, by.scope(), &text).await?);
    }
    data.sort_by_key(|found| found.rank);
    Ok(shown(Unpaged { data }))
}

/// What the list of a resource finds.
pub(super) fn find<'a, E: Findable>(db: &'a Database, scope: &'a Scope, text: &'a str) -> Finding<'a> {
    Box::pin(async move {
        let scope = E::reader(scope);
        let hits = ListQuery::<E>::hits(db, &scope, SEARCHED_TEXT, text, SHOWN).await?;
        let Some(rank) = hits.first.iter().map(|hit| hit.rank).min() else { return Ok(None) };
        let (named, rows): (Vec<_>, Vec<_>) =
            hits.first.into_iter().map(|hit| ((hit.id, hit.name), hit.row)).unzip();
        let details = E::described(db, &scope, rows).await?;
        // who types a short code or an e-mail address means it as well
        let rank = details.iter().flatten().map(|detail| Rank::of(text, detail)).fold(rank, Ord::min);
        let records = named.into_iter().zip(details);
        let records = records.map(|((id, name), detail)| FoundRecord { id, name, detail }).collect();
        Ok(Some(Found { resource: FoundResource(E::RESOURCE.name), total: hits.total, records, rank }))
    })
}

/// A resource whose records the search finds, by its name on the wire.
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
