//! Table of shipping legs.

use sea_orm::entity::prelude::*;
use values::{ClockTime, Instant, Minutes};

use super::timetable::{DepartureExceptions, Departures};

/// Row of the table `shipping_leg`: a leg between two nodes, with its durations and departures.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "shipping_leg")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Names of both nodes, by which lists are searched and sorted; also the name of the leg in the history.
    pub name: String,
    pub name_fold: String,
    pub name_sort: String,
    pub sending_node_id: i64,
    pub receiving_node_id: i64,
    pub preparation_duration: Minutes,
    pub loading_duration: Minutes,
    pub travel_duration: Minutes,
    pub unloading_duration: Minutes,
    /// Time of day by which goods must be there; without one, they must be in time for preparation and
    /// loading.
    pub order_time: Option<ClockTime>,
    pub departures: Departures,
    pub exceptions: DepartureExceptions,
    /// Number of departures, by which the list is filtered and sorted.
    pub departures_per_week: i64,
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
