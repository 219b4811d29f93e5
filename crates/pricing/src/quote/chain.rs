//! The chain of adjustments: one after the other, each for all items before the next one begins.

use std::collections::BTreeSet;

use kernel::{Code, Decimal, Instant, Message, TenantId, Unit};

use super::{
    Buyer, Cart, ItemQuote, Line,
    book::{Book, Link},
    tree::{OfCart, OfItem},
};
use crate::{
    adjustment::{ApplyTo, CalculationType, ItemType, Operation, PurchaseConstraints, Value},
    exact::{Exact, Ratio},
    surcharge::Month,
};

/// The links that apply to a cart, by their order, and those that do not.
#[derive(Debug)]
pub(super) struct Chain {
    /// Places in the book.
    pub(super) links: Vec<usize>,
    pub(super) left_out: Vec<(usize, LeftOut)>,
}

/// Why an adjustment does not concern a cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeftOut {
    Inactive,
    NotYetValid,
    NoLongerValid,
    NotForBuyer,
}

/// An item on its way through the chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Among the cart's lines.
    pub(super) line: usize,
    /// Among the line's processings; none: the article.
    processing: Option<usize>,
    processing_id: Option<i64>,
    pub(super) base: Exact,
    pub(super) total: Exact,
    /// What later relative adjustments see.
    running: Exact,
    weight: Option<Exact>,
    quantity: Ratio,
    unit: Unit,
}

/// What an adjustment did to an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) outcome: StepOutcome,
    /// How much the adjustment is for this item; none where its table does not say it.
    pub(super) value: Option<Decimal>,
    /// A bit for each node of the conditions that holds.
    pub(super) holding: u64,
    /// What it counts on: an amount in EUR, or a weight in kg.
    pub(super) basis: Exact,
    /// With its sign, as far as the price does not fall below zero.
    pub(super) amount: Exact,
    /// What later relative adjustments see.
    pub(super) running: Exact,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepOutcome {
    Applied,
    /// Applied as far as the price does not fall below zero.
    Floored,
    NotThisItem,
    Conditions,
    NoWeight,
    NoTableValue,
}

impl Item {
    pub(super) fn new(
        line: usize,
        processing: Option<usize>,
        base: Exact,
        weight: Option<Exact>,
        quantity: Ratio,
        unit: Unit,
    ) -> Self {
        Self {
            line,
            processing,
            processing_id: None,
            base,
            total: base,
            running: base,
            weight,
            quantity,
            unit,
        }
    }

    pub(super) fn quoted(&self, place: usize) -> ItemQuote {
        ItemQuote {
            kind: self.kind(),
            processing: self.processing_id,
            number: self.processing,
            base: self.base,
            total: self.total,
            weight: self.weight,
            place,
        }
    }

    fn kind(&self) -> ItemType {
        if self.processing.is_some() { ItemType::Processing } else { ItemType::Article }
    }
}

/// The weight of all articles that have one.
pub(super) fn weight(items: &[Item]) -> Exact {
    let articles = items.iter().filter(|item| item.processing.is_none());
    articles.filter_map(|item| item.weight).sum()
}

/// The ids of what is done in each line.
struct Processings(Vec<Vec<i64>>);

impl Processings {
    fn of(cart: &Cart) -> Self {
        let ids = |line: &Line| line.processings.iter().map(|processing| processing.id).collect();
        Self(cart.lines.iter().map(ids).collect())
    }

    fn of_item(&self, item: &Item) -> &[i64] {
        let of_line = self.0.get(item.line).map_or(&[][..], Vec::as_slice);
        match item.processing {
            Some(place) => of_line.get(place).map_or(&[], std::slice::from_ref),
            None => of_line,
        }
    }
}

impl Chain {
    pub(super) fn of(book: &Book, cart: &Cart) -> Self {
        let (mut links, mut left_out) = (Vec::new(), Vec::new());
        for (place, link) in book.links.iter().enumerate() {
            match left_out_because(link, cart.buyer.as_ref(), cart.moment.at) {
                None => links.push(place),
                Some(reason) => left_out.push((place, reason)),
            }
        }
        Self { links, left_out }
    }

