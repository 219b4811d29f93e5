//! Lists that apply to a cart, with their outcomes for a line. All lines of a cart have the same lists, so only
//! the outcomes are recorded for each line; the rest is looked up when a list is read.

use serde::{Serialize, Serializer};

use super::{Explainer, ListApplies, ListConsidered, PriceOutcome};
use crate::{price_list::Applies, quote::Record};

/// Lists that apply to a line, in the order in which they were considered.
#[derive(Debug)]
pub struct Lists<'q> {
    pub(super) explainer: Explainer<'q>,
    /// Index of the line in the cart.
    pub(super) line: usize,
}

impl<'q> Lists<'q> {
    /// Iterates over the explained lists.
    pub fn iter(&self) -> impl Iterator<Item = ListConsidered<'q>> {
        let Record { candidates, list_outcomes, .. } = self.explainer.record;
        let lists = candidates.sales.iter().zip(list_outcomes.for_line(candidates, self.line));
        lists.filter_map(|((place, applies), outcome)| self.considered(*place, *applies, (*outcome).into()))
    }

    fn considered(
        &self,
        place: usize,
        applies: Applies,
        outcome: PriceOutcome,
    ) -> Option<ListConsidered<'q>> {
        let list = &self.explainer.book.lists.get(place)?.head;
        let sees_all = self.explainer.sees_all();
        let is_shown = sees_all || list.is_shown_at(&self.explainer.now);
        if !is_shown && outcome != PriceOutcome::Won {
            return None;
        }
        Some(ListConsidered {
            id: list.id,
            name: if sees_all { &list.name } else { list.name_for_customers() },
            applies: match applies {
                Applies::Own => ListApplies::Own,
                Applies::Group => ListApplies::Group,
                Applies::Global => ListApplies::Global,
            },
            valid_from: is_shown.then_some(list.valid_from),
            outcome,
        })
    }
}

impl Serialize for Lists<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
