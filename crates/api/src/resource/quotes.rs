//! Prices of carts, with their explanation, over HTTP.

mod over_time;

use std::borrow::Cow;

use chrono::{DateTime, Datelike, Utc};
use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, Unpaged, ok_json},
    input::{Body, RequestInfo},
    publish,
    request::Request,
    routes::{Answer, Routes},
};
use logistics::{calendar::check_year, matching::directory::PlaceReference};
use pricing::{
    exact::Exact,
    may,
    price_adjustment::terms::ItemType,
    quote::{
        ItemQuote, LineQuote, Margin, Processing,
        explain::{CartExplanation, ItemExplanation, LineExplanation, explain},
        request::{self, QuoteRequest, RequestedLine},
        target::{LineTargets, PercentStep, PriceTarget, RequestedPrices, check_total},
    },
};
use serde::{Deserialize, Serialize, Serializer};
use store::Scope;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};
use values::{Decimal, Language, Message, Money, RecordReference, Unit, Violations, error::Violation, now};

use crate::{
    codes,
    resource::{item_fault::ItemFault, stocks::TradedArticle, tenants::PartyView},
    state::{Server, State},
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "quotes": calculate);
    over_time::routes(routes);
}

const CARTS_MAX: usize = 100;
const LINES_MAX: usize = 200;
/// Maximum number of lines and processings in all carts of a call.
const ITEMS_IN_ALL_MAX: usize = 2_000;
const PROCESSINGS_MAX: usize = 10;

/// Carts to be priced.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct QuotesInput {
    /// Carts with at most 2,000 lines and processings in all; with `explain` at most 100,000 steps, counted
    /// as items times adjustments of their seller.
    #[schema(min_items = 1, max_items = 100)]
    carts: Vec<CartInput>,
    /// True to explain each price.
    #[serde(default)]
    explain: bool,
}

/// Cart: buyer, seller, time and lines.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "seller_short_code": "NORD", "buyer_short_code": "SUED",
    "lines": [{ "article_number": "HEB-200-S235JR-12.1", "quantity": "3", "unit": "piece" }] }))]
struct CartInput {
    /// Seller; by default the acting tenant.
    seller_id: Option<i64>,
    /// Short code of the seller, instead of the id or with it.
    #[schema(max_length = 255, example = "NORD")]
    seller_short_code: Option<String>,
    /// Buyer. By default the acting tenant; if that is the seller, any buyer.
    buyer_id: Option<i64>,
    /// Short code of the buyer, instead of the id or with it.
    #[schema(max_length = 255, example = "SUED")]
    buyer_short_code: Option<String>,
    /// True to show a seller their own cart as the buyer sees it, without costs, margin and adjustments that
    /// do not apply.
    #[serde(default)]
    #[schema(default = false)]
    as_customer: bool,
    /// Time of the prices; by default now.
    #[schema(example = "2026-12-01T12:00:00Z")]
    at: Option<DateTime<Utc>>,
    /// Total that the cart should have, in EUR, above zero: the answer gives the discount or surcharge that
    /// leads to it.
    #[schema(example = "2200")]
    target_total: Option<Decimal>,
    #[schema(min_items = 1, max_items = 200)]
    lines: Vec<LineInput>,
}

/// Article and quantity.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QuoteLineInput, example = json!({ "article_number": "HEB-200-S235JR-12.1", "quantity": "3", "unit": "piece" }))]
struct LineInput {
    article_id: Option<i64>,
    /// Article number, ignoring case; instead of the id, or with it.
    #[schema(max_length = 255, example = "HEB-200-S235JR-12.1")]
    article_number: Option<String>,
    /// Number of the article in another system of the acting tenant.
    #[schema(max_length = 255)]
    external_article_number: Option<String>,
    /// Quantity, above zero.
    #[schema(example = "3")]
    quantity: Decimal,
    /// Unit in which the article is counted; by default its listing unit.
    unit: Option<Unit>,
    /// Warehouse that delivers; by default any. A buyer can name those warehouses in which the seller shows a
    /// stock of the article with a sales price; all others are unknown to them.
    warehouse_id: Option<i64>,
    /// Short code of the warehouse, instead of the id or with it.
    #[schema(max_length = 255, example = "DU")]
    warehouse_short_code: Option<String>,
    /// Processings of the articles, each an item of its own.
    #[serde(default)]
    #[schema(max_items = 10)]
    processings: Vec<ProcessingInput>,
    /// Total that the line should have, in EUR, including processings. Above zero.
    #[schema(example = "2200")]
    target_total: Option<Decimal>,
    /// Price that the articles alone should have, in any unit in which they are counted.
    target_price: Option<Money>,
}

