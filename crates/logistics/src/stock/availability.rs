//! Availability checks: is there enough of an article, in which warehouse, and when. Only stocks in the
//! article's own dimensions count, not remnants, and quantities of several warehouses are not added up,
//! because one of them delivers.

use std::{cmp::Reverse, collections::HashMap, iter::once, ops::Range};

use catalog::article_units::ArticleUnits;
use chrono::NaiveDate;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};
use store::Scope;
use values::{Decimal, Instant, Minutes, Result, TenantId, Unit, Violations, rule};

use super::{
    Availability, Column, Stock, Stocks, confirmation,
    external_quantity::{self, ExternalQuantity},
};
use crate::{
    calendar::{Calendar, Installation},
    codes,
    matching::directory::{Directory, EXTERNAL_WAREHOUSE, PlaceReference},
    stock::{self, shown_warehouses::ShownWarehouses},
    warehouse::{self, WarehouseDetail, WarehouseName, Warehouses, closure, readiness::PreparationRules},
};

/// Maximum number of warehouses that can deliver the goods of one question.
pub const SOURCES_MAX: usize = 10;

/// Smallest quantity above zero, since quantities have six places.
const SMALLEST_QUANTITY: Decimal = Decimal::from_millionths(1);

/// Article and quantity that a caller asks for.
#[derive(Debug, Clone)]
pub struct AvailabilityQuery {
    pub place: PlaceReference,
    pub quantity: Decimal,
    /// Unit of the quantity; the article's base unit if absent.
    pub unit: Option<Unit>,
}

/// Verdict on a requested quantity, the best one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Available {
    Yes,
    Unknown,
    No,
}

/// Reason of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AvailabilityReason {
    /// Any quantity is always available.
    Always,
    Enough,
    /// Quantity known only to the tenant's own system, which cannot be queried.
    NotAsked,
    TooLittle,
    NoStock,
}

/// Answer to a question.
#[derive(Debug, Clone)]
pub struct AvailabilityAnswer {
    pub available: Available,
    pub reason: AvailabilityReason,
    /// Unit of quantities: the article's base unit.
    pub unit: Unit,
    /// Stock that delivers, or the largest one if none has enough.
    pub stock: Option<DeliveringStock>,
    /// Time at which it is ready there if it is ordered now.
    pub earliest_at: Option<Instant>,
}

/// Stock that an answer is based on.
#[derive(Debug, Clone)]
pub struct DeliveringStock {
    pub warehouse: WarehouseName,
    pub source: Availability,
    pub quantity: Option<Decimal>,
    pub lead_time: Option<Minutes>,
    /// Time at which it was last written or confirmed, or answered by another system.
    pub as_of: Instant,
    pub answered_by: AnsweredBy,
}

/// Origin of a quantity: the stock itself, a live or an earlier answer of the tenant's own system, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnsweredBy {
    Stock,
    Live,
    LastKnown,
    Unknown,
}

impl AnsweredBy {
    /// Origin for a stock of another system.
    pub fn external(quantity: Option<&ExternalQuantity>) -> Self {
        match quantity {
            Some(quantity) if quantity.is_live => Self::Live,
            Some(_) => Self::LastKnown,
            None => Self::Unknown,
        }
    }
}

/// Finds the best stock of one article for a quantity: among equal answers the one with the shortest lead
/// time, then the largest.
pub fn best<'s>(
    stocks: impl Iterator<Item = &'s Stock>,
    demand: Decimal,
) -> (Available, AvailabilityReason, Option<&'s Stock>) {
    let judged = stocks.map(|stock| {
        let (available, reason) = judge(stock, demand);
        (available, reason, Some(stock))
    });
    let rank = |(available, _, stock): &(Available, AvailabilityReason, Option<&Stock>)| {
        let lead_time = stock.and_then(|stock| stock.lead_time).map_or(0, Minutes::minutes);
        let quantity = stock.and_then(|stock| stock.quantity).unwrap_or_default();
        match available {
            Available::No => (*available, 0, Reverse(quantity), lead_time),
            _ => (*available, lead_time, Reverse(quantity), 0),
        }
    };
    judged.min_by_key(rank).unwrap_or((Available::No, AvailabilityReason::NoStock, None))
}

