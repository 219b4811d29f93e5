//! Requested carts: records are referenced by id or number, and lines may be invalid.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use catalog::article_units::ArticleUnits;
use chrono_tz::Tz;
use logistics::{
    matching::directory::{Directory, PlaceReference},
    stock::shown_warehouses::ShownWarehouses,
};
use store::{Database, Scope};
use tenancy::{lookup, tenant::Party};
use values::{
    Decimal, Instant, RecordReference, Referable, ReferenceFields, Result, TenantId, Unit, Violations, fold,
};

use super::{
    Buyer, Cart, Line, Moment, Processing, Quote, Viewpoint,
    book::Book,
    lines::{Amount, LineRecords},
    load::Books,
    quote, shown_warehouses,
    target::{CartTargets, RequestedPrices},
};
use crate::codes;

/// Request for the price of a cart.
#[derive(Debug)]
pub struct QuoteRequest {
    /// Seller; by default the acting tenant.
    pub seller: RecordReference,
    /// Buyer; by default the acting tenant, or an anonymous buyer if that tenant is the seller.
    pub buyer: RecordReference,
    /// True if the seller requests the result as the buyer sees it: without costs, and without lists and
    /// adjustments that do not apply.
    pub as_customer: bool,
    pub at: Instant,
    /// Target total of the cart, in EUR.
    pub target_total: Option<Decimal>,
    pub lines: Vec<RequestedLine>,
}

/// Requested line.
#[derive(Debug)]
pub struct RequestedLine {
    /// Article, and the warehouse if delivery must be from a certain one.
    pub place: PlaceReference,
    pub quantity: Decimal,
    /// Unit; by default the article's listing unit.
    pub unit: Option<Unit>,
    pub processings: Vec<Processing>,
    pub targets: RequestedPrices,
}

/// Priced cart of a request.
#[derive(Debug)]
pub struct QuoteResponse {
    pub seller: Party,
    pub buyer: Option<Party>,
    pub book: Arc<Book>,
    pub cart: Cart,
    pub quote: Quote,
    pub targets: CartTargets,
    /// Lines in the order of the request: the article and the index of the line in the cart, or the
    /// violations.
    pub lines: Vec<Result<(ArticleUnits, usize), Violations>>,
}

/// Maximum number of steps that one response explains; each is one adjustment for one item.
pub const EXPLAINED_MAX: usize = 100_000;

/// Fields of a request that name the seller.
pub const SELLER: ReferenceFields = ReferenceFields { id: "seller_id", name: "seller_short_code" };
/// Fields of a request that name the buyer.
pub(crate) const BUYER: ReferenceFields = ReferenceFields { id: "buyer_id", name: "buyer_short_code" };

/// Seller and buyer of a request, and the side that the result is calculated for.
pub(super) struct Parties {
    pub(super) seller: Party,
    pub(super) buyer: Option<Party>,
    pub(super) sells: bool,
    pub(super) viewpoint: Viewpoint,
}

