//! Delivery dates of many orders in one call.

use std::{collections::HashMap, ops::Range};

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, Unpaged, ok_json},
    input::{Body, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use logistics::{
    matching::directory::{Directory, PlaceReference},
    may,
    shipping::{
        delivery::{Delivery, Moment, Shipping, own_warehouses},
        itinerary,
    },
    stock::availability::{AvailabilityQuery, Source},
    warehouse::closure,
};
use serde::{Deserialize, Serialize};
use store::{Scope, run_blocking};
use utoipa::ToSchema;
use values::{Decimal, Error, Language, RecordReference, Result, TenantId, Unit, Violations, now};

use super::availability::{inquiry, item_fault, seller};
use crate::{
    codes,
    resource::{
        impact::calculate_limited,
        item_fault::ItemFault,
        matchings::WarehouseReference,
        shipping::{
            dates::sending_warehouse,
            itinerary::{ItineraryView, NoDeliveryView, OrderByView},
            question,
        },
    },
    state::{Server, State},
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": delivery_dates);
}

const QUESTIONS_MAX: usize = 200;

/// Orders whose arrivals are requested.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "questions": [{ "article_number": "HEB-200-S235JR-12.1", "quantity": "2", "unit": "piece", "to": "Linz" }]
}))]
struct DeliveryDatesInput {
    /// Seller of the articles; by default the acting tenant. Stocks of another seller are included if they
    /// are shown at a sales price; that needs `listing.view`.
    seller_id: Option<i64>,
    /// Short code of the seller, instead of the id or with it.
    #[schema(max_length = 255, example = "NORD")]
    seller_short_code: Option<String>,
    #[schema(min_items = 1, max_items = 200)]
    questions: Vec<DeliveryQuestion>,
}

/// Order of an article from the warehouses that have it in stock, or from one warehouse.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "article_number": "HEB-200-S235JR-12.1", "quantity": "2", "unit": "piece", "to": "Linz" }))]
struct DeliveryQuestion {
    /// Article number, ignoring case. Without an article only the route from the warehouse is searched.
    #[schema(max_length = 255, example = "HEB-200-S235JR-12.1")]
    article_number: Option<String>,
    /// Number of the article in another system, instead of the article number or with it.
    #[schema(max_length = 255)]
    external_article_number: Option<String>,
    /// Quantity of the article, above zero.
    #[schema(example = "24.2")]
    quantity: Option<Decimal>,
    /// Unit in which the article is counted; by default its base unit.
    unit: Option<Unit>,
    /// Warehouse; by default the one that delivers first. A buyer can name the seller's warehouses in which
    /// the seller shows the article, and none without an article.
    #[schema(max_length = 255, example = "DU")]
    warehouse_short_code: Option<String>,
    /// Name of the warehouse in another system, instead of the short code or with it; only for the caller's
    /// own warehouses.
    #[schema(max_length = 255)]
    external_warehouse_identifier: Option<String>,
    /// Name of the destination, a shipping node, ignoring case.
    #[schema(max_length = 255, example = "Linz")]
    to: String,
    /// Time of the order, in the years 2000 to 2099; by default now, unless there is a latest arrival.
    at: Option<DateTime<Utc>>,
    /// Latest arrival, instead of a time of the order. Then the latest order is searched.
    arrive_by: Option<DateTime<Utc>>,
    /// True to include the stages of the itinerary.
    explain: Option<bool>,
}

/// Arrival of an order; `no_way` has the reason if it does not arrive.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "index": 0, "ordered_at": "2026-12-02T10:40:00Z", "warehouse": { "id": 1, "short_code": "DU" },
    "available_at": "2026-12-02T11:30:00Z", "arrives_at": "2026-12-04T11:45:00Z",
    "order_by": { "at": "2026-12-02T10:30:00Z", "is_inclusive": false }, "no_way": null, "itinerary": null, "errors": [] }))]
struct DeliveryDate {
    /// Index of the question, from 0.
    #[schema(example = 0)]
    index: usize,
    /// Time of the order; for a latest arrival, that of the latest order.
    #[schema(required)]
    ordered_at: Option<DateTime<Utc>>,
    /// Warehouse that sends the goods.
    #[schema(required)]
    warehouse: Option<WarehouseReference>,
    /// Time at which goods are ready there.
    #[schema(required)]
    available_at: Option<DateTime<Utc>>,
    #[schema(required)]
    arrives_at: Option<DateTime<Utc>>,
    /// Latest order that arrives at the same time.
    #[schema(required)]
    order_by: Option<OrderByView>,
    /// Reason why no order arrives.
    #[schema(required)]
    no_way: Option<NoDeliveryView>,
    /// Stages, and the arrivals of earlier and later orders; `null` without `explain`.
    #[schema(required)]
    itinerary: Option<ItineraryView>,
    /// Errors of the question.
    errors: Vec<ItemFault>,
}