fn judge(stock: &Stock, demand: Decimal) -> (Available, AvailabilityReason) {
    match (stock.availability_type, stock.quantity) {
        (Availability::Always, _) => (Available::Yes, AvailabilityReason::Always),
        (Availability::ExternalApi, None) => (Available::Unknown, AvailabilityReason::NotAsked),
        (_, Some(quantity)) if quantity >= demand => (Available::Yes, AvailabilityReason::Enough),
        (Availability::Quantity | Availability::ExternalApi, _) => {
            (Available::No, AvailabilityReason::TooLittle)
        }
    }
}

/// Questions with their names resolved, and the stocks that can answer them.
#[derive(Debug)]
pub struct Inquiry {
    /// Scope of the owner of the stocks.
    owner: Scope,
    resolved: Vec<Result<ResolvedQuery, Violations>>,
    /// Stocks by article. Those of other systems have the quantity that is known of them.
    stocks: HashMap<i64, Vec<Stock>>,
    /// Answers of other systems by stock.
    external: HashMap<i64, ExternalQuantity>,
    /// True if a buyer asks, to whom quantities are hidden.
    is_buyers: bool,
}

/// Warehouse with the goods, and its calendar.
#[derive(Debug, Clone)]
pub struct Source {
    pub detail: WarehouseDetail,
    pub calendar: Calendar,
    /// Time until the goods are there.
    pub lead_time: Minutes,
}

/// Reason why no goods can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSource {
    /// Missing or insufficient stock.
    NoStock,
    /// Quantity known only to the owner's own system, which cannot be queried.
    NotAsked,
}

impl Inquiry {
    /// Resolves questions of the acting tenant about its own stocks.
    pub async fn about_own_stocks(
        db: &impl ConnectionTrait,
        scope: &Scope,
        questions: &[AvailabilityQuery],
    ) -> Result<Self> {
        let directory = directory(db, scope, questions).await?;
        let resolved: Vec<_> =
            questions.iter().map(|question| ResolvedQuery::for_owner(question, &directory)).collect();
        let stocks = load_whole_stocks(db, scope, &resolved).await?;
        Self { owner: *scope, resolved, stocks, external: HashMap::new(), is_buyers: false }
            .with_last_known(db)
            .await
    }

    /// Resolves questions of a buyer about the stocks that a seller shows. `load_shown` loads the warehouses
    /// where the seller shows these articles.
    pub async fn about_shown_stocks(
        db: &impl ConnectionTrait,
        scope: &Scope,
        seller: TenantId,
        load_shown: impl AsyncFnOnce(&[i64]) -> Result<ShownWarehouses>,
        questions: &[AvailabilityQuery],
    ) -> Result<Self> {
        let directory = directory(db, scope, questions).await?;
        let articles: Vec<i64> = directory.articles().map(|article| article.id).collect();
        let shown = load_shown(&articles).await?;
        let resolved =
            questions.iter().map(|question| ResolvedQuery::for_buyer(question, &directory, seller, &shown));
        let resolved: Vec<_> = resolved.collect();
        let owner = Scope::platform().acting_for(Some(seller));
        let mut stocks = load_whole_stocks(db, &owner, &resolved).await?;
        for (article, stocks) in &mut stocks {
            let warehouses = shown.find(seller, *article);
            stocks.retain(|stock| warehouses.iter().any(|warehouse| warehouse.id == stock.warehouse_id));
        }
        Self { owner, resolved, stocks, external: HashMap::new(), is_buyers: true }.with_last_known(db).await
    }

    async fn with_last_known(mut self, db: &impl ConnectionTrait) -> Result<Self> {
        let stocks: Vec<i64> = self.external_stocks().map(|stock| stock.id).collect();
        if let Ok(tenant) = self.owner.tenant()
            && !stocks.is_empty()
        {
            let quantities = external_quantity::load(db, tenant, &stocks).await?;
            self.set_external(quantities.into_iter().filter_map(|(id, row)| Some((id, row.last_known()?))));
        }
        Ok(self)
    }

    /// Stocks whose quantity only another system has.
    pub fn external_stocks(&self) -> impl Iterator<Item = &Stock> {
        let stocks = self.stocks.values().flatten();
        stocks.filter(|stock| stock.availability_type == Availability::ExternalApi)
    }

