//! Repeated runs of a cart through its chain: with some of the links only, or in another order.

use super::{
    Cart, PreparedCart, Viewpoint,
    arithmetic::decided,
    book::Book,
    chain::Chain,
    item::Item,
    run::{AdjustmentOutcome, Step},
};
use crate::{exact::Exact, price_adjustment::terms::Adjustment};

/// Cart with base prices. Links are identified by their index in the book.
#[derive(Debug)]
pub(crate) struct Trial<'b> {
    book: &'b Book,
    pub(crate) cart: Cart,
    items: Vec<Item>,
    /// Links that apply to the cart, in their order.
    pub(crate) links: Vec<usize>,
}

/// Result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) total: Exact,
    /// Links that changed the price of an item.
    pub(crate) effective: Vec<usize>,
    /// Indexes of the items that each of them changed.
    items: Vec<Vec<usize>>,
    /// Links that would have taken off more than the price.
    pub(crate) floored: Vec<usize>,
    /// Links that applied but changed nothing.
    pub(crate) idle: Vec<usize>,
}

impl<'b> Trial<'b> {
    /// Prepares a cart; `None` if a line is refused.
    pub(crate) fn prepare(book: &'b Book, cart: Cart) -> Option<Self> {
        let prepared_cart = PreparedCart::new(book, &cart, Viewpoint::Buyer, false);
        let (refusals, items) = decided(
            |bounded| prepared_cart.refusals(bounded, book, &cart),
            |fractions| prepared_cart.refusals(fractions, book, &cart),
        );
        let priced = prepared_cart.lines.iter().all(|line| line.refused.is_empty());
        let whole = priced && refusals.is_empty() && !items.is_empty();
        whole.then_some(Self { book, cart, items, links: prepared_cart.chain.links })
    }

    /// Runs the cart through some links; `None` if an amount becomes too large.
    pub(crate) fn run(&self, links: &[usize]) -> Option<Run> {
        let Self { book, cart, items, .. } = self;
        let chain = Chain { links: links.to_vec(), left_out: Vec::new() };
        let run = decided(
            |bounded| Some(chain.run(bounded, book, cart, items, true).ok()?.0),
            |fractions| Some(chain.run(fractions, book, cart, items, true).ok()?.0),
        )?;
        let steps_of_link = |number: usize| run.steps.iter().skip(number).step_by(links.len());
        let by_link = || links.iter().enumerate().map(|(number, link)| (link, steps_of_link(number)));
        let with = |which: &dyn Fn(&Step) -> bool| -> Vec<usize> {
            by_link().filter(|(_, steps)| steps.clone().any(which)).map(|(link, _)| *link).collect()
        };
        let changed = |step: &Step| step.is_applied() && step.amount.exact() != Exact::ZERO;
        let effective = with(&changed);
        let items = by_link()
            .filter(|(link, _)| effective.contains(link))
            .map(|(_, steps)| steps.enumerate().filter(|(_, step)| changed(step)).map(|(at, _)| at).collect())
            .collect();
        let mut idle = with(&Step::is_applied);
        idle.retain(|link| !effective.contains(link));
        Some(Run {
            total: run.total,
            floored: with(&|step| step.outcome == AdjustmentOutcome::Floored),
            effective,
            items,
            idle,
        })
    }
}

impl Run {
    /// True if a link changed the price of an item.
    pub(crate) fn changes(&self, link: usize) -> bool {
        self.effective.contains(&link)
    }

    /// True if two links changed the price of the same item.
    pub(crate) fn change_one_item(&self, one: usize, other: usize) -> bool {
        let items = |link: usize| {
            let place = self.effective.iter().position(|other| *other == link);
            place.and_then(|place| self.items.get(place)).map_or(&[][..], Vec::as_slice)
        };
        items(one).iter().any(|item| items(other).contains(item))
    }
}

impl Book {
    /// Returns the adjustment at an index.
    pub(crate) fn adjustment(&self, place: usize) -> Option<&Adjustment> {
        self.links.get(place).map(|link| &link.adjustment)
    }
}