/// Processing of the articles of a line.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QuoteProcessing)]
struct ProcessingInput {
    processing_id: i64,
    /// Number of times it is done, a whole number above zero.
    #[schema(example = "4")]
    quantity: Decimal,
    /// Price per time that it is done; only sellers may send it. By default the seller's price for articles
    /// of the type, otherwise the one for all.
    price: Option<Money>,
}

/// Price of a cart. It is built while it is serialised, so that only one explanation at a time is in memory.
pub(super) struct QuoteView {
    index: usize,
    answer: request::QuoteResponse,
    language: Language,
}

/// Price of a cart. Refused lines are not part of it.
#[derive(Serialize, ToSchema)]
#[schema(as = Quote, example = json!({ "index": 0, "seller": { "id": 1, "short_code": "NORD", "company": "Nordstahl Handel GmbH" }, "buyer": null,
    "at": "2026-12-01T12:00:00Z", "lines": [], "base": "2191.81", "total": "2281.82", "rounding": "0", "weight": "2225.19",
    "margin": { "amount": "279.15", "percent": "12.23" }, "target_total": null, "explanation": null }))]
struct QuoteAnswer<'a> {
    /// Index of the cart, from 0.
    index: usize,
    seller: PartyView,
    /// Buyer; `null` for any buyer.
    #[schema(required)]
    buyer: Option<PartyView>,
    at: DateTime<Utc>,
    lines: Vec<LineView<'a>>,
    /// Sum of all base prices in EUR, rounded.
    #[schema(example = "2191.81")]
    base: Decimal,
    /// Total to pay in EUR, rounded once from the exact sum.
    #[schema(example = "2281.82")]
    total: Decimal,
    /// Difference between the cart's total and the sum of the items' totals.
    #[schema(example = "0")]
    rounding: Decimal,
    /// Weight of all articles that have one, in kg.
    #[schema(example = "2225.19")]
    weight: Decimal,
    /// Margin; `null` for a buyer, and if an article has no internal price.
    #[schema(required)]
    margin: Option<MarginView>,
    /// Way to the target; `null` without a target, and if no line has a price.
    #[schema(required)]
    target_total: Option<TargetView>,
    /// Adjustments that did not concern the cart at all; `null` unless requested.
    #[schema(required)]
    explanation: Option<CartExplanation<'a>>,
}

/// Price of a line, or the reason why it is refused.
#[derive(Serialize, ToSchema)]
#[schema(as = QuoteLine, example = json!({ "index": 0, "article": null, "items": [], "internal": null, "margin": null,
    "target_total": null, "target_price": null, "explanation": null, "errors": [{ "field": "article_number", "code": "unknown_reference", "message": "Unbekannter Wert" }],
    "warnings": [] }))]
struct LineView<'a> {
    /// Index of the line, from 0.
    index: usize,
    /// Article; `null` if it is unknown.
    #[schema(required)]
    article: Option<TradedArticle>,
    /// Article, followed by its processings; empty for a refused line.
    items: Vec<ItemView<'a>>,
    /// Reasons why it has no price.
    errors: Vec<ItemFault>,
    /// Warnings about a price that is incomplete: a surcharge table has no value for the month.
    warnings: Vec<ItemFault>,
    /// Cost of the articles for the seller in EUR, rounded; `null` for a buyer.
    #[schema(required)]
    internal: Option<Decimal>,
    /// Margin of the articles.
    #[schema(required)]
    margin: Option<MarginView>,
    /// Way to the target; `null` without a target, and for a line without a price.
    #[schema(required)]
    target_total: Option<TargetView>,
    /// Way to the target for the articles alone.
    #[schema(required)]
    target_price: Option<TargetView>,
    /// Explanation; `null` unless requested.
    #[schema(required)]
    explanation: Option<LineExplanation<'a>>,
}