    /// Scope of the owner of the stocks.
    pub fn owner(&self) -> &Scope {
        &self.owner
    }

    /// Sets the quantities that another system has answered, by stock.
    pub fn set_external(&mut self, quantities: impl IntoIterator<Item = (i64, ExternalQuantity)>) {
        self.external.extend(quantities);
        for stock in self.stocks.values_mut().flatten() {
            set_known_quantity(stock, &self.external);
        }
    }

    /// Answers each question for an order at a given time, or returns its violations.
    pub async fn answers(
        self,
        db: &impl ConnectionTrait,
        installation: &Installation,
        at: Instant,
    ) -> Result<Vec<Result<AvailabilityAnswer, Violations>>> {
        let Self { owner, resolved, stocks, external, is_buyers } = self;
        let chosen: Vec<_> =
            resolved.into_iter().map(|resolved| Ok(resolved?.choose_stock(&stocks))).collect();

        let chosen_stocks: Vec<&Stock> = chosen.iter().flatten().filter_map(|chosen| chosen.stock).collect();
        let tenants = chosen_stocks.iter().map(|stock| stock.tenant_id);
        let ids = chosen_stocks.iter().map(|stock| stock.id).collect();
        let confirmed = confirmation::load(db, tenants, ids).await?;
        let days = closure::days_around(installation, once(at));
        let places = SourceWarehouses::load(db, &owner, installation, &chosen_stocks, days).await?;
        let answer = |chosen: ChosenStock<'_>| {
            let ChosenStock { available, reason, unit, stock } = chosen;
            let delivering_stock = stock.and_then(|stock| {
                let confirmed = confirmed.get(&stock.id).copied();
                let is_external = stock.availability_type == Availability::ExternalApi;
                let answer = external.get(&stock.id).filter(|_| is_external);
                let written = confirmed.map_or(stock.updated_at, |at| at.max(stock.updated_at));
                Some(DeliveringStock {
                    warehouse: places.name(stock.warehouse_id)?,
                    source: stock.availability_type,
                    quantity: stock.quantity.filter(|_| !is_buyers),
                    lead_time: stock.lead_time,
                    as_of: answer.map_or(written, |answer| answer.as_of),
                    answered_by: if is_external { AnsweredBy::external(answer) } else { AnsweredBy::Stock },
                })
            });
            let stock = stock.filter(|_| available == Available::Yes);
            let earliest_at = stock.and_then(|stock| places.ready(stock, at));
            AvailabilityAnswer { available, reason, unit, stock: delivering_stock, earliest_at }
        };
        Ok(chosen.into_iter().map(|chosen: Result<_, Violations>| chosen.map(answer)).collect())
    }

    /// Finds the warehouses that can send the goods of each question, at most [`SOURCES_MAX`], with their
    /// calendars for a range of days.
    pub async fn sources(
        self,
        db: &impl ConnectionTrait,
        installation: &Installation,
        days: Range<NaiveDate>,
    ) -> Result<Vec<Result<Result<Vec<Source>, NoSource>, Violations>>> {
        let Self { owner, resolved, stocks, .. } = self;
        let chosen: Vec<_> = resolved.into_iter().map(|resolved| Ok(resolved?.sufficient(&stocks))).collect();
        let chosen_stocks: Vec<&Stock> = chosen.iter().flatten().flatten().flatten().copied().collect();
        let places = SourceWarehouses::load(db, &owner, installation, &chosen_stocks, days).await?;
        let sources =
            |stocks: Vec<&Stock>| stocks.into_iter().filter_map(|stock| places.source(stock)).collect();
        let with_sources = |chosen: Result<Result<Vec<&Stock>, NoSource>, Violations>| {
            chosen.map(|stocks| stocks.map(sources))
        };
        Ok(chosen.into_iter().map(with_sources).collect())
    }
}

