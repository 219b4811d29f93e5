//! Explanation of a quote as data: every list and stock that was considered, each conversion, each adjustment
//! with
//! its conditions and the values that they were compared with. A buyer sees what applies to them, and nothing
//! else.
//!
//! Names and conditions are borrowed from the book: a cart of 20 lines and 50 adjustments has a thousand
//! steps.

mod conditions;
mod lists;
mod steps;

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use values::{Decimal, Instant, Money, Unit};

pub use self::{
    conditions::{ConditionExplanation, ConditionGroup, Conditions},
    lists::Lists,
    steps::{StepExplanation, Steps, SurchargeExplanation},
};
pub use super::run::AdjustmentOutcome;
use super::{
    Cart, ItemQuote, Line, LineQuote, Quote, Record, Viewpoint,
    article::Conversion,
    base::{Base, ListExclusion, Source, SourceOutcome},
    book::Book,
    chain::LeftOut,
    processing::{MatchedPrice, ProcessingPriceSource},
};
use crate::exact::{Exact, Ratio};

/// Lists and adjustments that do not concern the cart at all; empty for a buyer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuoteExplanation)]
pub struct CartExplanation<'q> {
    /// The seller's sales lists that do not apply.
    pub lists: Vec<ListLeftOut<'q>>,
    pub adjustments: Vec<AdjustmentLeftOut<'q>>,
}

/// A list that does not apply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ListLeftOut<'q> {
    pub id: i64,
    #[schema(example = "Verkauf 2027")]
    pub name: &'q str,
    pub reason: ListReason,
}

/// Reason why a list does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListReason {
    Pending,
    Expired,
    NotForBuyer,
}

/// An adjustment that does not concern the cart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AdjustmentLeftOut<'q> {
    pub id: i64,
    #[schema(example = "Mindermengenzuschlag")]
    pub name: &'q str,
    pub reason: AdjustmentReason,
}

/// Reason why an adjustment does not concern a cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdjustmentReason {
    Inactive,
    NotYetValid,
    NoLongerValid,
    NotForBuyer,
}

/// Explanation of the price of a line.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QuoteLineExplanation, example = json!({ "lists": [], "stocks": [{ "id": 7, "outcome": "won" }], "price": null,
    "internal_price": null }))]
pub struct LineExplanation<'q> {
    /// The lists that apply, in the order in which they were asked.
    #[schema(value_type = Vec<ListConsidered<'q>>)]
    pub lists: Lists<'q>,
    /// The seller's stocks of the article; for a buyer the one whose price counts.
    pub stocks: Vec<StockConsidered>,
    #[schema(required)]
    pub price: Option<PriceExplanation>,
    /// Cost to the seller; `null` for a buyer.
    #[schema(required)]
    pub internal_price: Option<PriceExplanation>,
    /// Items in the order of the line's items, if they are shown.
    #[serde(skip)]
    #[schema(ignore)]
    pub items: Vec<ItemExplanation<'q>>,
}

/// A list that applies, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ListConsidered<'q> {
    pub id: i64,
    /// Name of the list; for a buyer the name meant for customers.
    #[schema(example = "Verkauf 2027")]
    pub name: &'q str,
    pub applies: ListApplies,
    /// `null` for a buyer who does not see the list yet.
    #[schema(required)]
    pub valid_from: Option<DateTime<Utc>>,
    pub outcome: PriceOutcome,
}

/// Reason why a list applies: it names the buyer, or a group of theirs, or is for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListApplies {
    Own,
    Group,
    Global,
}

/// A stock, and what became of its price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct StockConsidered {
    pub id: i64,
    pub outcome: PriceOutcome,
}

/// Result for a price: it counts; the article has none; the quantity is below its first quantity break; no
/// conversion leads from the quantity's unit to the price's; another price comes first; another stock costs
/// less;
/// the stock is in another warehouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PriceOutcome {
    Won,
    NoPrice,
    BelowFirstTier,
    NotConvertible,
    OtherFirst,
    Dearer,
    OtherWarehouse,
}