/// Prices carts, each independently of the others.
///
/// # Errors
/// An unknown seller or buyer, at `carts.<index>`; the acting tenant must be one of the two. More explained
/// steps than [`EXPLAINED_MAX`], at `carts`.
pub async fn answer(
    db: &Database,
    scope: &Scope,
    books: &Books,
    time_zone: Tz,
    requests: Vec<QuoteRequest>,
    explained: bool,
) -> Result<Vec<QuoteResponse>> {
    let parties = resolve_parties(db, scope, &requests).await?;
    let references: Vec<PlaceReference> =
        requests.iter().flat_map(|request| &request.lines).map(|line| line.place.clone()).collect();
    let directory = Directory::load_with_catalogue(db, scope, &references).await?;
    let mut sold: HashMap<TenantId, Arc<Book>> = HashMap::new();
    let mut groups: HashMap<TenantId, Vec<i64>> = HashMap::new();
    for Parties { seller, buyer, .. } in &parties {
        if let Entry::Vacant(vacant) = sold.entry(seller.id) {
            vacant.insert(books.load(db, seller.id).await?);
        }
        if let Some(buyer) = buyer
            && let Entry::Vacant(vacant) = groups.entry(buyer.id)
        {
            vacant.insert(lookup::member_groups(db, scope, buyer.id).await?);
        }
    }
    let lines = requests.iter().flat_map(|request| &request.lines);
    let processings = lines.flat_map(|line| &line.processings).map(|processing| processing.id).collect();
    if explained {
        let adjustments = |seller| sold.get(&seller).map_or(0, |book| book.adjustments().count());
        refuse_too_long(&requests, &parties, adjustments)?;
    }
    let line_records =
        LineRecords::compiled(db, scope, sold.values().map(|book| &**book), processings).await?;
    let shown_warehouses = load_shown_warehouses(db, &requests, &parties, &directory).await?;
    let mut answers = Vec::with_capacity(requests.len());
    for (request, Parties { seller, buyer, sells, viewpoint }) in requests.into_iter().zip(parties) {
        let Some(book) = sold.get(&seller.id).cloned() else { continue };
        let mut cart = Cart {
            buyer: buyer.as_ref().map(|buyer| Buyer {
                tenant: buyer.id.into(),
                groups: groups.get(&buyer.id).cloned().unwrap_or_default(),
            }),
            moment: Moment::new(request.at, time_zone),
            lines: Vec::with_capacity(request.lines.len()),
        };
        let mut lines = Vec::with_capacity(request.lines.len());
        let mut targets = Vec::with_capacity(request.lines.len());
        for requested in request.lines {
            let nameable_warehouses = (!sells).then_some((&shown_warehouses, seller.id));
            let line_targets = requested.targets;
            lines.push(requested.read(&directory, &line_records, nameable_warehouses).map(
                |(measured, line)| {
                    cart.lines.push(line);
                    targets.push(line_targets);
                    (measured, cart.lines.len() - 1)
                },
            ));
        }
        let quote = quote(&book, &cart, viewpoint, explained);
        let targets = CartTargets::new(&cart, &quote, request.target_total, &targets);
        answers.push(QuoteResponse { seller, buyer, book, cart, quote, targets, lines });
    }
    Ok(answers)
}

/// Loads the sellers' warehouses that lines of buyers can name.
pub(super) async fn load_shown_warehouses(
    db: &Database,
    requests: &[QuoteRequest],
    parties: &[Parties],
    directory: &Directory,
) -> Result<ShownWarehouses> {
    let names_any =
        |request: &QuoteRequest| request.lines.iter().any(|line| !line.place.warehouse.is_absent());
    let bought =
        requests.iter().zip(parties).filter(|(request, parties)| !parties.sells && names_any(request));
    let sellers = bought.map(|(_, parties)| parties.seller.id);
    let articles: Vec<i64> = directory.articles().map(|article| article.id).collect();
    shown_warehouses::load(db, sellers, &articles).await
}

/// Rejects a request whose explanation would have more than [`EXPLAINED_MAX`] steps.
fn refuse_too_long(
    requests: &[QuoteRequest],
    parties: &[Parties],
    adjustments: impl Fn(TenantId) -> usize,
) -> Result<()> {
    let items =
        |request: &QuoteRequest| request.lines.iter().map(|line| 1 + line.processings.len()).sum::<usize>();
    let steps: usize = requests
        .iter()
        .zip(parties)
        .map(|(request, parties)| items(request) * adjustments(parties.seller.id))
        .sum();
    if steps > EXPLAINED_MAX {
        return Err(Violations::error(
            "carts",
            codes::EXPLANATION_TOO_LARGE.with("count", steps).with("max", EXPLAINED_MAX),
        ));
    }
    Ok(())
}

pub(super) async fn resolve_parties(
    db: &Database,
    scope: &Scope,
    requests: &[QuoteRequest],
) -> Result<Vec<Parties>> {
    let own = scope.tenant()?;
    let all = || requests.iter().flat_map(|request| [&request.seller, &request.buyer]);
    let ids = all().filter_map(RecordReference::id).chain([own.into()]);
    let parties = lookup::named_parties(db, scope, ids, all().filter_map(RecordReference::folded)).await?;
    let referable_parties =
        Referable::new(parties.into_iter().map(|party| (party.id.into(), fold(&party.short_code), party)));
    let mut violations = Violations::new();
    let mut resolved_parties = Vec::with_capacity(requests.len());
    for (index, request) in requests.iter().enumerate() {
        let mut wrong = Violations::new();
        let mut resolve = |reference: &RecordReference, fields: ReferenceFields| {
            reference.resolve(&mut wrong, fields, &referable_parties).cloned()
        };
        let (seller, buyer) = (resolve(&request.seller, SELLER), resolve(&request.buyer, BUYER));
        let own_party = referable_parties.get(own.into()).cloned();
        let seller = if request.seller.is_absent() { own_party.clone() } else { seller };
        let sells = seller.as_ref().is_some_and(|seller| seller.id == own);
        let buyer = if request.buyer.is_absent() && !sells { own_party } else { buyer };
        let buys = buyer.as_ref().is_some_and(|buyer| buyer.id == own);
        if wrong.is_empty() && !sells && !buys {
            // prices between two other tenants are confidential
            wrong.add(BUYER.id, codes::UNKNOWN_REFERENCE);
        }
        for broken in wrong {
            violations.add(format!("carts.{index}.{}", broken.path), broken.message);
        }
        let viewpoint = if sells && !request.as_customer { Viewpoint::Seller } else { Viewpoint::Buyer };
        resolved_parties.extend(seller.map(|seller| Parties { seller, buyer, sells, viewpoint }));
    }
    violations.check()?;
    Ok(resolved_parties)
}

