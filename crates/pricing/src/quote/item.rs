//! Items of a cart, and their running amounts in the chain.

use values::Unit;

use super::{arithmetic::Arithmetic, tree::Sums};
use crate::{exact::Ratio, price_adjustment::terms::ItemType};

/// Item of a requested cart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Index among the cart's lines.
    pub(super) line: usize,
    /// Index among the line's processings; `None` for the article.
    pub(super) processing: Option<usize>,
    pub(super) base: Ratio,
    /// Weight of the line's article, in kg.
    pub(super) weight: Option<Ratio>,
    pub(super) quantity: Ratio,
    pub(super) unit: Unit,
}

impl Item {
    pub(super) fn kind(&self) -> ItemType {
        if self.processing.is_some() { ItemType::Processing } else { ItemType::Article }
    }
}

/// Running amounts of an item in the chain.
#[derive(Debug, Clone)]
pub(super) struct RunningAmounts<N> {
    pub(super) base: N,
    pub(super) total: N,
    /// Amount that later relative adjustments refer to.
    pub(super) relative_basis: N,
    pub(super) weight: Option<N>,
}

impl<N: Clone> RunningAmounts<N> {
    pub(super) fn all<A: Arithmetic<Amount = N>>(arithmetic: &A, items: &[Item]) -> Vec<Self> {
        let running = |item: &Item| {
            let base = arithmetic.convert_ratio(item.base);
            let weight = item.weight.map(|weight| arithmetic.convert_ratio(weight));
            Self { total: base.clone(), relative_basis: base.clone(), base, weight }
        };
        items.iter().map(running).collect()
    }
}

/// Returns the sums of a cart before its chain.
pub(super) fn sums_of<A: Arithmetic>(
    arithmetic: &A,
    items: &[Item],
    running: &[RunningAmounts<A::Amount>],
) -> Sums<A::Amount> {
    let base = arithmetic.sum(running.iter().map(|running| &running.base));
    let articles = items.iter().zip(running).filter(|(item, _)| item.processing.is_none());
    let weight = arithmetic.sum(articles.filter_map(|(_, running)| running.weight.as_ref()));
    Sums { weight, total: base.clone(), base }
}
