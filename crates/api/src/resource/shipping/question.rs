//! Questions about deliveries with ids, for the screens.

use chrono::{DateTime, Datelike, Utc};
use logistics::{
    calendar::check_year,
    matching::directory::PlaceReference,
    permissions,
    shipping::{
        delivery::{Delivery, DeliveryOrigin, Moment, Shipping, own_warehouses},
        network::NodeIndex,
    },
    stock::availability::AvailabilityQuery,
    warehouse::closure,
};
use serde::Deserialize;
use store::Scope;
use utoipa::ToSchema;
use values::{Decimal, Error, Instant, RecordReference, Result, Unit, Violations};

use crate::{
    codes,
    resource::v1::availability::{field_name, inquiry, seller},
    state::State,
};

/// Order whose arrival is requested.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "from": { "node_id": 1 }, "to_node_id": 2, "at": "2026-12-02T10:40:00Z" }))]
pub(super) struct ItineraryInput {
    from: ItineraryFrom,
    /// Destination of the goods, a shipping node.
    to_node_id: i64,
    /// Time of the order, in the years 2000 to 2099; by default now, unless there is a latest arrival.
    at: Option<DateTime<Utc>>,
    /// Latest arrival, instead of a time of the order. Then the latest order is searched.
    arrive_by: Option<DateTime<Utc>>,
}

/// Orders of the next days whose arrivals are requested.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "from": { "node_id": 1 }, "to_node_id": 2, "at": "2026-12-02T10:40:00Z" }))]
pub(super) struct OrderDaysInput {
    from: ItineraryFrom,
    /// Destination of the goods, a shipping node.
    to_node_id: i64,
    /// Time of the first orders, in the years 2000 to 2099; by default now.
    at: Option<DateTime<Utc>>,
}

/// Origin of the goods: a shipping node, a warehouse of the caller, or the warehouses that have an article in
/// stock.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "warehouse_id": 1 }))]
struct ItineraryFrom {
    /// Node where goods are ready when the order is placed.
    node_id: Option<i64>,
    /// Warehouse where goods are prepared; needs `warehouse.view`. With an article, only its stock there is
    /// searched.
    warehouse_id: Option<i64>,
    /// Short code of the warehouse, instead of the id or with it; only with an article. A buyer can name the
    /// seller's warehouses in which the seller shows the article.
    #[schema(max_length = 255, example = "DU")]
    warehouse_short_code: Option<String>,
    /// Article from any warehouse that has enough of it, whichever delivers first; needs `stock.list`.
    article_id: Option<i64>,
    /// Quantity of the article, above zero.
    #[schema(example = "24.2")]
    quantity: Option<Decimal>,
    /// Unit in which the article is counted; by default its base unit.
    unit: Option<Unit>,
    /// Seller of the article, whose stocks with a sales price are searched; by default the acting tenant.
    seller_id: Option<i64>,
}

/// Origin that a request names.
enum OriginKind {
    Node(i64),
    Warehouse(i64),
    Article { id: i64, quantity: Decimal },
}

impl From<OrderDaysInput> for ItineraryInput {
    fn from(OrderDaysInput { from, to_node_id, at }: OrderDaysInput) -> Self {
        Self { from, to_node_id, at, arrive_by: None }
    }
}

/// Returns the time of a question; `None` if it has none.
///
/// # Errors
/// At `arrive_by` if there is a time of the order as well, and for a time outside 2000 to 2099.
pub(in crate::resource) fn moment(
    at: Option<DateTime<Utc>>,
    arrive_by: Option<DateTime<Utc>>,
) -> Result<Option<Moment>> {
    for (path, moment) in [("at", at), ("arrive_by", arrive_by)] {
        if let Some(moment) = moment {
            check_year(path, moment.year())?;
        }
    }
    match (at, arrive_by) {
        (Some(_), Some(_)) => Err(Violations::error("arrive_by", codes::ONE_MOMENT)),
        (Some(at), None) => Ok(Some(Moment::OrderedAt(at))),
        (None, Some(by)) => Ok(Some(Moment::ArriveBy(by))),
        (None, None) => Ok(None),
    }
}

impl ItineraryInput {
    pub(super) fn moment(&self) -> Result<Option<Moment>> {
        moment(self.at, self.arrive_by)
    }