    fn links<'b>(&self, book: &'b Book) -> impl Iterator<Item = &'b Link> {
        self.links.iter().filter_map(|place| book.links.get(*place))
    }

    /// The lines that may not be bought so, judged on the cart as it is asked for, before any adjustment.
    pub(super) fn refusals(&self, book: &Book, cart: &Cart, items: &[Item]) -> Vec<(usize, Message)> {
        let mut refusals = Vec::new();
        if !self.links(book).any(|link| link.adjustment.purchase_constraints.is_some()) {
            return refusals;
        }
        let processings = Processings::of(cart);
        let of_cart = seen_of(cart, items);
        for link in self.links(book) {
            let Some(constraints) = link.adjustment.purchase_constraints else { continue };
            for item in items.iter().filter(|item| item.processing.is_none()) {
                let Some(of_item) = seen(cart, item, &processings) else { continue };
                let applies = applies(&link.adjustment.apply_to, item, &of_item)
                    && link.tree.as_ref().is_none_or(|tree| tree.holding(&of_cart, &of_item) & 1 == 1);
                if applies && let Some(refused) = refused(&constraints, &of_item) {
                    refusals.push((item.line, refused));
                }
            }
        }
        refusals
    }

    /// Takes all items through the chain. Explained: with the cart's totals before each link and what became of every item.
    ///
    /// # Errors
    /// The lines whose amounts become too large, or make the cart's too large.
    pub(super) fn run(
        &self,
        book: &Book,
        cart: &Cart,
        items: &mut [Item],
        explained: bool,
    ) -> Result<(Vec<Exact>, Vec<Step>), BTreeSet<usize>> {
        let processings = Processings::of(cart);
        for item in items.iter_mut() {
            item.processing_id = item.processing.and_then(|_| processings.of_item(item).first().copied());
        }
        let of_cart = seen_of(cart, items);
        // each item is of a line of the cart
        let seen: Vec<_> = items.iter().map_while(|item| seen(cart, item, &processings)).collect();
        let month = Month::of(cart.moment.date);
        let room = if explained { self.links.len() } else { 0 };
        let (mut before, mut steps) = (Vec::with_capacity(room), Vec::with_capacity(room * items.len()));
        for link in self.links(book) {
            let of_cart = OfCart { total: items.iter().map(|item| item.total).sum(), ..of_cart };
            if explained {
                before.push(of_cart.total);
            }
            let mut too_large = BTreeSet::new();
            // what asks for the cart alone is the same for all items
            let mut for_all = None;
            for (item, of_item) in items.iter_mut().zip(&seen) {
                let mut step = Step {
                    outcome: StepOutcome::NotThisItem,
                    value: match &link.adjustment.value {
                        Value::Fixed(value) => Some(*value),
                        Value::OfTable(table) => table.at(of_item.article, month),
                    },
                    holding: 0,
                    basis: Exact::ZERO,
                    amount: Exact::ZERO,
                    running: item.running,
                };
                if applies(&link.adjustment.apply_to, item, of_item) {
                    step.holding = match (&link.tree, for_all) {
                        (None, _) => 1,
                        (Some(_), Some(holding)) => holding,
                        (Some(tree), None) => {
                            let holding = tree.holding(&of_cart, of_item);
                            if !tree.of_item {
                                for_all = Some(holding);
                            }
                            holding
                        }
                    };
                    step.outcome = StepOutcome::Conditions;
                    if step.holding & 1 == 1 && item.adjust(link, &mut step).is_none() {
                        too_large.insert(item.line);
                    }
                }
                if explained {
                    steps.push(step);
                }
            }
            // what comes behind would count on amounts that are none
            if !too_large.is_empty() {
                return Err(too_large);
            }
        }
        let beyond = beyond_the_sum(items);
        if beyond.is_empty() { Ok((before, steps)) } else { Err(beyond) }
    }
}

/// The lines without which the sums of all others are amounts: those of the largest items.
fn beyond_the_sum(items: &[Item]) -> BTreeSet<usize> {
    let mut beyond = BTreeSet::new();
    let mut by_size: Vec<&Item> = items.iter().collect();
    by_size.sort_by_key(|item| item.base.max(item.total));
    loop {
        let rest = || items.iter().filter(|item| !beyond.contains(&item.line));
        let is_amount = |of: fn(&Item) -> Exact| rest().map(of).sum::<Exact>().bounded().is_some();
        if is_amount(|item| item.base) && is_amount(|item| item.total) {
            return beyond;
        }
        let Some(largest) = by_size.pop() else { return beyond };
        beyond.insert(largest.line);
    }
}

