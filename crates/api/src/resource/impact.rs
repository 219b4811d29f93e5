//! Impact of a change of prices, as the API returns it.

use std::{
    future::{Ready, ready},
    time::Duration,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Data};
use chrono::{DateTime, Datelike, Utc};
use http_api::{
    answer::OkJson,
    contract::Schemas,
    input::{self, Input},
    problem::Refusal,
    request::Request,
    routes::Answer,
};
use logistics::calendar::check_year;
use pricing::impact::{
    Catalogue, Customers, ExaminedCarts, ExaminedQuantity, Impact, Mover, Moves, SampleImpact, SampleTotal,
    StockValue, rehearse_impact,
};
use serde::Serialize;
use store::{Database, Scope, deadline};
use utoipa::{ToSchema, openapi::path::Operation};
use values::{Decimal, Error, Instant, Language, Result, TenantId, Unit};

use crate::{
    codes,
    resource::{item_fault::ItemFault, stocks::TradedArticle, tenants::PartyView},
    state::{Server, State},
};

/// Maximum time that a calculation of a catalogue waits in the queue.
const PATIENCE: Duration = Duration::from_secs(8);

/// Calculates a catalogue once a permit is free; the number of concurrent calculations is limited.
pub(super) async fn calculate_limited<T>(
    state: &State,
    calculate: impl AsyncFnOnce() -> Result<T>,
) -> Result<T> {
    let permit = tokio::time::timeout(PATIENCE, state.comparisons.acquire()).await;
    let _permit = permit.map_err(|_| codes::BUSY)?.map_err(Error::internal)?;
    deadline::extend(deadline::MANY_RECORDS);
    calculate().await
}

/// Calculates and returns the impact of changes on prices.
pub(super) struct ImpactCalculator {
    pub(super) state: Data<State>,
    pub(super) request: Request,
}

impl FromRequest for ImpactCalculator {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let calculator =
            || Ok(Self { state: Server::read(request)?.clone(), request: input::request_info(request)? });
        ready(calculator().map_err(Refusal))
    }
}

impl Input for ImpactCalculator {
    fn describe(_: &mut Operation, _: &mut Schemas) {}
}

impl ImpactCalculator {
    /// Returns an impact that is calculated once a permit is free.
    pub(super) async fn answer(
        &self,
        calculate: impl AsyncFnOnce(&State) -> Result<Impact>,
    ) -> Answer<OkJson<ImpactView>> {
        let impact = calculate_limited(&self.state, async || calculate(&self.state).await).await?;
        Ok(OkJson(ImpactView::new(impact, self.request.language)))
    }

    /// Returns the impact of a change on the prices of a seller. The change runs in a rehearsal and returns
    /// how many prices need a release.
    pub(super) async fn rehearse(
        &self,
        scope: &Scope,
        seller: TenantId,
        change: impl AsyncFnOnce(&Database) -> Result<u64>,
    ) -> Answer<OkJson<ImpactView>> {
        let calculate =
            async |state: &State| rehearse_impact(&state.db, scope, state.calculator(), seller, change).await;
        self.answer(calculate).await
    }
}

/// Makes a change and releases the prices that need it; returns their number.
pub(super) async fn release(change: impl AsyncFn(Option<bool>) -> Result<()>) -> Result<u64> {
    match change(None).await {
        Err(Error::ReleaseNeeded(suspicious)) => {
            change(Some(true)).await?;
            Ok(suspicious.iter().count() as u64)
        }
        outcome => outcome.map(|()| 0),
    }
}

/// Checks that a time is within the years that calendars cover.
pub(super) fn moment(at: Option<Instant>) -> Result<Option<Instant>> {
    if let Some(at) = at {
        check_year("at", at.year())?;
    }
    Ok(at)
}

/// Impact of a change on prices: on sample carts, and on articles for each group of customers with the same
/// prices, before and after. A price is the price of a quantity of an article for such customers at a time.
/// The quantities are one price unit, 25 tonnes, and those that conditions and quantity breaks of the change
/// name; the times are those of its conditions and periods. `examined` lists them; prices of other carts may
/// change as well. Money is in EUR, rounded.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceImpact)]
pub(super) struct ImpactView {
    /// First time at which both are calculated.
    at: DateTime<Utc>,
    examined: ExaminedView,
    /// Articles that the change may affect: for a list those that have or had a price in it, for adjustments
    /// all that are sold.
    #[schema(example = 1240)]
    articles_in_all: u64,
    /// Examined articles: all of them, or an evenly spread sample.
    #[schema(example = 1240)]
    articles_examined: u64,
    /// Articles with a price that changes, appears or disappears.
    #[schema(example = 312)]
    articles_touched: u64,
    /// Articles that get a price and had none before.
    #[schema(example = 0)]
    articles_appearing: u64,
    /// Articles that lose their price.
    #[schema(example = 0)]
    articles_vanishing: u64,
    /// Articles for which a customer pays less than they cost the seller.
    #[schema(example = 3)]
    below_internal_before: u64,
    #[schema(example = 5)]
    below_internal_after: u64,
    up: MovesView,
    down: MovesView,
    /// Twenty articles with the largest changes, each with its largest one.
    movers: Vec<MoverView>,
    customers: CustomersView,
    /// Sample carts by name; `null` to callers who may not list them.
    #[schema(required)]
    sample_carts: Option<Vec<SampleView>>,
    /// Value of the stock; `null` to callers who may not list stocks.
    #[schema(required)]
    stock_value: Option<StockValueView>,
    /// Prices of the change that look like a mistake and need a release. Those in a list would be under
    /// review, and are counted unchanged.
    #[schema(example = 0)]
    held: u64,
}

