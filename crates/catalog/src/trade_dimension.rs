//! Commercial lengths: ladders of length ranges, called clusters. Every length between the ends falls into
//! exactly one of them; only the outermost ends may be open.

pub mod cluster_entity;
pub mod entity;

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use lists::{Deletable, Detailed, Field, Listed};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder};
use serde::{Deserialize, Serialize};
use store::{CacheTopic, Database, Owner, Part, Recorded, Resource, Scope, Scoped, Unique, Write, usage};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Code, Decimal, Phrase, Result, Unit, UnitCategory, Validated, Violations, fold,
    rule::{SHORT_CODE, distinct, positive, printable},
    tidy,
    unit::convert,
};

use self::cluster_entity::{self as cluster, Entity as Clusters};

pub use self::entity::{ActiveModel, Column, Entity as TradeDimensions, Model as TradeDimension};
use crate::{cache_topics, codes, permissions};

impl Scoped for TradeDimensions {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for TradeDimensions {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "trade_dimensions",
        Phrase { de: "Handelslängen", en: "trade dimensions" },
        permissions::LIST_TRADE_DIMENSIONS,
    );
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::CATALOGUE);
    const UNIQUE: &'static [Unique] = &[Unique::new("trade_dimension_name_fold_key", "name", codes::TAKEN)];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        scope.remove_parts::<Clusters>(tx, id, Condition::all()).await
    }
}

impl Part for Clusters {
    type Whole = TradeDimensions;
    const WHOLE: cluster::Column = cluster::Column::TradeDimensionId;
}

impl Listed for TradeDimensions {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

/// Unit of lengths in the API; they are stored in the base unit.
const WIRE: Unit = Unit::Metre;

const CLUSTERS_MIN: usize = 2;
const CLUSTERS_MAX: usize = 100;

/// Input to create or change a commercial length.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct TradeDimensionInput {
    /// Name; unique, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Handelslängen Träger")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Length ranges, in any order. Each begins where the one below it ends.
    #[schema(min_items = 2, max_items = 100, example = json!([
        { "short_code": "L6", "maximum": "6.1", "calculation_value": "6" },
        { "short_code": "L12", "minimum": "6.1", "maximum": "12.1", "calculation_value": "12" }
    ]))]
    #[validate(length(max = 100), nested)]
    pub clusters: Vec<ClusterInput>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

/// Length range from `minimum` to below `maximum`. The highest one includes its maximum.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterInput {
    /// Short code; unique within the commercial length, ignoring case. Consists of `A-Z a-z 0-9 - _ . ,`.
    #[schema(min_length = 1, max_length = 255, example = "L12")]
    #[validate(length(min = 1, max = 255), custom(function = printable), regex(path = *SHORT_CODE, code = "invalid_short_code"))]
    pub short_code: String,
    /// Lower end in m, to the millimetre; absent only for the lowest range.
    #[validate(custom(function = positive::<4, 3>))]
    pub minimum: Option<Decimal>,
    /// Upper end in m, to the millimetre; absent only for the highest range.
    #[validate(custom(function = positive::<4, 3>))]
    pub maximum: Option<Decimal>,
    /// Length that is charged, in m, to the millimetre.
    #[schema(value_type = Decimal)]
    #[validate(required, custom(function = positive::<4, 3>))]
    pub calculation_value: Option<Decimal>,
}

tidy!(TradeDimensionInput: trim name; parts clusters;);
tidy!(ClusterInput: trim short_code;);

/// Commercial length with its ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeDimensionDetail {
    pub trade_dimension: TradeDimension,
    pub ladder: Ladder,
}

/// Length ranges from the lowest to the highest, without gap or overlap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ladder(Vec<Cluster>);

/// Length range; lengths are in the base unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    pub short_code: String,
    pub minimum: Option<Decimal>,
    pub maximum: Option<Decimal>,
    pub calculation_value: Decimal,
}

/// Converts a stored length to metres, the unit of the API.
pub fn metres(length: Decimal) -> Decimal {
    convert(length, UnitCategory::Length.base(), WIRE).expect("a metre is longer than the base unit")
}

