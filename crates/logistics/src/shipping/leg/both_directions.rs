//! Creation of legs at their sending node, optionally with those in the opposite direction.

use lists::Detailed;
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};
use serde::Deserialize;
use store::{Database, Scope};
use utoipa::ToSchema;
use validator::Validate;
use values::{ClockTime, Minutes, Result, Validated, Violations, tidy};

use super::{
    Column, Draft, ShippingLegDetail, ShippingLegInput, ShippingLegs,
    timetable::{
        DEPARTURES_MAX, Departure, DepartureException, DepartureInput, EXCEPTIONS_MAX, ExceptionInput,
    },
};
use crate::{
    codes,
    shipping::node::{entity::Entity as ShippingNodes, name::lock_nodes},
};

/// Input to create a leg from a node, and optionally the one back.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ShippingLegsInput {
    /// Id of the receiving node; not the sending one. There is at most one leg from one node to another.
    pub receiving_node_id: i64,
    #[schema(value_type = Minutes)]
    pub preparation_duration: i64,
    #[schema(value_type = Minutes)]
    pub loading_duration: i64,
    #[schema(value_type = Minutes)]
    pub travel_duration: i64,
    #[schema(value_type = Minutes)]
    pub unloading_duration: i64,
    #[schema(value_type = Option<ClockTime>)]
    pub order_time: Option<String>,
    #[schema(value_type = Vec<Departure>, max_items = 100)]
    #[validate(length(max = DEPARTURES_MAX))]
    pub departures: Vec<DepartureInput>,
    #[schema(value_type = Vec<DepartureException>, max_items = 400)]
    #[validate(length(max = EXCEPTIONS_MAX))]
    pub exceptions: Vec<ExceptionInput>,
    /// True to create the leg back too, with the same durations and departures; an existing leg stays
    /// unchanged.
    pub both_directions: Option<bool>,
}

tidy!(ShippingLegsInput: or_none order_time;);

impl ShippingLegsInput {
    fn leg(&self, sending_node_id: i64, receiving_node_id: i64) -> ShippingLegInput {
        let Self { order_time, departures, exceptions, .. } = self.clone();
        ShippingLegInput {
            sending_node_id,
            receiving_node_id,
            preparation_duration: self.preparation_duration,
            loading_duration: self.loading_duration,
            travel_duration: self.travel_duration,
            unloading_duration: self.unloading_duration,
            order_time,
            departures,
            exceptions,
            version: None,
        }
    }
}

/// Legs that were created, and those that existed before.
#[derive(Debug, Clone)]
pub struct CreatedLegs {
    pub created: Vec<ShippingLegDetail>,
    pub existing: Vec<ShippingLegDetail>,
}

/// Creates a leg from a node, and on request the one back; an existing leg is then left unchanged.
///
/// # Errors
/// At `receiving_node_id` if there is nothing left to create.
pub async fn create_from(
    db: &Database,
    scope: &Scope,
    node: i64,
    input: impl Into<Validated<ShippingLegsInput>>,
) -> Result<CreatedLegs> {
    scope.claim::<ShippingLegs>()?;
    let (input, broken) = input.into().parts();
    let other = input.receiving_node_id;
    let is_both = input.both_directions == Some(true);
    let mut ways = vec![(node, other)];
    if is_both && node != other {
        ways.push((other, node));
    }
    let tx = db.begin().await?;
    scope.get::<ShippingNodes>(&tx, node).await?;
    // Concurrent creations of legs between the same nodes wait.
    lock_nodes(&tx, scope, [node, other]).await?;
    let between = scope
        .find::<ShippingLegs>()
        .filter(Column::SendingNodeId.is_in([node, other]))
        .filter(Column::ReceivingNodeId.is_in([node, other]));
    let existing = if is_both { between.order_by_asc(Column::NameSort).all(&tx).await? } else { Vec::new() };
    let is_there = |(sender, receiver): &(i64, i64)| {
        existing.iter().any(|leg| (leg.sending_node_id, leg.receiving_node_id) == (*sender, *receiver))
    };
    let mut created = Vec::new();
    for (sender, receiver) in ways.into_iter().filter(|way| !is_there(way)) {
        let input = Validated::from(input.leg(sender, receiver)).broken_as(broken.clone());
        let row = Draft::new(input).row(&tx, scope).await?;
        created.push(scope.create::<ShippingLegs>(&tx, row).await?);
    }
    if created.is_empty() {
        return Err(Violations::error("receiving_node_id", codes::LEG_TAKEN));
    }
    let legs = CreatedLegs {
        created: ShippingLegs::detailed(&tx, scope, created).await?,
        existing: ShippingLegs::detailed(&tx, scope, existing).await?,
    };
    tx.commit().await?;
    Ok(legs)
}
