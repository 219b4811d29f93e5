//! The items of a cart and their amounts on the way through the chain.

use kernel::Unit;

use super::{arithmetic::Arithmetic, tree::Sums};
use crate::{exact::Ratio, price_adjustment::terms::ItemType};

/// An item as it is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Among the cart's lines.
    pub(super) line: usize,
    /// Among the line's processings; none: the article.
    pub(super) processing: Option<usize>,
    pub(super) base: Ratio,
    /// The weight of the article in its line, in kg.
    pub(super) weight: Option<Ratio>,
    pub(super) quantity: Ratio,
    pub(super) unit: Unit,
}

impl Item {
    pub(super) fn kind(&self) -> ItemType {
        if self.processing.is_some() { ItemType::Processing } else { ItemType::Article }
    }
}

/// The amounts of an item on its way.
#[derive(Debug, Clone)]
pub(super) struct Running<N> {
    pub(super) base: N,
    pub(super) total: N,
    /// The amount that later relative adjustments start from.
    pub(super) seen: N,
    pub(super) weight: Option<N>,
}

impl<N: Clone> Running<N> {
    pub(super) fn all<A: Arithmetic<Amount = N>>(arithmetic: &A, items: &[Item]) -> Vec<Self> {
        let running = |item: &Item| {
            let base = arithmetic.convert_ratio(item.base);
            let weight = item.weight.map(|weight| arithmetic.convert_ratio(weight));
            Self { total: base.clone(), seen: base.clone(), base, weight }
        };
        items.iter().map(running).collect()
    }
}

/// The sums of a cart before its chain.
pub(super) fn sums_of<A: Arithmetic>(
    arithmetic: &A,
    items: &[Item],
    running: &[Running<A::Amount>],
) -> Sums<A::Amount> {
    let base = arithmetic.sum(running.iter().map(|running| &running.base));
    let articles = items.iter().zip(running).filter(|(item, _)| item.processing.is_none());
    let weight = arithmetic.sum(articles.filter_map(|(_, running)| running.weight.as_ref()));
    Sums { weight, total: base.clone(), base }
}