/// Finds the warehouses of the acting tenant's stocks by stock id, with their calendars for a range of days,
/// or the reason why nothing can be sent. Remnants count; stocks of other tenants are treated as unknown.
pub async fn sources_of_stocks(
    db: &impl ConnectionTrait,
    scope: &Scope,
    installation: &Installation,
    ids: &[i64],
    days: Range<NaiveDate>,
) -> Result<HashMap<i64, Result<Source, NoSource>>> {
    let stocks = scope
        .find::<Stocks>()
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::Id.is_in(ids.iter().copied()));
    let mut stocks = stocks.all(db).await?;
    let external: Vec<i64> = stocks
        .iter()
        .filter(|stock| stock.availability_type == Availability::ExternalApi)
        .map(|stock| stock.id)
        .collect();
    let quantities = external_quantity::load(db, scope.tenant()?, &external).await?;
    let quantities = quantities.into_iter().filter_map(|(id, row)| Some((id, row.last_known()?))).collect();
    for stock in &mut stocks {
        set_known_quantity(stock, &quantities);
    }
    let stock_refs: Vec<&Stock> = stocks.iter().collect();
    let places = SourceWarehouses::load(db, scope, installation, &stock_refs, days).await?;
    let source = |stock: &Stock| match judge(stock, SMALLEST_QUANTITY).0 {
        Available::Yes => places.source(stock).ok_or(NoSource::NoStock),
        Available::Unknown => Err(NoSource::NotAsked),
        Available::No => Err(NoSource::NoStock),
    };
    Ok(stocks.iter().map(|stock| (stock.id, source(stock))).collect())
}

async fn directory(
    db: &impl ConnectionTrait,
    scope: &Scope,
    questions: &[AvailabilityQuery],
) -> Result<Directory> {
    let references: Vec<PlaceReference> = questions.iter().map(|question| question.place.clone()).collect();
    Directory::load(db, scope, &references).await
}

/// Question whose names are resolved.
#[derive(Debug)]
struct ResolvedQuery {
    article: i64,
    warehouse: Option<i64>,
    /// Requested quantity in the base unit.
    demand: Decimal,
    unit: Unit,
}

struct ChosenStock<'s> {
    available: Available,
    reason: AvailabilityReason,
    unit: Unit,
    stock: Option<&'s Stock>,
}

impl ResolvedQuery {
    /// Resolves a question about the tenant's own stocks.
    fn for_owner(question: &AvailabilityQuery, directory: &Directory) -> Result<Self, Violations> {
        let reference = &question.place;
        let mut violations = Violations::new();
        let somewhere = reference.warehouse.is_absent() && reference.external_warehouse_identifier.is_none();
        let place = if somewhere {
            directory.find_article(reference, &mut violations).map(|article| (article, None))
        } else {
            let place = directory.place(reference, &mut violations);
            place.map(|place| (place.article, Some(place.warehouse.id)))
        };
        Self::with_place(place, question, violations)
    }

    /// Resolves a question of a buyer, whose matchings do not apply to the seller's warehouses.
    fn for_buyer(
        question: &AvailabilityQuery,
        directory: &Directory,
        seller: TenantId,
        shown: &ShownWarehouses,
    ) -> Result<Self, Violations> {
        let reference = &question.place;
        let mut violations = Violations::new();
        if reference.external_warehouse_identifier.is_some() {
            violations.add(EXTERNAL_WAREHOUSE, codes::UNKNOWN_REFERENCE);
        }
        let article = directory.find_article(reference, &mut violations);
        let place = article.map(|article| {
            let warehouse = (!reference.warehouse.is_absent())
                .then(|| shown.resolve(seller, article.id, reference, &mut violations))
                .flatten();
            (article, warehouse)
        });
        Self::with_place(place, question, violations)
    }

    fn with_place(
        place: Option<(&ArticleUnits, Option<i64>)>,
        question: &AvailabilityQuery,
        mut violations: Violations,
    ) -> Result<Self, Violations> {
        let AvailabilityQuery { quantity, unit, .. } = question;
        if let Err(error) = rule::positive::<12, 6>(quantity) {
            violations.add("quantity", values::input::message(&error));
        }
        let demand = place.filter(|_| violations.is_empty()).and_then(|(article, _)| {
            stock::rounded_in_base_unit(*quantity, *unit, article, "quantity", &mut violations)
        });
        match (place, demand) {
            (Some((article, warehouse)), Some(demand)) => {
                Ok(Self { article: article.id, warehouse, demand, unit: article.base_unit })
            }
            _ => Err(violations),
        }
    }

