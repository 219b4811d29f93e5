//! Shipping legs: connections from node to node with their departures. There is at most one leg from one node
//! to another. Its name consists of both nodes' names and follows them.

mod both_directions;
pub mod departure_text;
pub mod departure_time;
pub mod entity;
pub mod import;
pub mod timetable;

use lists::{
    Creatable, Deletable, Detailed, Field, Listed, Managed, listed_reference,
    search::{self, SearchedColumns},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{LockType, Query, SelectStatement},
};
use serde::Deserialize;
use store::{CacheTopic, Database, Owner, Recorded, Resource, Scope, Scoped, Unique, Write, usage};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Error, Minutes, Phrase, Result, Validated, Violations, fold,
    rule::{clock_time, duration},
    tidy,
};

use self::timetable::{
    DEPARTURES_MAX, Departure, DepartureException, DepartureInput, EXCEPTIONS_MAX, ExceptionInput,
};
use super::node::{
    entity::Entity as ShippingNodes,
    name::{NodeName, lock_nodes, names},
};
use crate::{cache_topics, codes, permissions};

pub use self::{
    both_directions::{CreatedLegs, ShippingLegsInput, create_from},
    entity::{ActiveModel, Column, Entity as ShippingLegs, Model as ShippingLeg},
};

impl Scoped for ShippingLegs {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for ShippingLegs {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "shipping_legs",
        Phrase { de: "Versandstrecken", en: "shipping legs" },
        permissions::LIST_SHIPPING_NODES,
    )
    .refers(&[
        listed_reference::<Self, ShippingNodes>("sending_node_id"),
        listed_reference::<Self, ShippingNodes>("receiving_node_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::SHIPPING);
    const UNIQUE: &'static [Unique] =
        &[Unique::new("shipping_leg_pair_key", "receiving_node_id", codes::LEG_TAKEN)
            .over("shipping_leg_sending_node_id_receiving_node_id_key")];
    /// Columns left out of the history, because the nodes and the departures say the same.
    const UNNOTED: &'static [Column] = &[Column::Name, Column::DeparturesPerWeek];
}

impl Listed for ShippingLegs {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::search("search", &Column::NameFold, &SEARCHED),
        Field::id("sending_node_id", &Column::SendingNodeId),
        Field::id("receiving_node_id", &Column::ReceivingNodeId),
        Field::by_subquery("node_id", &Column::Id, at_nodes),
        Field::integer("travel_duration", &Column::TravelDuration),
        Field::integer("departures_per_week", &Column::DeparturesPerWeek),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[&Column::NameFold],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

/// Selects the legs that begin or end at one of these nodes.
fn at_nodes(nodes: Vec<i64>) -> SelectStatement {
    let mut legs = Query::select();
    legs.column(Column::Id).from(ShippingLegs).cond_where(begins_or_ends_at(&nodes));
    legs
}

fn begins_or_ends_at(nodes: &[i64]) -> Condition {
    Condition::any()
        .add(Column::SendingNodeId.is_in(nodes.iter().copied()))
        .add(Column::ReceivingNodeId.is_in(nodes.iter().copied()))
}

/// Input to create or change a shipping leg.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ShippingLegInput {
    pub sending_node_id: i64,
    /// Id of the receiving node; not the sending one. There is at most one leg from one node to another.
    pub receiving_node_id: i64,
    /// Preparation of goods before loading, in minutes.
    #[schema(value_type = Minutes)]
    pub preparation_duration: i64,
    /// Loading before the departure, in minutes.
    #[schema(value_type = Minutes)]
    pub loading_duration: i64,
    /// Travel from departure to arrival, in minutes; at least one.
    #[schema(value_type = Minutes)]
    pub travel_duration: i64,
    /// Unloading after the arrival, in minutes.
    #[schema(value_type = Minutes)]
    pub unloading_duration: i64,
    /// Time of day by which goods must be there, if that is earlier than preparation and loading require; a
    /// time later than that of the departure is on the day before.
    #[schema(value_type = Option<values::ClockTime>)]
    pub order_time: Option<String>,
    /// Departures of a week, each once.
    #[schema(value_type = Vec<Departure>, max_items = 100)]
    #[validate(length(max = DEPARTURES_MAX))]
    pub departures: Vec<DepartureInput>,
    /// Dates on which departures differ from those of the week.
    #[schema(value_type = Vec<DepartureException>, max_items = 400)]
    #[validate(length(max = EXCEPTIONS_MAX))]
    pub exceptions: Vec<ExceptionInput>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(ShippingLegInput: or_none order_time;);

/// Leg with the names of its nodes.
#[derive(Debug, Clone)]
pub struct ShippingLegDetail {
    pub leg: ShippingLeg,
    pub sending_node: NodeName,
    pub receiving_node: NodeName,
}

impl<C: ConnectionTrait> Detailed<C> for ShippingLegs {
    type Detail = ShippingLegDetail;

    /// Loads the names of the nodes of legs.
    async fn detailed(db: &C, scope: &Scope, legs: Vec<ShippingLeg>) -> Result<Vec<ShippingLegDetail>> {
        let both = legs.iter().flat_map(|leg| [leg.sending_node_id, leg.receiving_node_id]);
        let names = names(db, scope, both).await?;
        let name = |id| names.get(&id).cloned().unwrap_or_default();
        let detail = |leg: ShippingLeg| ShippingLegDetail {
            sending_node: name(leg.sending_node_id),
            receiving_node: name(leg.receiving_node_id),
            leg,
        };
        Ok(legs.into_iter().map(detail).collect())
    }
}

/// Loads the legs that begin or end at a node, sorted by name.
pub async fn find_by_node(
    db: &impl ConnectionTrait,
    scope: &Scope,
    node: i64,
) -> Result<Vec<ShippingLegDetail>> {
    scope.get::<ShippingNodes>(db, node).await?;
    let legs = scope.find::<ShippingLegs>().filter(begins_or_ends_at(&[node]));
    let legs = legs.order_by_asc(Column::NameSort).order_by_asc(Column::Id).all(db).await?;
    ShippingLegs::detailed(db, scope, legs).await
}

impl Managed for ShippingLegs {
    type Input = ShippingLegInput;

    /// Updates a leg.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<ShippingLegInput>>,
    ) -> Result<ShippingLegDetail> {
        scope.claim::<Self>()?;
        let input = input.into();
        let version = input.version;
        let draft = Draft::new(input);
        let tx = db.begin().await?;
        scope.refuse_change::<Self>(&tx, id, version).await?;
        let row = draft.row(&tx, scope).await?;
        let leg = scope.update::<Self>(&tx, id, version, row).await?;
        finish(tx, scope, leg).await
    }
}

impl Creatable for ShippingLegs {
    /// Creates a leg between two shipping nodes.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<ShippingLegInput>>,
    ) -> Result<ShippingLegDetail> {
        scope.claim::<Self>()?;
        let draft = Draft::new(input.into());
        let tx = db.begin().await?;
        let row = draft.row(&tx, scope).await?;
        let leg = scope.create::<Self>(&tx, row).await?;
        finish(tx, scope, leg).await
    }
}

impl Deletable for ShippingLegs {
    /// Deletes a leg.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Renames the legs of a node whose name this transaction has changed.
pub(super) async fn rename(tx: &Write, scope: &Scope, node: i64) -> Result<()> {
    let legs = scope.find::<ShippingLegs>().filter(begins_or_ends_at(&[node]));
    let legs = legs.order_by_asc(Column::Id).lock(LockType::NoKeyUpdate).all(tx).await?;
    for ShippingLegDetail { leg, sending_node, receiving_node } in
        ShippingLegs::detailed(tx, scope, legs).await?
    {
        let mut row = ActiveModel::default();
        set_name(&mut row, &sending_node, &receiving_node);
        scope.update_from::<ShippingLegs>(tx, &leg, row).await?;
    }
    Ok(())
}

fn between(mut row: ActiveModel, sending_node: &NodeName, receiving_node: &NodeName) -> ActiveModel {
    set_name(&mut row, sending_node, receiving_node);
    row.sending_node_id = Set(sending_node.id);
    row.receiving_node_id = Set(receiving_node.id);
    row
}

fn set_name(row: &mut ActiveModel, sending_node: &NodeName, receiving_node: &NodeName) {
    let name = format!("{} → {}", sending_node.name, receiving_node.name);
    row.name_fold = Set(fold(&name));
    row.name = Set(name);
}

async fn finish(tx: Write, scope: &Scope, leg: ShippingLeg) -> Result<ShippingLegDetail> {
    let detail = ShippingLegs::detailed(&tx, scope, vec![leg]).await?.remove(0);
    tx.commit().await?;
    Ok(detail)
}

/// Leg of an input, before its nodes are loaded.
struct Draft {
    row: ActiveModel,
    sending_node_id: i64,
    receiving_node_id: i64,
    violations: Violations,
}

impl Draft {
    fn new(input: Validated<ShippingLegInput>) -> Self {
        let (input, mut violations) = input.parts();
        let ShippingLegInput { sending_node_id, receiving_node_id, .. } = input;
        if sending_node_id == receiving_node_id {
            violations.add("receiving_node_id", codes::SAME_NODE);
        }
        let mut minutes = |field, minutes| duration(&mut violations, field, minutes).unwrap_or_default();
        let preparation = minutes("preparation_duration", input.preparation_duration);
        let loading = minutes("loading_duration", input.loading_duration);
        let travel = minutes("travel_duration", input.travel_duration);
        let unloading = minutes("unloading_duration", input.unloading_duration);
        if input.travel_duration == 0 {
            violations.add("travel_duration", codes::TRAVEL_TAKES_TIME);
        }
        let order_time = clock_time(&mut violations, "order_time", input.order_time.as_deref());
        let departures = timetable::departures(&mut violations, &input.departures);
        let exceptions = timetable::exceptions(&mut violations, &input.exceptions);
        let row = ActiveModel {
            preparation_duration: Set(preparation),
            loading_duration: Set(loading),
            travel_duration: Set(travel),
            unloading_duration: Set(unloading),
            order_time: Set(order_time),
            departures_per_week: Set(i64::try_from(departures.0.len()).unwrap_or(i64::MAX)),
            departures: Set(departures),
            exceptions: Set(exceptions),
            ..Default::default()
        };
        Self { row, sending_node_id, receiving_node_id, violations }
    }

    /// Converts the draft to a row and locks its nodes and their names until the transaction ends.
    async fn row(self, tx: &Write, scope: &Scope) -> Result<ActiveModel> {
        let Self { row, sending_node_id, receiving_node_id, mut violations } = self;
        let nodes = lock_nodes(tx, scope, [sending_node_id, receiving_node_id]).await?;
        let mut require_node = |field, id| {
            let node = nodes.get(&id);
            if node.is_none() {
                violations.add(field, codes::UNKNOWN_REFERENCE);
            }
            node
        };
        let ends = (
            require_node("sending_node_id", sending_node_id),
            require_node("receiving_node_id", receiving_node_id),
        );
        violations.check()?;
        let (Some(sending_node), Some(receiving_node)) = ends else { return Err(Error::not_found()) };
        Ok(between(row, sending_node, receiving_node))
    }

    /// Row of a leg between nodes that are locked.
    fn between(self, sending_node: &NodeName, receiving_node: &NodeName) -> ActiveModel {
        between(self.row, sending_node, receiving_node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_follow_the_shared_rules() {
        testkit::rules::check("shipping_leg.json", |input: ShippingLegInput| {
            Draft::new(input.into()).violations
        });
    }
}