    /// Looks up all data that the answer depends on.
    pub(super) async fn delivery(
        &self,
        state: &State,
        scope: &Scope,
        at: Instant,
    ) -> Result<(Delivery, bool)> {
        let from = self.from.read()?;
        let installation = state.settings.installation.clone();
        let db = &state.db;
        let shipping = Shipping::load(db, scope, &installation).await?;
        let mut violations = Violations::new();
        let to = find_node(&shipping, &mut violations, "to_node_id", self.to_node_id);
        let days = closure::days_around(&installation, std::iter::once(at));
        let mut is_own = true;
        let places = match from {
            OriginKind::Node(id) => find_node(&shipping, &mut violations, "from.node_id", id)
                .map(|node| Ok(vec![DeliveryOrigin { node, source: None }])),
            OriginKind::Warehouse(id) => {
                let mut own = own_warehouses(db, scope, &installation, &[id], days).await?;
                let source = own.remove(&id).filter(|_| scope.may(permissions::VIEW_WAREHOUSE));
                if source.is_none() {
                    violations.add("from.warehouse_id", codes::UNKNOWN_REFERENCE);
                }
                source.map(|source| shipping.origins(Ok(vec![source])))
            }
            OriginKind::Article { .. } if !scope.may(permissions::LIST_STOCKS) => {
                violations.add("from.article_id", codes::UNKNOWN_REFERENCE);
                None
            }
            OriginKind::Article { id, quantity } => {
                let seller = seller(db, scope, &RecordReference::new(self.from.seller_id, None)).await;
                let seller = seller.map_err(error_within_from)?;
                is_own = seller.is_none();
                let inquiry = inquiry(db, scope, seller, &[self.from.question(id, quantity)]).await?;
                let sources = inquiry.sources(db, &installation, days).await?.remove(0);
                let sources = sources.map_err(|wrong| violations.extend(prefix_from(wrong)));
                sources.ok().map(|sources| shipping.origins(sources))
            }
        };
        violations.check()?;
        let (Some(from), Some(to)) = (places, to) else {
            return Err(Error::internal("a place that is neither known nor refused"));
        };
        Ok((Delivery { shipping, from, to }, is_own))
    }
}

impl ItineraryFrom {
    /// # Errors
    /// At `from` unless there is exactly one place, and at each field that belongs to an article that is not named.
    fn read(&self) -> Result<OriginKind> {
        let Self { node_id, warehouse_id, warehouse_short_code, article_id, quantity, unit, seller_id } =
            self;
        let mut violations = Violations::new();
        if node_id.is_some() == (warehouse_id.is_some() || article_id.is_some()) {
            violations.add("from", codes::ONE_ORIGIN);
        }
        match (article_id, quantity) {
            (Some(_), None) => violations.add("from.quantity", codes::REQUIRED),
            (Some(_), Some(_)) => {}
            (None, _) => {
                let of_articles = [
                    ("from.warehouse_short_code", warehouse_short_code.is_some()),
                    ("from.quantity", quantity.is_some()),
                    ("from.unit", unit.is_some()),
                    ("from.seller_id", seller_id.is_some()),
                ];
                for (path, _) in of_articles.into_iter().filter(|(_, is_given)| *is_given) {
                    violations.add(path, codes::ONLY_WITH_ARTICLE);
                }
            }
        }
        violations.check()?;
        match (node_id, warehouse_id, article_id, quantity) {
            (Some(id), ..) => Ok(OriginKind::Node(*id)),
            (_, _, Some(id), Some(quantity)) => Ok(OriginKind::Article { id: *id, quantity: *quantity }),
            (_, Some(id), ..) => Ok(OriginKind::Warehouse(*id)),
            _ => Err(Violations::error("from", codes::ONE_ORIGIN)),
        }
    }

    fn question(&self, article: i64, quantity: Decimal) -> AvailabilityQuery {
        let place = PlaceReference {
            article: RecordReference::new(Some(article), None),
            external_article_number: None,
            warehouse: RecordReference::new(self.warehouse_id, self.warehouse_short_code.clone()),
            external_warehouse_identifier: None,
        };
        AvailabilityQuery { place, quantity, unit: self.unit }
    }
}

/// Returns the position of the node with an id, or an error at its field.
pub(super) fn find_node(
    shipping: &Shipping,
    violations: &mut Violations,
    path: &str,
    id: i64,
) -> Option<NodeIndex> {
    let position = shipping.book.position(id);
    if position.is_none() {
        violations.add(path, codes::UNKNOWN_REFERENCE);
    }
    position
}

/// Moves errors to the fields of `from`.
fn prefix_from(violations: Violations) -> Violations {
    let mut within = Violations::new();
    for violation in violations {
        within.add(format!("from.{}", field_name(&violation)), violation.message);
    }
    within
}

fn error_within_from(error: Error) -> Error {
    match error {
        Error::Invalid(violations) => Error::Invalid(prefix_from(violations)),
        other => other,
    }
}