    fn choose_stock(self, stocks: &HashMap<i64, Vec<Stock>>) -> ChosenStock<'_> {
        let (available, reason, stock) = best(self.stocks_here(stocks), self.demand);
        ChosenStock { available, reason, unit: self.unit, stock }
    }

    /// Stocks with a sufficient quantity, shortest lead time first.
    fn sufficient(self, stocks: &HashMap<i64, Vec<Stock>>) -> Result<Vec<&Stock>, NoSource> {
        let (available, ..) = best(self.stocks_here(stocks), self.demand);
        match available {
            Available::Yes => {}
            Available::Unknown => return Err(NoSource::NotAsked),
            Available::No => return Err(NoSource::NoStock),
        }
        let here = self.stocks_here(stocks).filter(|stock| judge(stock, self.demand).0 == Available::Yes);
        let mut sufficient: Vec<_> = here.collect();
        sufficient.sort_by_key(|stock| (stock.lead_time, Reverse(stock.quantity), stock.warehouse_id));
        sufficient.truncate(SOURCES_MAX);
        Ok(sufficient)
    }

    fn stocks_here<'s>(
        &self,
        stocks: &'s HashMap<i64, Vec<Stock>>,
    ) -> impl Iterator<Item = &'s Stock> + use<'s> {
        let warehouse = self.warehouse;
        let of_article = stocks.get(&self.article).map_or(&[][..], Vec::as_slice).iter();
        of_article.filter(move |stock| warehouse.is_none_or(|id| stock.warehouse_id == id))
    }
}

/// Sets the known quantity of a stock of another system.
fn set_known_quantity(stock: &mut Stock, quantities: &HashMap<i64, ExternalQuantity>) {
    if let Some(answer) =
        quantities.get(&stock.id).filter(|_| stock.availability_type == Availability::ExternalApi)
    {
        stock.quantity = Some(answer.quantity);
    }
}

/// Loads the stocks of articles in their own dimensions.
async fn load_whole_stocks(
    db: &impl ConnectionTrait,
    scope: &Scope,
    resolved: &[Result<ResolvedQuery, Violations>],
) -> Result<HashMap<i64, Vec<Stock>>> {
    let articles: Vec<i64> = resolved.iter().flatten().map(|resolved| resolved.article).collect();
    let stocks = scope
        .find::<Stocks>()
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::ArticleId.is_in(articles))
        .filter(Column::Length.eq(Decimal::ZERO))
        .filter(Column::Width.eq(Decimal::ZERO))
        .filter(Column::Height.eq(Decimal::ZERO));
    let mut by_article: HashMap<i64, Vec<Stock>> = HashMap::new();
    for stock in stocks.all(db).await? {
        by_article.entry(stock.article_id).or_default().push(stock);
    }
    Ok(by_article)
}

/// Warehouses that answers name.
struct SourceWarehouses(HashMap<i64, (WarehouseDetail, Calendar)>);

impl SourceWarehouses {
    async fn load(
        db: &impl ConnectionTrait,
        scope: &Scope,
        installation: &Installation,
        stocks: &[&Stock],
        days: Range<NaiveDate>,
    ) -> Result<Self> {
        let ids = stocks.iter().map(|stock| stock.warehouse_id);
        let warehouses = scope.find::<Warehouses>().filter(warehouse::Column::Id.is_in(ids)).all(db).await?;
        Ok(Self(closure::with_calendars(db, scope, installation, warehouses, days).await?))
    }

    fn name(&self, id: i64) -> Option<WarehouseName> {
        let (detail, _) = self.0.get(&id)?;
        Some(WarehouseName { id, short_code: detail.warehouse.short_code.clone() })
    }

    fn source(&self, stock: &Stock) -> Option<Source> {
        let (detail, calendar) = self.0.get(&stock.warehouse_id).cloned()?;
        Some(Source { detail, calendar, lead_time: stock.lead_time.unwrap_or_default() })
    }

    /// Time at which a stock is ready if it is ordered now: after its lead time, whose days are working days
    /// of the warehouse, and the preparation there.
    fn ready(&self, stock: &Stock, at: Instant) -> Option<Instant> {
        let source = self.source(stock)?;
        source.preparation_rules().ready_with_lead_time(at).ok().map(|(_, readiness)| readiness.ready_at)
    }
}