/// Price of an item, in EUR.
#[derive(Serialize, ToSchema)]
#[schema(as = QuoteItem, example = json!({ "type": "article", "processing_id": null, "base": "2191.81", "total": "2281.82",
    "exact": "2281.81661775", "weight": "2225.19", "explanation": null }))]
struct ItemView<'a> {
    r#type: ItemType,
    #[schema(required)]
    processing_id: Option<i64>,
    /// Price before any adjustment, rounded.
    base: Decimal,
    /// Total, rounded once from the exact total.
    total: Decimal,
    exact: Exact,
    /// Weight of the articles in kg; `null` if it is not known.
    #[schema(required)]
    weight: Option<Decimal>,
    /// Each adjustment with its result; `null` unless requested.
    #[schema(required)]
    explanation: Option<ItemExplanation<'a>>,
}

/// Difference of a price from the internal one, in EUR.
#[derive(Serialize, ToSchema)]
#[schema(as = QuoteMargin)]
struct MarginView {
    amount: Decimal,
    /// Percentage of the price; `null` if that is zero.
    #[schema(required)]
    percent: Option<Decimal>,
}

/// Ways to a target price: the discount or surcharge in percent that leads to it.
#[derive(Serialize, ToSchema)]
#[schema(as = QuoteTarget)]
struct TargetView {
    /// Amount in EUR, before it is rounded.
    exact: Exact,
    /// Step from the present total; `null` if that is zero.
    #[schema(required)]
    from_paid: Option<StepView>,
    /// Step from the base prices, in place of all adjustments; `null` if they are zero.
    #[schema(required)]
    from_base: Option<StepView>,
    /// Step from the cost of the articles; `null` for a buyer, if an article has no internal price,
    /// and for totals with processings, which have none.
    #[schema(required)]
    from_internal: Option<StepView>,
}

/// Discount or surcharge in percent that leads from an amount to a target. Percentages of discounts are
/// negative.
#[derive(Serialize, ToSchema)]
#[schema(as = QuoteTargetStep, example = json!({ "from": "985", "exact_percent": "-3.049746192893401", "percent": "-3.05", "result": "954.96" }))]
struct StepView {
    /// Amount that the percentages refer to, in EUR, rounded.
    from: Decimal,
    /// Percentage that gives the target exactly, to fifteen decimal places.
    exact_percent: Exact,
    /// Percentage rounded once to two decimal places.
    percent: Decimal,
    /// Amount that the rounded percentage gives, in EUR, rounded once.
    result: Decimal,
}

/// Calculates the prices of up to 100 carts at a time, on request with explanations. A line without a price
/// is refused with the reason and is not part of its cart. The acting tenant is the seller or the buyer; a
/// buyer sees only the sales prices that apply to them.
#[utoipa::path(post, path = "/api/admin/quotes")]
async fn calculate(
    by: ReadOnlyPost<Authorized<may::ViewPrice>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(input): Body<QuotesInput>,
) -> Answer<OkJson<Unpaged<QuoteView>>> {
    calculate_quotes(&state, by.scope(), &request, input).await
}

pub(super) async fn calculate_quotes(
    state: &State,
    scope: &Scope,
    request: &Request,
    input: QuotesInput,
) -> Answer<OkJson<Unpaged<QuoteView>>> {
    input.check()?;
    let now = now();
    let questions = input.carts.into_iter().map(|cart| cart.into_question(now)).collect();
    let time_zone = state.time_zone();
    let answers =
        request::answer(&state.db, scope, &state.books, time_zone, questions, input.explain).await?;
    let view = |(index, answer)| QuoteView::new(index, answer, request.language);
    Ok(ok_json(Unpaged { data: answers.into_iter().enumerate().map(view).collect() }))
}

