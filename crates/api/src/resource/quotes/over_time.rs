//! What an article costs as time goes by, over HTTP.

use chrono::{DateTime, Datelike, SubsecRound, Utc};
use kernel::{Code, Decimal, Language, Money, RecordReference, Result, Unit, Violations, may, now};
use logistics::{calendar::known_year, matching::directory::Named};
use pricing::quote::{
    ask::{Question, Wanted},
    over_time::{self, Course, LONGEST, Priced, Step, Times},
    target::WantedPrices,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::QuoteView;
use crate::{
    http::{
        access::{Asks, Authorized},
        answer::{Shown, shown},
        input::{About, Body, Server},
        routes::{Answer, Routes},
    },
    publish,
    resource::{item_fault::ItemFault, stocks::TradedArticle, tenants::PartyView},
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "quotes": over_time);
}

/// How much of an article, whose prices are asked for from a moment to another.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceOverTimeInput, example = json!({ "article_number": "HEB-200-S235JR-12.1", "quantity": "3", "unit": "piece",
    "from": "2026-01-01T00:00:00Z", "until": "2027-12-31T00:00:00Z" }))]
struct OverTimeInput {
    /// Who sells; the tenant that is acted for, unless it is said otherwise.
    seller_id: Option<i64>,
    /// Instead of the id, or with it.
    #[schema(max_length = 255, example = "NORD")]
    seller_short_code: Option<String>,
    /// Who buys. Without one: the tenant that is acted for, or, where that sells, anybody.
    buyer_id: Option<i64>,
    /// Instead of the id, or with it.
    #[schema(max_length = 255, example = "SUED")]
    buyer_short_code: Option<String>,
    article_id: Option<i64>,
    /// Whatever its case; instead of the id, or with it.
    #[schema(max_length = 255, example = "HEB-200-S235JR-12.1")]
    article_number: Option<String>,
    /// What another system of the tenant that is acted for calls the article.
    #[schema(max_length = 255)]
    external_article_number: Option<String>,
    /// Above zero.
    #[schema(example = "3")]
    quantity: Decimal,
    /// Any in which the article is counted; without one its listing unit.
    unit: Option<Unit>,
    /// Where it is to come from; without one from anywhere. A buyer can name the seller's warehouses where the seller shows a stock of
    /// the article with a sales price; any other is unknown.
    warehouse_id: Option<i64>,
    /// Instead of the id, or with it.
    #[schema(max_length = 255, example = "DU")]
    warehouse_short_code: Option<String>,
    from: DateTime<Utc>,
    /// After the beginning, by ten years at most.
    until: DateTime<Utc>,
    /// The moment of which it is to be said how the price comes about.
    explain_at: Option<DateTime<Utc>>,
}

/// What an article costs as time goes by.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceOverTime)]
struct OverTimeView {
    seller: PartyView,
    /// `null`: anybody.
    #[schema(required)]
    buyer: Option<PartyView>,
    article: TradedArticle,
    #[schema(example = "3")]
    quantity: Decimal,
    unit: Unit,
    /// Without a break: each begins where the one before ends. At most 400.
    steps: Vec<StepView>,
    /// Whether there are more steps: what is asked for goes on behind the last one.
    cut: bool,
    /// What it costs at the moment that is to be explained; `null` where none is, and where nothing is known of it.
    #[schema(required)]
    explained: Option<QuoteView>,
}

/// What an article costs from a moment on.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceOverTimeStep, example = json!({ "from": "2026-01-01T00:00:00Z", "until": "2026-12-31T23:00:00Z", "past": true,
    "total": "2281.82", "unit_price": { "price": "1025.45", "price_quantity": "1", "unit": "t" },
    "list": { "id": 3, "name": "Verkauf 2026" }, "stock_id": null, "overlaps": [], "error": null }))]