impl Source {
    /// Rules for the readiness of an order there.
    pub fn preparation_rules(&self) -> PreparationRules<'_> {
        PreparationRules {
            calendar: &self.calendar,
            cut_offs: &self.detail.cut_offs,
            preparation: self.detail.warehouse.preparation_duration_before,
            lead_time: self.lead_time,
        }
    }
}

#[cfg(test)]
mod tests {
    use values::now;

    use super::*;

    fn stock(id: i64, availability_type: Availability, quantity: Option<i32>, lead_time: i64) -> Stock {
        Stock {
            id,
            tenant_id: TenantId(1),
            name: String::new(),
            article_id: 1,
            warehouse_id: id,
            length: Decimal::ZERO,
            width: Decimal::ZERO,
            height: Decimal::ZERO,
            availability_type,
            quantity: quantity.map(Decimal::from),
            lead_time: Minutes::from_minutes(lead_time),
            version: 1,
            change: None,
            created_at: now(),
            updated_at: now(),
        }
    }

    #[test]
    fn sufficient_stocks_are_ordered_by_lead_time() {
        use Availability::{Always, ExternalApi, Quantity};
        let none = stock(1, Quantity, Some(0), 0);
        let some = stock(2, Quantity, Some(10), 60);
        let late = stock(3, Quantity, Some(100), 2880);
        let always = stock(4, Always, None, 1440);
        let api = stock(5, ExternalApi, None, 0);
        for (stocks, warehouse, expected) in [
            (vec![], None, Err(NoSource::NoStock)),
            (vec![&none], None, Err(NoSource::NoStock)),
            (vec![&none, &api], None, Err(NoSource::NotAsked)),
            (vec![&late, &none, &always, &some, &api], None, Ok(vec![2, 4, 3])),
            (vec![&late, &some], Some(3), Ok(vec![3])),
            (vec![&late, &some], Some(4), Err(NoSource::NoStock)),
        ] {
            let by_article = HashMap::from([(1, stocks.into_iter().cloned().collect())]);
            let resolved =
                ResolvedQuery { article: 1, warehouse, demand: Decimal::from(10), unit: Unit::Metre };
            let actual = resolved.sufficient(&by_article);
            let actual = actual.map(|stocks| stocks.iter().map(|stock| stock.id).collect::<Vec<_>>());
            assert_eq!(actual, expected);
        }
    }

    #[test]
    fn the_best_stock_determines_the_availability() {
        use Availability::{Always, ExternalApi, Quantity};
        let none = stock(1, Quantity, Some(0), 0);
        let some = stock(2, Quantity, Some(10), 60);
        let late = stock(3, Quantity, Some(100), 2880);
        let always = stock(4, Always, None, 1440);
        let api = stock(5, ExternalApi, None, 0);
        let answered = stock(6, ExternalApi, Some(5), 0);
        for (stocks, demand, expected) in [
            (vec![], 1, (Available::No, AvailabilityReason::NoStock, None)),
            (vec![&none], 1, (Available::No, AvailabilityReason::TooLittle, Some(1))),
            (vec![&none, &some], 10, (Available::Yes, AvailabilityReason::Enough, Some(2))),
            (vec![&none, &some], 11, (Available::No, AvailabilityReason::TooLittle, Some(2))),
            (vec![&late, &some], 10, (Available::Yes, AvailabilityReason::Enough, Some(2))),
            (vec![&late, &some], 11, (Available::Yes, AvailabilityReason::Enough, Some(3))),
            (vec![&late, &always], 5, (Available::Yes, AvailabilityReason::Always, Some(4))),
            (vec![&answered, &none], 5, (Available::Yes, AvailabilityReason::Enough, Some(6))),
            (vec![&answered], 6, (Available::No, AvailabilityReason::TooLittle, Some(6))),
            (vec![&api, &none], 1, (Available::Unknown, AvailabilityReason::NotAsked, Some(5))),
            (vec![&api, &always], 1, (Available::Yes, AvailabilityReason::Always, Some(4))),
        ] {
            let (available, reason, best_stock) = best(stocks.into_iter(), Decimal::from(demand));
            assert_eq!((available, reason, best_stock.map(|stock| stock.id)), expected, "{demand}");
        }
    }
}
