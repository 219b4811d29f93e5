//! Carts as people and programs ask for them: with numbers in the place of ids, and lines that may be wrong.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use catalog::measured::Measured;
use chrono_tz::Tz;
use kernel::{
    Code, Database, Decimal, Instant, RecordReference, Referable, ReferenceFields, Result, Scope, TenantId,
    Unit, Violations, fold,
};
use logistics::directory::{Directory, Named};
use tenancy::{
    tenant::{self, Party},
    tenant_group,
};

use super::{
    Buyer, Cart, Line, Moment, Processing, Quote, Sight,
    book::Book,
    lines::{Amount, Known},
    load::Books,
    quote,
};

/// A cart that somebody asks for.
#[derive(Debug)]
pub struct Question {
    /// Without one: who is acted for.
    pub seller: RecordReference,
    /// Without one: who is acted for, unless they sell; then anybody.
    pub buyer: RecordReference,
    pub at: Instant,
    pub lines: Vec<Wanted>,
}

/// A line that somebody asks for.
#[derive(Debug)]
pub struct Wanted {
    /// The warehouse only where it is to come from a certain one.
    pub named: Named,
    pub quantity: Decimal,
    /// Without one: the listing unit.
    pub unit: Option<Unit>,
    pub processings: Vec<Processing>,
}

/// What a cart costs.
#[derive(Debug)]
pub struct Answer {
    pub seller: Party,
    pub buyer: Option<Party>,
    pub book: Arc<Book>,
    pub cart: Cart,
    pub quote: Quote,
    /// As the lines of the question: the article and the line's place in the cart, or what is wrong with it.
    pub lines: Vec<Result<(Measured, usize), Violations>>,
}

const SELLER: ReferenceFields = ReferenceFields { id: "seller_id", name: "seller_short_code" };
const BUYER: ReferenceFields = ReferenceFields { id: "buyer_id", name: "buyer_short_code" };

/// Who sells and who buys, and what the caller may see of it.
pub(super) struct Parties {
    pub(super) seller: Party,
    pub(super) buyer: Option<Party>,
    pub(super) sight: Sight,
}

/// What carts cost, each by itself.
///
/// # Errors
/// Whoever is unknown as seller or buyer, at `carts.<index>`. Who is acted for must be one of the two.
pub async fn answer(
    db: &Database,
    scope: &Scope,
    books: &Books,
    time_zone: Tz,
    questions: Vec<Question>,
    explained: bool,
) -> Result<Vec<Answer>> {
    let parties = parties(db, scope, &questions).await?;
    let named: Vec<Named> =
        questions.iter().flat_map(|question| &question.lines).map(|line| line.named.clone()).collect();
    let directory = Directory::of(db, scope, &named).await?;
    let mut sold: HashMap<TenantId, Arc<Book>> = HashMap::new();
    let mut groups: HashMap<TenantId, Vec<i64>> = HashMap::new();
    for Parties { seller, buyer, .. } in &parties {
        if let Entry::Vacant(vacant) = sold.entry(seller.id) {
            vacant.insert(books.of(db, seller.id).await?);
        }
        if let Some(buyer) = buyer
            && let Entry::Vacant(vacant) = groups.entry(buyer.id)
        {
            vacant.insert(tenant_group::of_member(db, buyer.id.into()).await?);
        }
    }
    let lines = questions.iter().flat_map(|question| &question.lines);
    let processings = lines.flat_map(|line| &line.processings).map(|processing| processing.id).collect();
    let known = Known::of(db, sold.values().map(|book| &**book), processings).await?;
    let mut answers = Vec::with_capacity(questions.len());
    for (question, Parties { seller, buyer, sight }) in questions.into_iter().zip(parties) {
        let Some(book) = sold.get(&seller.id).cloned() else { continue };
        let mut cart = Cart {
            buyer: buyer.as_ref().map(|buyer| Buyer {
                tenant: buyer.id.into(),
                groups: groups.get(&buyer.id).cloned().unwrap_or_default(),
            }),
            moment: Moment::new(question.at, time_zone),
            lines: Vec::with_capacity(question.lines.len()),
        };
        let mut lines = Vec::with_capacity(question.lines.len());
        for wanted in question.lines {
            lines.push(wanted.read(&directory, &known).map(|(measured, line)| {
                cart.lines.push(line);
                (measured, cart.lines.len() - 1)
            }));
        }
        let quote = quote(&book, &cart, sight, explained);
        answers.push(Answer { seller, buyer, book, cart, quote, lines });
    }
    Ok(answers)
}

pub(super) async fn parties(db: &Database, scope: &Scope, questions: &[Question]) -> Result<Vec<Parties>> {
    let own = scope.tenant()?;
    let all = || questions.iter().flat_map(|question| [&question.seller, &question.buyer]);
    let ids = all().filter_map(RecordReference::id).chain([own.into()]);
    let parties = tenant::parties(db, ids, all().filter_map(RecordReference::folded)).await?;
    let known =
        Referable::new(parties.into_iter().map(|party| (party.id.into(), fold(&party.short_code), party)));
    let mut violations = Violations::new();
    let mut found = Vec::with_capacity(questions.len());
    for (index, question) in questions.iter().enumerate() {
        let mut wrong = Violations::new();
        let mut named = |reference: &RecordReference, fields: ReferenceFields| {
            reference.resolve(&mut wrong, fields, &known).cloned()
        };
        let (seller, buyer) = (named(&question.seller, SELLER), named(&question.buyer, BUYER));
        let own_party = known.get(own.into()).cloned();
        let seller = if question.seller.is_absent() { own_party.clone() } else { seller };
        let sells = seller.as_ref().is_some_and(|seller| seller.id == own);
        let buyer = if question.buyer.is_absent() && !sells { own_party } else { buyer };
        let buys = buyer.as_ref().is_some_and(|buyer| buyer.id == own);
        if wrong.is_empty() && !sells && !buys {
            // what others pay one another is nobody else's business
            wrong.add(BUYER.id, Code::UnknownReference);
        }
        for broken in wrong {
            violations.add(format!("carts.{index}.{}", broken.path), broken.message);
        }
        let sight = if sells { Sight::Seller } else { Sight::Buyer };
        found.extend(seller.map(|seller| Parties { seller, buyer, sight }));
    }
    violations.check()?;
    Ok(found)
}

impl Wanted {
    /// The line, if nothing is wrong with it.
    pub(super) fn read(self, directory: &Directory, known: &Known) -> Result<(Measured, Line), Violations> {
        let mut violations = Violations::new();
        let somewhere =
            !self.named.warehouse.is_absent() || self.named.external_warehouse_identifier.is_some();
        let (measured, warehouse) = if somewhere {
            let place = directory.place(&self.named, &mut violations);
            (place.map(|place| place.article), place.map(|place| place.warehouse.id))
        } else {
            (directory.article_named(&self.named, &mut violations), None)
        };
        let amount = Amount { quantity: self.quantity, unit: self.unit, processings: &self.processings };
        known.check(&amount, measured, &mut violations);
        let Some(measured) = measured.filter(|_| violations.is_empty()) else { return Err(violations) };
        Ok((measured.clone(), known.line(&amount, measured, warehouse)))
    }
}
