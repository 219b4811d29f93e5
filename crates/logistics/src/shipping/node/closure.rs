//! Days on which a shipping node is closed besides weekends and public holidays. A node has at most one
//! closure a day. Closures are not edited but deleted and created again.

pub mod entity;

use std::ops::Range;

use chrono::NaiveDate;
use lists::{Deletable, Detailed, Field, Listed};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder};
use serde::Deserialize;
use store::{CacheTopic, Database, Owner, Recorded, Reference, Resource, Scope, Scoped, Unique};
use utoipa::ToSchema;
use validator::Validate;
use values::{Phrase, Result, Validated, fold, rule::printable, tidy};

use super::{entity::Entity as ShippingNodes, name::lock_nodes};
use crate::{cache_topics, codes, permissions};

pub use self::entity::{ActiveModel, Column, Entity as NodeClosures, Model as NodeClosure};

impl Scoped for NodeClosures {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for NodeClosures {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "shipping_node_closures",
        Phrase { de: "Schließtage von Versandknoten", en: "closures of shipping nodes" },
        permissions::LIST_SHIPPING_NODES,
    )
    .refers(&[Reference::loose::<ShippingNodes>("shipping_node_id")]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::SHIPPING);
    const UNIQUE: &'static [Unique] = &[Unique::new("shipping_node_closure_date_key", "date", codes::TAKEN)
        .over("shipping_node_closure_shipping_node_id_date_key")];
}

impl Listed for NodeClosures {
    const FIELDS: &'static [Field] = &[
        Field::date("date", &Column::Date),
        Field::text("name", &Column::NameFold).unsorted(),
        Field::id("shipping_node_id", &Column::ShippingNodeId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "date";
}

/// Input to close a node for a day.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ShippingNodeClosureInput {
    pub shipping_node_id: i64,
    /// Date, in the installation's time zone; a node has one closure a day.
    pub date: NaiveDate,
    #[schema(min_length = 1, max_length = 255, example = "Inventur")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
}

tidy!(ShippingNodeClosureInput: trim name;);

/// Creates a closure of a shipping node.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<ShippingNodeClosureInput>>,
) -> Result<NodeClosure> {
    let (ShippingNodeClosureInput { shipping_node_id, date, name }, mut violations) = input.into().parts();
    scope.claim::<NodeClosures>()?;
    let tx = db.begin().await?;
    if lock_nodes(&tx, scope, [shipping_node_id]).await?.is_empty() {
        violations.add("shipping_node_id", codes::UNKNOWN_REFERENCE);
    }
    violations.check()?;
    let row = ActiveModel {
        shipping_node_id: Set(shipping_node_id),
        date: Set(date),
        name_fold: Set(fold(&name)),
        name: Set(name),
        ..Default::default()
    };
    let closure = scope.create::<NodeClosures>(&tx, row).await?;
    tx.commit().await?;
    Ok(closure)
}

impl<C: ConnectionTrait> Detailed<C> for NodeClosures {
    type Detail = NodeClosure;

    async fn detailed(_: &C, _: &Scope, rows: Vec<NodeClosure>) -> Result<Vec<NodeClosure>> {
        Ok(rows)
    }
}

impl Deletable for NodeClosures {
    /// Deletes a closure.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let tx = db.begin().await?;
        scope.delete::<Self>(&tx, id).await?;
        tx.commit().await
    }
}

/// Loads the closures of a node within a range of days, sorted by date.
pub async fn find_in_days(
    db: &impl ConnectionTrait,
    scope: &Scope,
    node: i64,
    days: Range<NaiveDate>,
) -> Result<Vec<NodeClosure>> {
    let closures = scope
        .find::<NodeClosures>()
        .filter(Column::ShippingNodeId.eq(node))
        .filter(Column::Date.gte(days.start))
        .filter(Column::Date.lt(days.end));
    Ok(closures.order_by_asc(Column::Date).all(db).await?)
}
