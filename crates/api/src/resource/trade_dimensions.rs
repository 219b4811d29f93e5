//! Commercial lengths over HTTP.

use catalog::{
    may,
    trade_dimension::{Cluster, TradeDimension, TradeDimensionDetail, TradeDimensions, metres},
};
use http_api::{
    access::Authorized,
    answer::Download,
    export::{Column, Export, time},
    publish,
    routes::{Answer, Routes},
};
use lists::Detailed;
use store::Database;
use values::Decimal;

use crate::resource::{
    crud::{operations, view_of},
    search::findable,
    texts_of,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<TradeDimensions>(routes, "/api/admin/trade-dimensions")
        .list::<may::ListTradeDimensions>("Lists commercial lengths.")
        .create::<may::CreateTradeDimension>("Creates a commercial length.")
        .view::<may::ViewTradeDimension>("Shows a commercial length.")
        .update::<may::UpdateTradeDimension>(
            "Changes a commercial length; its ranges are replaced as a whole.",
        )
        .delete::<may::DeleteTradeDimension>("Deletes a commercial length that nothing uses.")
        .bulk_delete::<may::DeleteTradeDimension>(
            "Deletes many commercial lengths and leaves those that are in use.",
        )
        .usage::<may::ViewTradeDimension>("Shows where a commercial length is used.");
    publish!(routes, TradeDimensions: export);
}

view_of! {
    /// Ladder of length ranges; article numbers contain the one that an article's length falls into.
    TradeDimensionView as TradeDimension, of detail: TradeDimensionDetail, row detail.trade_dimension;
    /// Unique, ignoring case.
    #[schema(example = "Längen von Trägern")]
    name: String = detail.trade_dimension.name,
    /// Length ranges from the lowest to the highest. Each begins where the one below it ends.
    clusters: Vec<ClusterView> = detail.ladder.clusters().iter().map(ClusterView::from).collect(),
}

view_of! {
    /// One length range: from `minimum` to below `maximum`. The highest one includes its maximum.
    part ClusterView as Cluster, of cluster: &Cluster;
    /// Unique within the commercial length, ignoring case.
    #[schema(example = "L12")]
    short_code: String = cluster.short_code.clone(),
    /// Lower limit in m; `null` only for the lowest range, if it is open below.
    #[schema(required)]
    minimum: Option<Decimal> = cluster.minimum.map(metres),
    /// Upper limit in m; `null` only for the highest range, if it is open above.
    #[schema(required)]
    maximum: Option<Decimal> = cluster.maximum.map(metres),
    /// Length that is charged, in m.
    calculation_value: Decimal = metres(cluster.calculation_value),
}

impl HasView for TradeDimensions {
    type Source = Database;
    type View = TradeDimensionView;
}

findable!(TradeDimensions, _row => None);

const COLUMNS: &[Column<(TradeDimension, ClusterView)>] = &[
    ("name", |(dimension, _), _| dimension.name.as_str().into()),
    ("clusters_short_code", |(_, cluster), _| cluster.short_code.as_str().into()),
    ("clusters_minimum [m]", |(_, cluster), _| cluster.minimum.into()),
    ("clusters_maximum [m]", |(_, cluster), _| cluster.maximum.into()),
    ("clusters_calculation_value [m]", |(_, cluster), _| cluster.calculation_value.into()),
    ("updated_at", |(dimension, _), _| time(dimension.updated_at)),
];

/// Exports all commercial lengths that match the filters, one line for each range.
#[utoipa::path(get, path = "/api/admin/trade-dimensions/export")]
async fn export(
    by: Authorized<may::ListTradeDimensions>,
    export: Export<TradeDimensions>,
) -> Answer<Download> {
    let ranges = async |db: &_, rows| {
        let clusters_of = |TradeDimensionDetail { trade_dimension, ladder }: TradeDimensionDetail| {
            let clusters: Vec<_> = ladder.clusters().iter().map(ClusterView::from).collect();
            clusters.into_iter().map(move |cluster| (trade_dimension.clone(), cluster))
        };
        Ok(TradeDimensions::detailed(db, by.scope(), rows).await?.into_iter().flat_map(clusters_of).collect())
    };
    Ok(export.table(by.scope(), texts_of::<TradeDimensions>()?, COLUMNS, ranges).await?)
}