impl Cluster {
    /// Length that falls into the range: the one that is charged, if it does.
    pub fn inside(&self) -> Decimal {
        let Self { minimum, maximum, calculation_value, .. } = self;
        let reached = minimum.is_none_or(|minimum| minimum <= *calculation_value);
        let below = maximum.is_none_or(|maximum| *calculation_value < maximum);
        if reached && below {
            return *calculation_value;
        }
        minimum.or(maximum.and_then(|end| end.scaled(1, 2))).unwrap_or(*calculation_value)
    }
}

impl Ladder {
    /// Ranges, from the lowest to the highest.
    pub fn clusters(&self) -> &[Cluster] {
        &self.0
    }

    /// Finds the range of a length: `minimum <= length < maximum`; the highest one includes its maximum.
    pub fn cluster_of(&self, length: Decimal) -> Option<&Cluster> {
        let below = |cluster: &&Cluster| cluster.maximum.is_none_or(|maximum| length < maximum);
        let cluster = self
            .0
            .iter()
            .find(below)
            .or_else(|| self.0.last().filter(|highest| highest.maximum == Some(length)))?;
        let reached = match cluster.minimum {
            Some(minimum) => length >= minimum,
            None => length > Decimal::ZERO,
        };
        reached.then_some(cluster)
    }
}

impl<C: ConnectionTrait> Detailed<C> for TradeDimensions {
    type Detail = TradeDimensionDetail;

    /// Loads the ranges of commercial lengths; keeps the order.
    async fn detailed(db: &C, scope: &Scope, rows: Vec<TradeDimension>) -> Result<Vec<TradeDimensionDetail>> {
        let mut ladders = ladders(db, scope, rows.iter().map(|row| row.id)).await?;
        let detail = |trade_dimension: TradeDimension| TradeDimensionDetail {
            ladder: ladders.remove(&trade_dimension.id).unwrap_or_default(),
            trade_dimension,
        };
        Ok(rows.into_iter().map(detail).collect())
    }
}