impl QuotesInput {
    fn check(&self) -> values::Result<()> {
        let mut violations = Violations::new();
        check_count(&mut violations, "carts", self.carts.len(), CARTS_MAX);
        let items = self.carts.iter().flat_map(|cart| &cart.lines).map(|line| 1 + line.processings.len());
        if items.sum::<usize>() > ITEMS_IN_ALL_MAX {
            violations.add("carts", codes::TOO_MANY.with("max", ITEMS_IN_ALL_MAX));
        }
        for (index, cart) in self.carts.iter().enumerate() {
            check_count(&mut violations, &format!("carts.{index}.lines"), cart.lines.len(), LINES_MAX);
            for (number, line) in cart.lines.iter().enumerate() {
                if line.processings.len() > PROCESSINGS_MAX {
                    let path = format!("carts.{index}.lines.{number}.processings");
                    violations.add(path, codes::TOO_MANY.with("max", PROCESSINGS_MAX));
                }
            }
        }
        for (index, cart) in self.carts.iter().enumerate() {
            check_total(cart.target_total, &format!("carts.{index}.target_total"), &mut violations);
        }
        violations.check()?;
        for (index, cart) in self.carts.iter().enumerate() {
            if let Some(at) = cart.at {
                check_year(&format!("carts.{index}.at"), at.year())?;
            }
        }
        Ok(())
    }
}

fn check_count(violations: &mut Violations, path: &str, count: usize, max: usize) {
    match count {
        0 => violations.add(path, codes::TOO_FEW.with("min", 1)),
        count if count > max => violations.add(path, codes::TOO_MANY.with("max", max)),
        _ => {}
    }
}

impl CartInput {
    fn into_question(self, now: DateTime<Utc>) -> QuoteRequest {
        QuoteRequest {
            seller: RecordReference::new(self.seller_id, self.seller_short_code),
            buyer: RecordReference::new(self.buyer_id, self.buyer_short_code),
            as_customer: self.as_customer,
            at: self.at.unwrap_or(now),
            target_total: self.target_total,
            lines: self.lines.into_iter().map(RequestedLine::from).collect(),
        }
    }
}

impl From<LineInput> for RequestedLine {
    fn from(line: LineInput) -> Self {
        let place = PlaceReference {
            article: RecordReference::new(line.article_id, line.article_number),
            external_article_number: line.external_article_number,
            warehouse: RecordReference::new(line.warehouse_id, line.warehouse_short_code),
            external_warehouse_identifier: None,
        };
        let processing = |input: ProcessingInput| Processing {
            id: input.processing_id,
            quantity: input.quantity,
            price: input.price,
        };
        let processings = line.processings.into_iter().map(processing).collect();
        let targets = RequestedPrices { total: line.target_total, price: line.target_price };
        Self { place, quantity: line.quantity, unit: line.unit, processings, targets }
    }
}

impl QuoteView {
    fn new(index: usize, answer: request::QuoteResponse, language: Language) -> Self {
        Self { index, answer, language }
    }

    fn to_answer(&self) -> QuoteAnswer<'_> {
        let Self { index, answer, language } = self;
        let request::QuoteResponse { seller, buyer, book, cart, quote, targets, lines } = answer;
        let (explanation, explained) = explain(book, cart, quote, now()).unzip();
        let mut explained = explained.unwrap_or_default().into_iter().map(Some).collect::<Vec<_>>();
        let line = |(index, line): (usize, &Result<_, Violations>)| match line {
            Ok((article, place)) => {
                let explanation = explained.get_mut(*place).and_then(Option::take);
                let quoted = quote.lines.get(*place);
                let targets = targets.lines.get(*place);
                LineView::new(index, TradedArticle::from(article), quoted, targets, explanation, *language)
            }
            Err(violations) => LineView::refused(index, violations, *language),
        };
        QuoteAnswer {
            index: *index,
            at: cart.moment.at,
            lines: lines.iter().enumerate().map(line).collect(),
            seller: seller.into(),
            buyer: buyer.as_ref().map(PartyView::from),
            base: quote.base.shown(),
            total: quote.total.shown(),
            rounding: quote.rounding(),
            weight: quote.weight.to_decimal(),
            margin: quote.margin.map(MarginView::from),
            target_total: targets.total.map(TargetView::from),
            explanation,
        }
    }
}

