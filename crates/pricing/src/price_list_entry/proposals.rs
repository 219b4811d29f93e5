//! Proposals of several users for the price of an article in a list, which are under review: each user has at
//! most one, the last one.

use super::HeldEntry;

impl HeldEntry {
    /// Splits the column into all proposals, the newest first.
    fn into_proposals(mut self) -> Vec<Self> {
        let others = std::mem::take(&mut self.others);
        std::iter::once(self).chain(others).collect()
    }

    /// Joins proposals into one column; `None` if there are none.
    fn from_proposals(proposals: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut proposals = proposals.into_iter();
        let newest = proposals.next()?;
        Some(Self { others: proposals.collect(), ..newest })
    }

    /// Adds existing proposals: the same user's earlier one is replaced, those of other users stay.
    pub(crate) fn join(self, waiting: Option<Self>) -> Self {
        Self {
            others: Self::without_own(waiting, self.created_by).map_or_else(Vec::new, Self::into_proposals),
            ..self
        }
    }

    /// Returns the proposals that stay after a user has set a plausible price: those of other users.
    pub(crate) fn without_own(waiting: Option<Self>, user: i64) -> Option<Self> {
        let proposals = waiting.map_or_else(Vec::new, Self::into_proposals);
        Self::from_proposals(proposals.into_iter().filter(|proposal| proposal.created_by != user))
    }

    /// Returns one proposal by its number, and all others.
    pub(super) fn split(self, number: usize) -> Option<(Self, Option<Self>)> {
        let mut proposals = self.into_proposals();
        if number >= proposals.len() {
            return None;
        }
        let one = proposals.remove(number);
        Some((one, Self::from_proposals(proposals)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{guard::Suspicions, price_side::Side};

    fn proposal(user: i64) -> HeldEntry {
        HeldEntry {
            wanted: Side::default(),
            mended: None,
            suspicions: Suspicions(Vec::new()),
            row: None,
            created_by: user,
            others: Vec::new(),
        }
    }

    fn users(held_entry: Option<&HeldEntry>) -> Vec<i64> {
        held_entry
            .into_iter()
            .flat_map(|held_entry| std::iter::once(held_entry).chain(&held_entry.others))
            .map(|one| one.created_by)
            .collect()
    }

    #[test]
    fn a_proposal_replaces_only_one_of_the_same_user() {
        let two = proposal(2).join(Some(proposal(1)));
        assert_eq!(users(Some(&two)), [2, 1]);
        let three = proposal(3).join(Some(two));
        assert_eq!(users(Some(&three)), [3, 2, 1]);
        assert_eq!(users(Some(&proposal(1).join(Some(three.clone())))), [1, 3, 2]);
        assert_eq!(users(HeldEntry::without_own(Some(three.clone()), 3).as_ref()), [2, 1]);
        assert_eq!(HeldEntry::without_own(Some(proposal(1)), 1), None);
        let (one, rest) = three.clone().split(1).unwrap();
        assert_eq!((one.created_by, users(rest.as_ref())), (2, vec![3, 1]));
        assert_eq!(three.split(3), None);
    }
}