struct StepView {
    from: DateTime<Utc>,
    /// The first moment at which it is no longer so, or is no longer asked for.
    until: DateTime<Utc>,
    /// Whether it was so, as the history knows; otherwise it will be so, as far as that is known by now.
    past: bool,
    /// Of the quantity, in EUR, rounded; `null` where there is no price.
    #[schema(required)]
    total: Option<Decimal>,
    /// The same for one of the unit in which prices of the article are counted.
    #[schema(required)]
    unit_price: Option<Money>,
    /// The list that the price stands in.
    #[schema(required)]
    list: Option<StepList>,
    /// The stock that it stands at.
    #[schema(required)]
    stock_id: Option<i64>,
    /// Lists that apply and have a price as well, and come later.
    overlaps: Vec<StepList>,
    /// Why there is no price.
    #[schema(required)]
    error: Option<ItemFault>,
}

/// A list that has a price of the article.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceOverTimeList)]
struct StepList {
    id: i64,
    #[schema(example = "Verkauf 2027")]
    name: String,
}

/// Says what an article costs a buyer from a moment to another: the past as it was, the future as far as it is known by now, and on
/// request of one moment why. The article itself is as it is today.
#[utoipa::path(post, path = "/api/admin/quotes/over-time")]
async fn over_time(
    by: Asks<Authorized<may::ViewPrice>>,
    Server(state): Server,
    About(request): About,
    Body(input): Body<OverTimeInput>,
) -> Answer<Shown<OverTimeView>> {
    let times = input.times()?;
    let now = now();
    let time_zone = state.time_zone();
    let course = over_time::over_time(&state.db, by.scope(), time_zone, input.asked(now), times, now).await?;
    Ok(shown(OverTimeView::new(course, request.language)))
}

impl OverTimeInput {
    fn times(&self) -> Result<Times> {
        for (path, moment) in
            [("from", Some(self.from)), ("until", Some(self.until)), ("explain_at", self.explain_at)]
        {
            if let Some(moment) = moment {
                known_year(path, moment.year())?;
            }
        }
        if self.until <= self.from {
            return Err(Violations::of("until", Code::EndsBeforeStart));
        }
        if self.until - self.from > LONGEST {
            return Err(Violations::of("until", Code::PeriodTooLong.with("years", LONGEST.num_days() / 365)));
        }
        let cut = |moment: DateTime<Utc>| moment.trunc_subsecs(6);
        Ok(Times { from: cut(self.from), until: cut(self.until), explained: self.explain_at.map(cut) })
    }

    fn asked(self, now: DateTime<Utc>) -> Question {
        let named = Named {
            article: RecordReference::new(self.article_id, self.article_number),
            external_article_number: self.external_article_number,
            warehouse: RecordReference::new(self.warehouse_id, self.warehouse_short_code),
            external_warehouse_identifier: None,
        };
        let wanted = Wanted {
            named,
            quantity: self.quantity,
            unit: self.unit,
            processings: Vec::new(),
            targets: WantedPrices::default(),
        };
        Question {
            seller: RecordReference::new(self.seller_id, self.seller_short_code),
            buyer: RecordReference::new(self.buyer_id, self.buyer_short_code),
            as_customer: false,
            at: now,
            target_total: None,
            lines: vec![wanted],
        }
    }
}

impl OverTimeView {
    fn new(course: Course, language: Language) -> Self {
        Self {
            seller: (&course.seller).into(),
            buyer: course.buyer.as_ref().map(PartyView::from),
            article: TradedArticle::from(&course.article),
            quantity: course.quantity,
            unit: course.unit,
            steps: course.steps.into_iter().map(|step| StepView::new(step, language)).collect(),
            cut: course.cut,
            explained: course.explained.map(|answer| QuoteView::new(0, answer, language)),
        }
    }
}

impl StepView {
    fn new(Step { from, until, price, overlaps, past }: Step, language: Language) -> Self {
        let (priced, error) = match price {
            Ok(priced) => (Some(priced), None),
            Err(message) => (None, Some(ItemFault::new(None, &message, language))),
        };
        let list = |(id, name): (i64, String)| StepList { id, name };
        let total = priced.as_ref().map(|priced| priced.total);
        let unit_price = priced.as_ref().and_then(|priced| priced.unit_price);
        let stock_id = priced.as_ref().and_then(|priced| priced.stock_id);
        let won = priced.and_then(|Priced { list, .. }| list).map(list);
        let overlaps = overlaps.into_iter().map(list).collect();
        Self { from, until, past, total, unit_price, list: won, stock_id, overlaps, error }
    }
}