/// Finds the arrivals of up to 200 orders at a shipping node, on request with the stages; or, for a latest
/// arrival, the latest orders. Each question has its own result.
#[utoipa::path(post, path = "/api/v1/delivery-dates")]
async fn delivery_dates(
    by: ReadOnlyPost<Authorized<may::ListStocks>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(DeliveryDatesInput { seller_id, seller_short_code, questions }): Body<DeliveryDatesInput>,
) -> Answer<OkJson<Unpaged<DeliveryDate>>> {
    let mut violations = Violations::new();
    match questions.len() {
        0 => violations.add("questions", codes::TOO_FEW.with("min", 1)),
        1..=QUESTIONS_MAX => {}
        _ => violations.add("questions", codes::TOO_MANY.with("max", QUESTIONS_MAX)),
    }
    violations.check()?;
    let seller = seller(&state.db, by.scope(), &RecordReference::new(seller_id, seller_short_code)).await?;
    let is_own = seller.is_none();
    let questions = resolve_questions(&state, by.scope(), seller, questions).await?;
    let (time_zone, language) = (state.time_zone(), request.language);
    let dates = calculate_limited(&state, async || {
        let mut dates = Vec::with_capacity(questions.len());
        for (index, question) in questions.into_iter().enumerate() {
            // one by one, so that an aborted call ends
            let date = run_blocking(move || DeliveryDate::new(index, question, is_own, time_zone, language));
            dates.push(date.await??);
        }
        Ok(dates)
    });
    Ok(ok_json(Unpaged { data: dates.await? }))
}

/// Question with the ids of all named records.
struct ResolvedQuestion {
    delivery: Delivery,
    moment: Moment,
    explain: bool,
}

/// Looks up the names in all questions, in a fixed number of statements.
async fn resolve_questions(
    state: &State,
    scope: &Scope,
    seller: Option<TenantId>,
    questions: Vec<DeliveryQuestion>,
) -> Result<Vec<Result<ResolvedQuestion, Violations>>> {
    let (db, installation) = (&state.db, state.settings.installation.clone());
    let now = now();
    let moments: Vec<_> = questions.iter().map(|question| question.moment(now)).collect();
    let instants = moments.iter().flatten().map(|moment| moment.instant());
    let days = closure::days_around(&installation, instants);
    let shipping = Shipping::load(db, scope, &installation).await?;
    scope.tenant()?;
    let of_articles: Vec<AvailabilityQuery> =
        questions.iter().filter_map(DeliveryQuestion::availability_query).collect();
    let sources_of_articles = if of_articles.is_empty() {
        Vec::new()
    } else {
        inquiry(db, scope, seller, &of_articles).await?.sources(db, &installation, days.clone()).await?
    };
    let mut sources_of_articles = sources_of_articles.into_iter();
    let own = OwnWarehouses::load(state, scope, seller, &questions, days).await?;
    let resolved = questions.into_iter().zip(moments).map(|(question, moment)| {
        let mut violations = Violations::new();
        let sources = if question.has_article() {
            if question.quantity.is_none() {
                violations.add("quantity", codes::REQUIRED);
            }
            sources_of_articles
                .next()
                .and_then(|sources| sources.map_err(|wrong| violations.extend(wrong)).ok())
        } else {
            own.resolve(&question, &mut violations).map(|source| Ok(vec![source]))
        };
        let to = shipping.book.position_by_name(&question.to);
        if to.is_none() {
            violations.add("to", codes::UNKNOWN_REFERENCE);
        }
        match (sources, to, moment) {
            (Some(sources), Some(to), Ok(moment)) if violations.is_empty() => {
                let delivery = Delivery { from: shipping.origins(sources), shipping: shipping.clone(), to };
                Ok(ResolvedQuestion { delivery, moment, explain: question.explain.unwrap_or_default() })
            }
            (_, _, moment) => {
                if let Err(Error::Invalid(wrong)) = moment {
                    violations.extend(wrong);
                }
                Err(violations)
            }
        }
    });
    Ok(resolved.collect())
}