impl Item {
    /// `None` where an amount becomes too large.
    fn adjust(&mut self, link: &Link, step: &mut Step) -> Option<()> {
        let adjustment = &link.adjustment;
        let Some(value) = step.value else {
            step.outcome = StepOutcome::NoTableValue;
            return Some(());
        };
        let full = match adjustment.calculation_type {
            CalculationType::Absolute => {
                step.basis = self.running;
                Exact::of(value)
            }
            CalculationType::PerKg | CalculationType::PerTon => {
                let Some(weight) = self.weight else {
                    step.outcome = StepOutcome::NoWeight;
                    return Some(());
                };
                step.basis = weight;
                let kilograms =
                    if adjustment.calculation_type == CalculationType::PerTon { 1_000 } else { 1 };
                weight.times(value, kilograms)?
            }
            CalculationType::RelativeToAdjusted => {
                step.basis = self.running;
                self.running.percent(value)?
            }
            CalculationType::RelativeToBase => {
                step.basis = self.base;
                self.base.percent(value)?
            }
        };
        let full = match adjustment.operation {
            Operation::Discount => full.negated(),
            Operation::Surcharge => full,
        };
        // what later relative ones see is a price of its own: nothing that is ignored is seen, and neither falls below zero
        if !adjustment.ignore_on_further_adjustments {
            self.running = self.running.plus(full)?.max(Exact::ZERO);
        }
        let applied = full.max(self.total.negated());
        self.total = self.total.plus(applied)?;
        step.outcome = if applied == full { StepOutcome::Applied } else { StepOutcome::Floored };
        step.amount = applied;
        step.running = self.running;
        Some(())
    }
}

pub(super) fn left_out_because(link: &Link, buyer: Option<&Buyer>, at: Instant) -> Option<LeftOut> {
    let adjustment = &link.adjustment;
    if !adjustment.active {
        return Some(LeftOut::Inactive);
    }
    if adjustment.valid_from.is_some_and(|from| at < from) {
        return Some(LeftOut::NotYetValid);
    }
    if adjustment.valid_until.is_some_and(|until| until <= at) {
        return Some(LeftOut::NoLongerValid);
    }
    let for_all = adjustment.tenant_ids.is_empty() && adjustment.tenant_group_ids.is_empty();
    let named = |buyer: &Buyer| {
        adjustment.tenant_ids.iter().any(|tenant| i64::from(*tenant) == buyer.tenant)
            || adjustment.tenant_group_ids.iter().any(|group| buyer.groups.contains(group))
    };
    let excluded = |buyer: &Buyer| adjustment.excluded_tenant_ids.contains(&TenantId(buyer.tenant));
    let is_meant = (for_all || buyer.is_some_and(named)) && !buyer.is_some_and(excluded);
    (!is_meant).then_some(LeftOut::NotForBuyer)
}

fn applies(to: &ApplyTo, item: &Item, seen: &OfItem<'_>) -> bool {
    match to {
        ApplyTo::ItemType { item_types } => item_types.contains(&item.kind()),
        ApplyTo::Item { articles, article_types, categories, materials } => {
            item.processing.is_none()
                && (articles.contains(&seen.article.id)
                    || article_types.contains(&seen.article.article_type_id)
                    || seen.article.categories.iter().any(|category| categories.contains(category))
                    || seen.article.material_id.is_some_and(|material| materials.contains(&material)))
        }
    }
}

/// What conditions see of the cart before the chain begins.
pub(super) fn seen_of<'c>(cart: &'c Cart, items: &[Item]) -> OfCart<'c> {
    let base = items.iter().map(|item| item.base).sum();
    let buyer = cart.buyer.as_ref();
    OfCart {
        weight: weight(items),
        base,
        total: base,
        buyer: buyer.map(|buyer| buyer.tenant),
        groups: buyer.map_or(&[], |buyer| &buyer.groups),
        weekday: cart.moment.weekday,
        date: cart.moment.date,
    }
}

fn seen<'c>(cart: &'c Cart, item: &Item, processings: &'c Processings) -> Option<OfItem<'c>> {
    let line = cart.lines.get(item.line)?;
    Some(OfItem {
        kind: item.kind(),
        article: &line.article,
        quantity: item.quantity,
        unit: item.unit,
        weight: item.weight,
        warehouse: line.warehouse,
        processings: processings.of_item(item),
    })
}

/// Why so much may not be bought at once. What cannot be counted in the constraints' unit is not judged.
fn refused(constraints: &PurchaseConstraints, item: &OfItem<'_>) -> Option<Message> {
    let quantity = item.quantity_in(constraints.unit)?;
    let told = |code: Code, bound: Decimal| {
        let message = code.with("article", &item.article.article_number).number_of("quantity", bound);
        Some(message.unit("unit", constraints.unit))
    };
    let bound = |bound: Option<Decimal>| bound.and_then(|bound| Some((bound, Ratio::of(bound)?)));
    match (bound(constraints.min_quantity), bound(constraints.max_quantity), bound(constraints.multiple_of)) {
        (Some((min, ratio)), ..) if quantity < ratio => told(Code::QuantityBelowMinimum, min),
        (_, Some((max, ratio)), _) if quantity > ratio => told(Code::QuantityAboveMaximum, max),
        (.., Some((of, ratio))) if quantity.is_multiple_of(ratio) == Some(false) => {
            told(Code::QuantityNotMultiple, of)
        }
        _ => None,
    }
}