/// A price, and what it comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PriceExplanation {
    /// Id of the list that contains the price.
    #[schema(required)]
    pub list_id: Option<i64>,
    /// Id of the stock that has the price.
    #[schema(required)]
    pub stock_id: Option<i64>,
    pub price: Money,
    /// The tier that counts; `null`: the price without tiers.
    #[schema(required)]
    pub quantity_from: Option<Decimal>,
    /// Unit of the quantity break, as it was entered.
    pub quantity_unit: Unit,
    /// Conversions from the quantity's unit to the price's, step by step.
    pub conversions: Vec<ConversionExplanation>,
    /// EUR, rounded.
    pub amount: Decimal,
    /// EUR, as it is calculated with.
    pub exact: Exact,
}

/// A quantity in one unit and in the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuoteConversion)]
pub struct ConversionExplanation {
    pub amount: Decimal,
    pub unit: Unit,
    pub to_amount: Decimal,
    pub to_unit: Unit,
    /// Fact about the article: one `of_unit` is `is_amount` of `is_unit`. `null` if the units alone give the
    /// factor.
    #[schema(required)]
    pub because: Option<KnownOfArticle>,
}

/// One of a unit in another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct KnownOfArticle {
    pub of_unit: Unit,
    pub is_amount: Decimal,
    pub is_unit: Unit,
}

/// Explanation of the price of an item. Base price, amounts of the steps and rounding add up to the shown
/// price.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QuoteItemExplanation)]
pub struct ItemExplanation<'q> {
    /// Price of the processing; `null` for the articles themselves.
    #[schema(required)]
    pub processing_price: Option<ProcessingPriceExplanation>,
    /// Steps in their order; for a buyer only those that were applied.
    #[schema(value_type = Vec<StepExplanation<'q>>)]
    pub steps: Steps<'q>,
    /// EUR: nothing, as the steps are shown so that they add up.
    pub rounding: Decimal,
}

/// The price of a processing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuoteProcessingPrice, example = json!({ "source": "article_type", "id": 7,
    "price": { "price": "4.5", "price_quantity": "1", "unit": "piece" } }))]
pub struct ProcessingPriceExplanation {
    pub source: ProcessingPriceSource,
    /// Id of the seller's price; `null` if the request named the price.
    #[schema(required)]
    pub id: Option<i64>,
    pub price: Money,
}

/// Explains a quote of this book and cart; `None` if no explanation was requested.
///
/// `now` decides which of the seller's planned lists a buyer sees. Of lists that they do not see, only the
/// one
/// that the price comes from is named, and only by its name.
pub fn explain<'q>(
    book: &'q Book,
    cart: &'q Cart,
    quote: &'q Quote,
    now: Instant,
) -> Option<(CartExplanation<'q>, Vec<LineExplanation<'q>>)> {
    let explainer = Explainer { book, cart, quote, record: quote.record.as_ref()?, now };
    let lines = cart.lines.iter().zip(&quote.lines).enumerate();
    let lines = lines.map(|(place, (line, quoted))| explainer.line(place, line, quoted)).collect();
    Some((explainer.cart(), lines))
}

#[derive(Debug, Clone, Copy)]
struct Explainer<'q> {
    book: &'q Book,
    cart: &'q Cart,
    quote: &'q Quote,
    record: &'q Record,
    now: Instant,
}

impl<'q> Explainer<'q> {
    fn sees_all(&self) -> bool {
        self.quote.viewpoint == Viewpoint::Seller
    }