/// Calculated carts of one article each.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceImpactExamined)]
struct ExaminedView {
    #[schema(example = 17360)]
    carts: u64,
    /// Times that were calculated, at most 16; figures without a time are those of the first one.
    moments: Vec<DateTime<Utc>>,
    quantities: Vec<QuantityView>,
    /// Number of groups of customers with the same prices.
    #[schema(example = 3)]
    customer_groups: u64,
    /// True if all articles were calculated for each group, time and quantity.
    complete: bool,
}

/// Quantity in which articles were calculated.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceImpactQuantity)]
struct QuantityView {
    kind: QuantityKind,
    /// Value; `null` for one price unit, and for quantity breaks.
    #[schema(required, example = "100")]
    value: Option<Decimal>,
    /// Unit; `null` for EUR.
    #[schema(required)]
    unit: Option<Unit>,
}

/// Kind of a quantity: one price unit of the article; exactly the value; the value of a condition, a little
/// less and a little more; the quantities from which an article has other prices.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PriceImpactQuantityKind)]
enum QuantityKind {
    PriceUnit,
    Exactly,
    Around,
    Breaks,
}

/// Prices that move in one direction, in percent without a sign.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceMoves)]
struct MovesView {
    #[schema(example = 624)]
    prices: u64,
    /// Half of the prices move by less; `null` if none moves.
    #[schema(required, example = "2.5")]
    median_percent: Option<Decimal>,
    #[schema(required, example = "7.14")]
    largest_percent: Option<Decimal>,
}

/// An article whose price moves.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceMover)]
struct MoverView {
    article: TradedArticle,
    /// One of the customers who pay it; `null` for any customer.
    #[schema(required)]
    buyer: Option<PartyView>,
    at: DateTime<Utc>,
    #[schema(example = "25")]
    quantity: Decimal,
    unit: Unit,
    /// Processing that is done once and is part of the price.
    #[schema(required, example = "Sägen gerade")]
    processing: Option<String>,
    #[schema(example = "24625")]
    before: Decimal,
    #[schema(example = "23886.25")]
    after: Decimal,
    #[schema(example = "-738.75")]
    change: Decimal,
    /// Change in percent; `null` if the price was zero before.
    #[schema(required, example = "-3")]
    percent: Option<Decimal>,
    /// True if the price afterwards is below the article's cost for the seller.
    below_internal: bool,
}

/// Customers whose prices change.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceImpactCustomers)]
struct CustomersView {
    #[schema(example = 12)]
    count: u64,
    /// Customers whom lists or adjustments name, directly or by a group: at most 100, by short code. All
    /// others pay the general prices.
    named: Vec<PartyView>,
}

/// Value of the stock on hand, before and after: each stock of an examined article whose price changes,
/// priced as one order line of its whole quantity from its warehouse. Quantities are those at the time of the
/// request. Remnants and stocks without a quantity are left out. Money is in EUR: sums of lines that are
/// rounded to cents.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceImpactStockValue)]
struct StockValueView {
    /// Customer at whose prices stocks are valued; `null` for any customer. Prices may change for others too.
    #[schema(required)]
    buyer: Option<PartyView>,
    /// First time at which a price of this customer changes.
    at: DateTime<Utc>,
    /// Stocks with a quantity above zero; 0 if none of the articles is in stock.
    #[schema(example = 86)]
    stocks: u64,
    /// Stocks without a price before or after; both values leave them out.
    #[schema(example = 0)]
    without_price: u64,
    #[schema(example = "1240550.4")]
    before: Decimal,
    #[schema(example = "1203333.89")]
    after: Decimal,
    #[schema(example = "-37216.51")]
    change: Decimal,
    /// Change in percent; `null` if the value was 0 before.
    #[schema(required, example = "-3")]
    percent: Option<Decimal>,
    /// True if all articles were examined and all of their stocks are counted, at most 50,000.
    complete: bool,
}