/// Loads commercial lengths with their ranges, by id.
pub(crate) async fn by_id(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, TradeDimensionDetail>> {
    let ids: HashSet<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    // Rows first: ranges changed in between are then newer than the row's version, which is detected when it
    // is locked.
    let rows = scope.find::<TradeDimensions>().filter(Column::Id.is_in(ids)).all(db).await?;
    let details = TradeDimensions::detailed(db, scope, rows).await?;
    Ok(details.into_iter().map(|detail| (detail.trade_dimension.id, detail)).collect())
}

/// Loads the ranges of commercial lengths.
pub async fn ladders(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Ladder>> {
    let rows = scope.parts::<Clusters>(ids).order_by_asc(cluster::Column::Position).all(db).await?;
    let mut ladders = HashMap::<_, Ladder>::new();
    for row in rows {
        let cluster::Model { trade_dimension_id, short_code, minimum, maximum, calculation_value, .. } = row;
        let cluster = Cluster { short_code, minimum, maximum, calculation_value };
        ladders.entry(trade_dimension_id).or_default().0.push(cluster);
    }
    Ok(ladders)
}

impl Deletable for TradeDimensions {
    /// Deletes a commercial length. Refused while other records use it.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

pub(crate) fn rows(ladder: &Ladder) -> impl Iterator<Item = cluster::ActiveModel> {
    ladder.0.iter().zip(1..).map(|(cluster, position)| cluster::ActiveModel {
        position: Set(position),
        short_code: Set(cluster.short_code.clone()),
        short_code_fold: Set(fold(&cluster.short_code)),
        minimum: Set(cluster.minimum),
        maximum: Set(cluster.maximum),
        calculation_value: Set(cluster.calculation_value),
        ..Default::default()
    })
}

/// Validated input as rows.
pub(crate) struct TradeDimensionRows {
    pub version: Option<i64>,
    pub row: ActiveModel,
    pub ladder: Ladder,
}

pub(crate) fn check(input: Validated<TradeDimensionInput>) -> Result<TradeDimensionRows> {
    let (TradeDimensionInput { name, mut clusters, version }, mut violations) = input.parts();
    if clusters.len() > CLUSTERS_MAX {
        clusters.clear();
    } else if clusters.len() < CLUSTERS_MIN {
        violations.add("clusters", codes::TOO_FEW.with("min", CLUSTERS_MIN));
    }
    let mut ranges = Violations::new();
    for (index, cluster) in clusters.iter().enumerate() {
        if let (Some(minimum), Some(maximum)) = (cluster.minimum, cluster.maximum)
            && maximum <= minimum
        {
            ranges.add(format!("clusters.{index}.maximum"), codes::RANGE_REVERSED);
        }
    }
    let short_codes = clusters.iter().map(|cluster| &cluster.short_code);
    distinct(&mut violations, short_codes, |index| format!("clusters.{index}.short_code"));
    // Gaps and overlaps are checked only if every range is valid by itself.
    let upward = upward(&clusters);
    let is_end = |path: &str| path.ends_with(".minimum") || path.ends_with(".maximum");
    if ranges.is_empty() && !violations.iter().any(|violation| is_end(&violation.path)) {
        ladder_rules(&mut ranges, &upward);
    }
    violations.extend(ranges);
    violations.check()?;

    let ladder = Ladder(upward.into_iter().filter_map(|(_, cluster)| cluster.stored()).collect());
    let row = ActiveModel { name_fold: Set(fold(&name)), name: Set(name), ..Default::default() };
    Ok(TradeDimensionRows { version, row, ladder })
}

/// Ranges from the lowest to the highest, each with its index in the input.
fn upward(clusters: &[ClusterInput]) -> Vec<(usize, &ClusterInput)> {
    let mut upward: Vec<_> = clusters.iter().enumerate().collect();
    upward.sort_by(|(_, one), (_, other)| {
        let open_last = |maximum: Option<Decimal>| (maximum.is_none(), maximum);
        one.minimum.cmp(&other.minimum).then_with(|| open_last(one.maximum).cmp(&open_last(other.maximum)))
    });
    upward
}

/// Checks that there are no gaps or overlaps, and open ends only at the outermost ranges.
fn ladder_rules(violations: &mut Violations, upward: &[(usize, &ClusterInput)]) {
    let last = upward.len().saturating_sub(1);
    // End of the ranges so far, with the index and the range that reaches it.
    let mut reached: Option<(Decimal, usize, &ClusterInput)> = None;
    for (place, &(index, cluster)) in upward.iter().enumerate() {
        let path = |field: &str| format!("clusters.{index}.{field}");
        if place > 0 && cluster.minimum.is_none() {
            violations.add(path("minimum"), codes::OPEN_BELOW);
        }
        if place < last && cluster.maximum.is_none() {
            violations.add(path("maximum"), codes::OPEN_ABOVE);
        }
        if let (Some((end, below, range)), Some(minimum)) = (reached, cluster.minimum) {
            let neighbour = |code: Code| code.with("range", range.range_label(below));
            match minimum.cmp(&end) {
                Ordering::Less => violations.add(path("minimum"), neighbour(codes::RANGE_OVERLAP)),
                Ordering::Greater => violations.add(path("minimum"), neighbour(codes::RANGE_GAP)),
                Ordering::Equal => {}
            }
        }
        if let Some(maximum) = cluster.maximum
            && reached.is_none_or(|(end, ..)| maximum > end)
        {
            reached = Some((maximum, index, cluster));
        }
    }
}

impl ClusterInput {
    /// Short code, or the number of the range if it has none.
    fn range_label(&self, index: usize) -> String {
        if self.short_code.is_empty() { (index + 1).to_string() } else { self.short_code.clone() }
    }

    fn stored(&self) -> Option<Cluster> {
        let stored = |metres: Decimal| convert(metres, WIRE, UnitCategory::Length.base());
        Some(Cluster {
            short_code: self.short_code.clone(),
            minimum: self.minimum.and_then(stored),
            maximum: self.maximum.and_then(stored),
            calculation_value: stored(self.calculation_value?)?,
        })
    }
}

#[cfg(test)]
mod tests;