    fn cart(&self) -> CartExplanation<'q> {
        let mut explanation = CartExplanation { lists: Vec::new(), adjustments: Vec::new() };
        if !self.sees_all() {
            return explanation;
        }
        for (place, unfit) in &self.record.candidates.others {
            explanation.lists.extend(self.book.lists.get(*place).map(|list| ListLeftOut {
                id: list.head.id,
                name: &list.head.name,
                reason: match unfit {
                    ListExclusion::Pending => ListReason::Pending,
                    ListExclusion::Expired => ListReason::Expired,
                    ListExclusion::NotForBuyer => ListReason::NotForBuyer,
                },
            }));
        }
        for (place, left_out) in &self.record.chain.left_out {
            explanation.adjustments.extend(self.book.links.get(*place).map(|link| AdjustmentLeftOut {
                id: link.adjustment.id,
                name: &link.adjustment.name,
                reason: match left_out {
                    LeftOut::Inactive => AdjustmentReason::Inactive,
                    LeftOut::NotYetValid => AdjustmentReason::NotYetValid,
                    LeftOut::NoLongerValid => AdjustmentReason::NoLongerValid,
                    LeftOut::NotForBuyer => AdjustmentReason::NotForBuyer,
                },
            }));
        }
        explanation
    }

    fn line(&self, place: usize, line: &'q Line, quoted: &'q LineQuote) -> LineExplanation<'q> {
        let is_shown = |outcome: SourceOutcome| outcome == SourceOutcome::Won || self.sees_all();
        let stocks = quoted.base_prices.stocks.iter().filter(|(_, outcome)| is_shown(*outcome));
        let priced = |base: &Base| self.priced(line, base);
        LineExplanation {
            lists: Lists { explainer: *self, line: place },
            stocks: stocks
                .map(|(id, outcome)| StockConsidered { id: *id, outcome: (*outcome).into() })
                .collect(),
            price: quoted.base_prices.base.as_ref().ok().map(priced),
            internal_price: quoted.base_prices.internal.as_ref().filter(|_| self.sees_all()).map(priced),
            items: quoted.items.iter().map(|item| self.item(line, item)).collect(),
        }
    }

    fn priced(&self, line: &Line, base: &Base) -> PriceExplanation {
        let (list_id, stock_id) = match base.source {
            Source::List(place) => (self.book.lists.get(place).map(|list| list.head.id), None),
            Source::Stock(id) => (None, Some(id)),
        };
        let quantity = Ratio::from_decimal(line.quantity).unwrap_or(Ratio::ZERO);
        let amount = Exact::from_ratio(base.amount).unwrap_or_default();
        let conversions = line.article.conversions(quantity, line.unit, base.priced.price.unit);
        let listed = line.article.listing_unit;
        PriceExplanation {
            list_id,
            stock_id,
            price: base.priced.price,
            quantity_from: base.priced.from.map(|start| start.quantity),
            quantity_unit: base.priced.from.map_or(listed, |start| start.unit(listed)),
            conversions: conversions.into_iter().map(ConversionExplanation::from).collect(),
            amount: amount.shown(),
            exact: amount,
        }
    }

    fn item(&self, line: &'q Line, item: &'q ItemQuote) -> ItemExplanation<'q> {
        let rounding = self.record.roundings.get(item.place).copied().unwrap_or_default();
        let steps = Steps { explainer: *self, line, item };
        ItemExplanation { processing_price: self.processing_price(line, item), steps, rounding }
    }

    fn processing_price(&self, line: &Line, item: &ItemQuote) -> Option<ProcessingPriceExplanation> {
        let processing = line.processings.get(item.number?)?;
        let MatchedPrice { source, id, price } =
            self.book.processing_prices.find(&line.article, processing)?;
        Some(ProcessingPriceExplanation { source, id, price })
    }
}

impl From<Conversion> for ConversionExplanation {
    fn from(step: Conversion) -> Self {
        let because = step.because.map(|relation| KnownOfArticle {
            of_unit: relation.from,
            is_amount: relation.amount,
            is_unit: relation.unit,
        });
        let Conversion { amount, unit, to_amount, to_unit, .. } = step;
        Self { amount, unit, to_amount, to_unit, because }
    }
}

impl From<SourceOutcome> for PriceOutcome {
    fn from(outcome: SourceOutcome) -> Self {
        match outcome {
            SourceOutcome::Won => Self::Won,
            SourceOutcome::NoPrice => Self::NoPrice,
            SourceOutcome::BelowFirstTier => Self::BelowFirstTier,
            SourceOutcome::NotConvertible => Self::NotConvertible,
            SourceOutcome::OtherFirst => Self::OtherFirst,
            SourceOutcome::Dearer => Self::Dearer,
            SourceOutcome::OtherWarehouse => Self::OtherWarehouse,
        }
    }
}