impl Serialize for QuoteView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_answer().serialize(serializer)
    }
}

impl ToSchema for QuoteView {
    fn name() -> Cow<'static, str> {
        QuoteAnswer::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        QuoteAnswer::schemas(schemas);
    }
}

impl PartialSchema for QuoteView {
    fn schema() -> RefOr<Schema> {
        QuoteAnswer::schema()
    }
}

impl<'a> LineView<'a> {
    fn new(
        index: usize,
        article: TradedArticle,
        quoted: Option<&LineQuote>,
        targets: Option<&LineTargets>,
        mut explanation: Option<LineExplanation<'a>>,
        language: Language,
    ) -> Self {
        let steps = explanation.as_mut().map(|explanation| std::mem::take(&mut explanation.items));
        let mut steps = steps.into_iter().flatten();
        let items = quoted.map_or(&[][..], |quoted| &quoted.items);
        let refused = quoted.map_or(&[][..], |quoted| &quoted.refused);
        let faults = |messages: &[Message]| {
            let field = |message: &Message| pricing::quote::refused_field(message.code).map(str::to_owned);
            messages.iter().map(|message| ItemFault::new(field(message), message, language)).collect()
        };
        Self {
            index,
            article: Some(article),
            items: items.iter().map(|item| ItemView::new(item, steps.next())).collect(),
            errors: faults(refused),
            warnings: faults(quoted.map_or(&[][..], |quoted| &quoted.warnings)),
            internal: quoted.and_then(|quoted| quoted.internal).map(Exact::shown),
            margin: quoted.and_then(|quoted| quoted.margin).map(MarginView::from),
            target_total: targets.and_then(|targets| targets.total).map(TargetView::from),
            target_price: targets.and_then(|targets| targets.price).map(TargetView::from),
            explanation,
        }
    }

    fn refused(index: usize, violations: &Violations, language: Language) -> Self {
        let fault =
            |Violation { path, message }: &Violation| ItemFault::new(Some(path.clone()), message, language);
        Self {
            index,
            article: None,
            items: Vec::new(),
            errors: violations.iter().map(fault).collect(),
            warnings: Vec::new(),
            internal: None,
            margin: None,
            target_total: None,
            target_price: None,
            explanation: None,
        }
    }
}

impl<'a> ItemView<'a> {
    fn new(item: &ItemQuote, explanation: Option<ItemExplanation<'a>>) -> Self {
        Self {
            r#type: item.kind,
            processing_id: item.processing,
            base: item.base.shown(),
            total: item.total.shown(),
            exact: item.total,
            weight: item.weight.map(Exact::to_decimal),
            explanation,
        }
    }
}

impl From<PriceTarget> for TargetView {
    fn from(PriceTarget { amount, from_paid, from_base, from_internal }: PriceTarget) -> Self {
        let [from_paid, from_base, from_internal] =
            [from_paid, from_base, from_internal].map(|step| step.map(StepView::from));
        Self { exact: amount, from_paid, from_base, from_internal }
    }
}

impl From<PercentStep> for StepView {
    fn from(PercentStep { from, exact, percent, result }: PercentStep) -> Self {
        Self { from, exact_percent: exact, percent, result }
    }
}

impl From<Margin> for MarginView {
    fn from(margin: Margin) -> Self {
        Self { amount: margin.amount.shown(), percent: margin.percent }
    }
}