impl RequestedLine {
    /// Returns the article and the line, or all violations. `nameable_warehouses` is for buyers: the seller,
    /// and the warehouses that the buyer can name.
    pub(super) fn read(
        self,
        directory: &Directory,
        line_records: &LineRecords,
        nameable_warehouses: Option<(&ShownWarehouses, TenantId)>,
    ) -> Result<(ArticleUnits, Line), Violations> {
        let mut violations = Violations::new();
        // a price set by a buyer would be the price they pay
        let priced_processings =
            self.processings.iter().enumerate().filter(|(_, processing)| processing.price.is_some());
        for (index, _) in priced_processings.filter(|_| nameable_warehouses.is_some()) {
            violations.add(format!("processings.{index}.price"), codes::PROCESSING_PRICE_OF_SELLER);
        }
        let somewhere =
            !self.place.warehouse.is_absent() || self.place.external_warehouse_identifier.is_some();
        let (measured, warehouse) = if let Some((shown_warehouses, seller)) = nameable_warehouses {
            let measured = directory.find_article(&self.place, &mut violations);
            let warehouse = measured.and_then(|article| {
                shown_warehouses.resolve(seller, article.id, &self.place, &mut violations)
            });
            (measured, warehouse)
        } else if somewhere {
            let place = directory.place(&self.place, &mut violations);
            (place.map(|place| place.article), place.map(|place| place.warehouse.id))
        } else {
            (directory.find_article(&self.place, &mut violations), None)
        };
        let amount = Amount { quantity: self.quantity, unit: self.unit, processings: &self.processings };
        line_records.check(&amount, measured, &mut violations);
        self.targets.check(measured, &mut violations);
        let Some(measured) = measured.filter(|_| violations.is_empty()) else { return Err(violations) };
        Ok((measured.clone(), line_records.line(&amount, measured, warehouse)))
    }
}

#[cfg(test)]
mod tests {
    use lists::Creatable;
    use values::now;

    use super::*;
    use crate::{
        price_adjustment::PriceAdjustments,
        quote::over_time::tests::{adjustment, requested_line, stocked},
    };

    #[tokio::test]
    async fn requests_for_too_many_explained_steps_are_refused() {
        let bed = stocked().await;
        let add = async |name: &str| {
            let adjustment = adjustment(name, Some(5), None, "");
            PriceAdjustments::create(&bed.db, &bed.scope, adjustment).await.unwrap();
        };
        for number in 1..=25 {
            add(&number.to_string()).await;
        }
        let processing = |id: i64| Processing { id, quantity: Decimal::ONE, price: None };
        let ask = async |explained: bool| {
            let request = || QuoteRequest {
                seller: RecordReference::default(),
                buyer: RecordReference::default(),
                as_customer: false,
                at: now(),
                target_total: None,
                // each with a processing
                lines: (0..40)
                    .map(|_| RequestedLine {
                        processings: (0..9).map(processing).collect(),
                        ..requested_line()
                    })
                    .collect(),
            };
            let requests = (0..10).map(|_| request()).collect();
            let answered =
                answer(&bed.db, &bed.scope, &Books::default(), Tz::Europe__Berlin, requests, explained).await;
            answered.map(|answers| answers.len())
        };
        assert_eq!(ask(true).await.unwrap(), 10, "4,000 items by 25 adjustments");
        add("one more").await;
        assert_eq!(ask(false).await.unwrap(), 10);
        let Err(values::Error::Invalid(refused)) = ask(true).await else { panic!("too much") };
        let refused: Vec<_> = refused.iter().map(|broken| (&*broken.path, broken.message.code)).collect();
        assert_eq!(refused, [("carts", codes::EXPLANATION_TOO_LARGE)]);
    }
}