/// Price of a sample cart before and after.
#[derive(Serialize, ToSchema)]
#[schema(as = SampleCartImpact)]
struct SampleView {
    id: i64,
    #[schema(example = "Träger für Stammkunden, 5 t")]
    name: String,
    /// First of the times at which it changes; the first time if it does not change.
    at: DateTime<Utc>,
    before: SampleTotalView,
    after: SampleTotalView,
    /// Change of the total; `null` if one of both has no total.
    #[schema(required, example = "-30")]
    change: Option<Decimal>,
    #[schema(required, example = "-1.52")]
    percent: Option<Decimal>,
}

/// Price of a sample cart.
#[derive(Serialize, ToSchema)]
#[schema(as = SampleCartTotal)]
struct SampleTotalView {
    /// Total; `null` if a line has no price.
    #[schema(required, example = "1970")]
    total: Option<Decimal>,
    as_expected: bool,
    /// Errors of lines without a price, at `lines.<index>`.
    errors: Vec<ItemFault>,
}

impl ImpactView {
    pub(super) fn new(impact: Impact, language: Language) -> Self {
        let Impact { at, examined, catalogue, customers, sample_carts, stock_value, under_review } = impact;
        let Catalogue {
            articles_in_all,
            articles_examined,
            articles_touched,
            below_internal_before,
            below_internal_after,
            articles_appearing,
            articles_vanishing,
            up,
            down,
            movers,
        } = catalogue;
        Self {
            at,
            examined: examined.into(),
            articles_in_all,
            articles_examined,
            articles_touched,
            articles_appearing,
            articles_vanishing,
            below_internal_before,
            below_internal_after,
            up: up.into(),
            down: down.into(),
            movers: movers.into_iter().map(MoverView::from).collect(),
            customers: customers.into(),
            sample_carts: sample_carts
                .map(|carts| carts.into_iter().map(|cart| SampleView::new(cart, language)).collect()),
            stock_value: stock_value.map(StockValueView::from),
            held: under_review,
        }
    }
}

impl From<ExaminedCarts> for ExaminedView {
    fn from(ExaminedCarts { carts, moments, quantities, customer_groups, complete }: ExaminedCarts) -> Self {
        let quantities = quantities.into_iter().map(QuantityView::from).collect();
        Self { carts, moments, quantities, customer_groups, complete }
    }
}

impl From<ExaminedQuantity> for QuantityView {
    fn from(quantity: ExaminedQuantity) -> Self {
        let (kind, value, unit) = match quantity {
            ExaminedQuantity::PriceUnit => (QuantityKind::PriceUnit, None, None),
            ExaminedQuantity::Exactly(value, unit) => (QuantityKind::Exactly, Some(value), Some(unit)),
            ExaminedQuantity::Around(value, unit) => (QuantityKind::Around, Some(value), unit),
            ExaminedQuantity::Breaks => (QuantityKind::Breaks, None, None),
        };
        Self { kind, value, unit }
    }
}

impl From<Moves> for MovesView {
    fn from(Moves { prices, median_percent, largest_percent }: Moves) -> Self {
        Self { prices, median_percent, largest_percent }
    }
}

impl From<Mover> for MoverView {
    fn from(mover: Mover) -> Self {
        let Mover { article, buyer, at, quantity, unit, processing, before, after, change, below_internal } =
            mover;
        Self {
            article: TradedArticle::from(&*article),
            buyer: buyer.as_ref().map(PartyView::from),
            at,
            quantity,
            unit,
            processing,
            before,
            after,
            change: change.amount,
            percent: change.percent,
            below_internal,
        }
    }
}

impl From<Customers> for CustomersView {
    fn from(Customers { count, parties }: Customers) -> Self {
        Self { count, named: parties.iter().map(PartyView::from).collect() }
    }
}

impl From<StockValue> for StockValueView {
    fn from(value: StockValue) -> Self {
        let StockValue { buyer, at, stocks, without_price, before, after, change, complete } = value;
        Self {
            buyer: buyer.as_ref().map(PartyView::from),
            at,
            stocks,
            without_price,
            before,
            after,
            change: change.amount,
            percent: change.percent,
            complete,
        }
    }
}

impl SampleView {
    fn new(SampleImpact { id, name, at, before, after, change }: SampleImpact, language: Language) -> Self {
        Self {
            id,
            name,
            at,
            before: SampleTotalView::new(before, language),
            after: SampleTotalView::new(after, language),
            change: change.map(|change| change.amount),
            percent: change.and_then(|change| change.percent),
        }
    }
}

impl SampleTotalView {
    fn new(SampleTotal { total, as_expected, refused }: SampleTotal, language: Language) -> Self {
        let fault = |(line, field, message): (usize, Option<String>, values::Message)| {
            let below = field.map(|field| format!(".{field}")).unwrap_or_default();
            ItemFault::new(Some(format!("lines.{line}{below}")), &message, language)
        };
        Self { total, as_expected, errors: refused.into_iter().map(fault).collect() }
    }
}