impl DeliveryQuestion {
    fn has_article(&self) -> bool {
        self.article_number.is_some() || self.external_article_number.is_some()
    }

    fn moment(&self, now: DateTime<Utc>) -> Result<Moment> {
        Ok(question::moment(self.at, self.arrive_by)?.unwrap_or(Moment::OrderedAt(now)))
    }

    fn record_names(&self) -> PlaceReference {
        PlaceReference {
            article: RecordReference::new(None, self.article_number.clone()),
            external_article_number: self.external_article_number.clone(),
            warehouse: RecordReference::new(None, self.warehouse_short_code.clone()),
            external_warehouse_identifier: self.external_warehouse_identifier.clone(),
        }
    }

    /// Builds the availability question for the article, if there is one.
    fn availability_query(&self) -> Option<AvailabilityQuery> {
        let quantity = self.quantity.unwrap_or(Decimal::ONE);
        self.has_article().then(|| AvailabilityQuery {
            place: self.record_names(),
            quantity,
            unit: self.unit,
        })
    }
}

/// Warehouses of questions without an article.
#[derive(Default)]
struct OwnWarehouses {
    directory: Directory,
    sources: HashMap<i64, Source>,
}

impl OwnWarehouses {
    /// Loads the caller's warehouses; a seller's can be named only with an article.
    async fn load(
        state: &State,
        scope: &Scope,
        seller: Option<TenantId>,
        questions: &[DeliveryQuestion],
        days: Range<NaiveDate>,
    ) -> Result<Self> {
        let alone = questions.iter().filter(|question| seller.is_none() && !question.has_article());
        let places: Vec<_> = alone.map(DeliveryQuestion::record_names).collect();
        if places.is_empty() {
            return Ok(Self::default());
        }
        let directory = Directory::load(&state.db, scope, &places).await?;
        let ids: Vec<_> = directory.warehouses().map(|warehouse| warehouse.id).collect();
        let sources = own_warehouses(&state.db, scope, &state.settings.installation, &ids, days).await?;
        Ok(Self { directory, sources })
    }

    fn resolve(&self, question: &DeliveryQuestion, violations: &mut Violations) -> Option<Source> {
        for (path, is_given) in [("quantity", question.quantity.is_some()), ("unit", question.unit.is_some())]
        {
            if is_given {
                violations.add(path, codes::ONLY_WITH_ARTICLE);
            }
        }
        let place = question.record_names();
        if place.warehouse.is_absent() && place.external_warehouse_identifier.is_none() {
            violations.add("article_number", codes::REQUIRED);
            return None;
        }
        let warehouse = self.directory.find_warehouse(&place, violations)?;
        self.sources.get(&warehouse.id).cloned()
    }
}

impl DeliveryDate {
    fn new(
        index: usize,
        question: Result<ResolvedQuestion, Violations>,
        is_own: bool,
        time_zone: Tz,
        language: Language,
    ) -> Result<Self> {
        let nothing = Self {
            index,
            ordered_at: None,
            warehouse: None,
            available_at: None,
            arrives_at: None,
            order_by: None,
            no_way: None,
            itinerary: None,
            errors: Vec::new(),
        };
        let faults =
            |violations: Violations| violations.iter().map(|wrong| item_fault(wrong, language)).collect();
        let ResolvedQuestion { delivery, moment, explain } = match question {
            Ok(question) => question,
            Err(violations) => return Ok(Self { errors: faults(violations), ..nothing }),
        };
        let answer = match delivery.answer(moment) {
            Ok(answer) => answer,
            Err(Error::Invalid(violations)) => return Ok(Self { errors: faults(violations), ..nothing }),
            Err(error) => return Err(error),
        };
        let summary = match &answer {
            Ok(itinerary::ItineraryAnswer { itinerary, order_by, .. }) => Self {
                ordered_at: Some(itinerary.ordered_at),
                warehouse: sending_warehouse(&delivery, itinerary.origin),
                available_at: Some(itinerary.available_at),
                arrives_at: Some(itinerary.arrives_at),
                order_by: Some((*order_by).into()),
                ..nothing
            },
            Err(reason) => Self { no_way: Some(NoDeliveryView::new(&delivery, *reason)), ..nothing },
        };
        let itinerary = explain.then(|| ItineraryView::new(&delivery, moment, answer, is_own, time_zone));
        Ok(Self { itinerary, ..summary })
    }
}
