//! Shipping legs.

use kernel::{ClockTime, Instant, Minutes};
use sea_orm::entity::prelude::*;

use super::timetable::{DepartureExceptions, Departures};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "shipping_leg")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Both nodes: lists are searched and sorted by it, and the history calls the leg so.
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub sending_node_id: i64,
    pub receiving_node_id: i64,
    pub preparation_duration: Minutes,
    pub loading_duration: Minutes,
    pub travel_duration: Minutes,
    pub unloading_duration: Minutes,
    /// The time of day until which goods have to be there; without one, they are in time for preparation and loading.
    pub order_time: Option<ClockTime>,
    pub departures: Departures,
    pub exceptions: DepartureExceptions,
    /// The number of departures, so that the list can be narrowed and sorted by it.
    pub departures_per_week: i64,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
