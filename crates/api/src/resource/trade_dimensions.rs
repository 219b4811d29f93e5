//! Trade dimensions over HTTP.

use catalog::trade_dimension::{
    self, Cluster, TradeDimension, TradeDimensionDetail, TradeDimensionInput, TradeDimensions, metres,
};
use chrono::{DateTime, Utc};
use kernel::{Decimal, in_use::Usage, may, usage};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, shown},
        bulk::{self, BulkOutcome, Matching, Selection},
        export::{Export, Table, time},
        input::{About, Body, Db, Id, List},
        routes::{Answer, Routes},
    },
    publish, words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, TradeDimensions: list, export, create, view, update, delete, bulk_delete, usage);
}

/// A ladder of length ranges; article numbers name the one that an article's length falls into.
#[derive(Serialize, ToSchema)]
#[schema(as = TradeDimension)]
struct TradeDimensionView {
    id: i64,
    /// Unique, whatever its case.
    name: String,
    /// Length ranges from the lowest to the highest. Each begins where the one below it ends.
    clusters: Vec<ClusterView>,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// One length range: from `minimum` to below `maximum`. The highest one includes its maximum.
#[derive(Serialize, ToSchema)]
#[schema(as = Cluster)]
struct ClusterView {
    /// Unique within the trade dimension, whatever its case.
    short_code: String,
    /// m. None only for the lowest range, if it is open below.
    #[schema(required)]
    minimum: Option<Decimal>,
    /// m. None only for the highest range, if it is open above.
    #[schema(required)]
    maximum: Option<Decimal>,
    /// m: the length that is charged.
    calculation_value: Decimal,
}

impl From<TradeDimensionDetail> for TradeDimensionView {
    fn from(TradeDimensionDetail { trade_dimension, ladder }: TradeDimensionDetail) -> Self {
        let TradeDimension { id, name, version, created_at, updated_at, .. } = trade_dimension;
        let clusters = ladder.clusters().iter().cloned().map(ClusterView::from).collect();
        Self { id, name, clusters, version, created_at, updated_at }
    }
}

impl From<Cluster> for ClusterView {
    fn from(Cluster { short_code, minimum, maximum, calculation_value }: Cluster) -> Self {
        Self {
            short_code,
            minimum: minimum.map(metres),
            maximum: maximum.map(metres),
            calculation_value: metres(calculation_value),
        }
    }
}

/// Lists trade dimensions.
#[utoipa::path(get, path = "/api/admin/trade-dimensions")]
async fn list(
    by: Authorized<may::ListTradeDimensions>,
    Db(db): Db,
    List(query): List<TradeDimensions>,
) -> Answer<Listing<TradeDimensionView>> {
    Ok(listing(trade_dimension::list(&db, by.scope(), &query).await?))
}

/// Exports all trade dimensions that the filters match, a line for each range.
#[utoipa::path(get, path = "/api/admin/trade-dimensions/export")]
async fn export(
    by: Authorized<may::ListTradeDimensions>,
    export: Export<TradeDimensions>,
) -> Answer<Download> {
    let table = Table {
        words: words!("tradeDimensions"),
        columns: &[
            ("name", |(of, _): &(TradeDimension, ClusterView), _| of.name.as_str().into()),
            ("clusters_short_code", |(_, cluster), _| cluster.short_code.as_str().into()),
            ("clusters_minimum [m]", |(_, cluster), _| cluster.minimum.into()),
            ("clusters_maximum [m]", |(_, cluster), _| cluster.maximum.into()),
            ("clusters_calculation_value [m]", |(_, cluster), _| cluster.calculation_value.into()),
            ("updated_at", |(of, _), _| time(of.updated_at)),
        ],
    };
    let ranges = async |db: &_, rows| {
        let of = |TradeDimensionDetail { trade_dimension, ladder }: TradeDimensionDetail| {
            let clusters = ladder.clusters().to_vec().into_iter();
            clusters.map(move |cluster| (trade_dimension.clone(), ClusterView::from(cluster)))
        };
        Ok(trade_dimension::detailed(db, by.scope(), rows).await?.into_iter().flat_map(of).collect())
    };
    Ok(export.table(by.scope(), &table, ranges).await?)
}

/// Creates a trade dimension.
#[utoipa::path(post, path = "/api/admin/trade-dimensions")]
async fn create(
    by: Authorized<may::CreateTradeDimension>,
    Db(db): Db,
    Body(input): Body<TradeDimensionInput>,
) -> Answer<Created<TradeDimensionView>> {
    Ok(created(trade_dimension::create(&db, by.scope(), input).await?))
}

/// Shows a trade dimension.
#[utoipa::path(get, path = "/api/admin/trade-dimensions/{id}")]
async fn view(
    by: Authorized<may::ViewTradeDimension>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<Shown<TradeDimensionView>> {
    Ok(shown(trade_dimension::get(&db, by.scope(), id).await?))
}

/// Changes a trade dimension; its ladder is replaced as a whole.
#[utoipa::path(put, path = "/api/admin/trade-dimensions/{id}")]
async fn update(
    by: Authorized<may::UpdateTradeDimension>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<TradeDimensionInput>,
) -> Answer<Shown<TradeDimensionView>> {
    Ok(shown(trade_dimension::update(&db, by.scope(), id, input).await?))
}

/// Deletes a trade dimension that nothing uses.
#[utoipa::path(delete, path = "/api/admin/trade-dimensions/{id}")]
async fn delete(by: Authorized<may::DeleteTradeDimension>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(trade_dimension::delete(&db, by.scope(), id).await?))
}

/// Deletes many trade dimensions, as far as each of them can be deleted.
#[utoipa::path(post, path = "/api/admin/trade-dimensions/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteTradeDimension>,
    Db(db): Db,
    About(request): About,
    matching: Matching<TradeDimensions>,
    Body(selection): Body<Selection>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| trade_dimension::delete(&db, by.scope(), id).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, trade_dimension::Column::Name, request.language, one)
            .await?,
    ))
}

/// Shows where a trade dimension is used.
#[utoipa::path(get, path = "/api/admin/trade-dimensions/{id}/usage")]
async fn usage(
    by: Authorized<may::ViewTradeDimension>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<Shown<Whole<Usage>>> {
    Ok(shown(usage::of::<TradeDimensions>(&db, by.scope(), id).await?))
}
