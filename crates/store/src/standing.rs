//! State of noted changes in the light of later ones: every undo checks if a change still stands, has been
//! undone or was superseded.

use std::collections::BTreeSet;

use chrono::DateTime;
use serde_json::Value as Json;
use values::{decimal::Decimal, error::Result};

use crate::audit::{Change, Fields};

/// State of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeState {
    /// The field still has the value that the change has set.
    Stands,
    /// The field has its value from before the change.
    Undone,
    /// A later change has set another value.
    Superseded,
}

impl ChangeState {
    /// Compares the current value with those after and before the change.
    pub fn compare<T: ?Sized>(now: &T, after: &T, before: &T, is_same: impl Fn(&T, &T) -> bool) -> Self {
        if is_same(now, after) {
            Self::Stands
        } else if is_same(now, before) {
            Self::Undone
        } else {
            Self::Superseded
        }
    }

    /// State of a change of parts, compared with the current ones.
    pub fn compare_current_parts(change: &Change, now: &[Json]) -> Self {
        let (added, removed) = (parts(&change.to), parts(&change.from));
        let still_added = added.iter().filter(|part| now.contains(part)).count();
        let still_removed = removed.iter().filter(|part| !now.contains(part)).count();
        Self::compare_parts(added.len(), still_added, removed.len(), still_removed)
    }

    /// Compares the parts that a change has added and removed with those that still are added or removed.
    fn compare_parts(added: usize, still_added: usize, removed: usize, still_removed: usize) -> Self {
        match (still_added, still_removed) {
            (0, 0) => Self::Undone,
            still if still == (added, removed) => Self::Stands,
            _ => Self::Superseded,
        }
    }

    /// State of a change that was followed by these changes, oldest first.
    pub fn after_later_changes<'c>(change: &Change, later: impl Iterator<Item = &'c Change>) -> Self {
        let later: Vec<&Change> = later.filter(|later| later.field == change.field).collect();
        if let (Json::Array(_), _) | (_, Json::Array(_)) = (&change.from, &change.to) {
            return Self::compare_later_parts(change, &later);
        }
        let now = later.last().map_or(&change.to, |last| &last.to);
        Self::compare(now, &change.to, &change.from, is_same)
    }

    fn compare_later_parts(change: &Change, later: &[&Change]) -> Self {
        let (added, removed) = (parts(&change.to), parts(&change.from));
        let (mut still_added, mut still_removed) = (added.to_vec(), removed.to_vec());
        for later in later {
            let (from, to) = (parts(&later.from), parts(&later.to));
            still_added.retain(|part| !from.contains(part) || to.contains(part));
            still_removed.retain(|part| !to.contains(part) || from.contains(part));
        }
        Self::compare_parts(added.len(), still_added.len(), removed.len(), still_removed.len())
    }
}

/// Changes of an entry or a row, sorted by their state.
#[derive(Debug)]
pub struct ChangesByState<T> {
    pub standing: Vec<T>,
    pub undone: Vec<T>,
    pub superseded: Vec<T>,
}

impl<T> FromIterator<(ChangeState, T)> for ChangesByState<T> {
    fn from_iter<C: IntoIterator<Item = (ChangeState, T)>>(changes: C) -> Self {
        let mut sorted = Self { standing: Vec::new(), undone: Vec::new(), superseded: Vec::new() };
        for (state, change) in changes {
            match state {
                ChangeState::Stands => sorted.standing.push(change),
                ChangeState::Undone => sorted.undone.push(change),
                ChangeState::Superseded => sorted.superseded.push(change),
            }
        }
        sorted
    }
}

impl<T> ChangesByState<T> {
    /// Changes that an undo reverts: those that still stand, unless one of the changes was superseded.
    pub fn revert(self, noted: impl Fn(T) -> Change) -> RevertResult<Vec<T>> {
        let Self { standing, undone, superseded } = self;
        if !superseded.is_empty() {
            RevertResult::Superseded(superseded.into_iter().map(noted).collect())
        } else if !standing.is_empty() {
            RevertResult::Former(standing)
        } else if undone.is_empty() {
            RevertResult::Nothing
        } else {
            RevertResult::Already
        }
    }
}

/// Parts that a field lists.
pub fn parts(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// True if two values are equal; times and amounts may be written differently.
pub fn is_same(value: &Json, now: &Json) -> bool {
    let same_time = |a: &str, b: &str| {
        DateTime::parse_from_rfc3339(a)
            .ok()
            .zip(DateTime::parse_from_rfc3339(b).ok())
            .is_some_and(|(a, b)| a == b)
    };
    let amount = |value: &Json| match value {
        Json::String(text) => text.parse::<Decimal>().ok(),
        Json::Number(number) => number.to_string().parse().ok(),
        _ => None,
    };
    match (value, now) {
        (Json::String(a), Json::String(b)) => a == b || same_time(a, b),
        (Json::Number(_), Json::String(_)) => amount(value).is_some_and(|number| amount(now) == Some(number)),
        _ => value == now,
    }
}

/// Changes of a record since its creation that have not been undone, the first of each field; `later` is
/// ordered by age, oldest first.
pub fn changes_since_creation(later: &[Change], writes: fn(&Change) -> bool) -> Vec<Change> {
    let later: Vec<&Change> = later.iter().filter(|change| writes(change)).collect();
    let is_left = |(index, change): &(usize, &Change)| {
        let is_first = !later.iter().take(*index).any(|other| other.field == change.field);
        let behind = later.iter().skip(index + 1).copied();
        is_first && ChangeState::after_later_changes(change, behind) != ChangeState::Undone
    };
    later.iter().copied().enumerate().filter(is_left).map(|(_, change)| change.clone()).collect()
}

/// Fields that form one value together, such as a price with its quantity and unit.
#[derive(Debug, Clone, Copy)]
pub struct Values {
    /// Name of the value to which a field belongs.
    pub value_of: fn(&str) -> &str,
    /// Values that an undo clears, whatever they were before.
    pub emptied: &'static [&'static str],
}

/// Result of undoing an entry of the history of a record.
#[derive(Debug, PartialEq)]
pub enum RevertResult<T> {
    /// Former fields of the record, with later changes of other fields.
    Former(T),
    /// All changes have been undone already.
    Already,
    /// The entry contains no change that can be undone.
    Nothing,
    /// Changes whose values were changed again since.
    Superseded(Vec<Change>),
}

impl<T> RevertResult<T> {
    /// Converts the former fields.
    ///
    /// # Errors
    /// Those of the conversion.
    pub fn try_map<U>(self, convert: impl FnOnce(T) -> Result<U>) -> Result<RevertResult<U>> {
        Ok(match self {
            Self::Former(former) => RevertResult::Former(convert(former)?),
            Self::Already => RevertResult::Already,
            Self::Nothing => RevertResult::Nothing,
            Self::Superseded(changes) => RevertResult::Superseded(changes),
        })
    }
}

impl Values {
    /// Undoes the changes of one entry, value by value; `later` are the changes after it, oldest first.
    pub fn revert(self, now: &Fields, changes: &[Change], later: &[Change]) -> RevertResult<Fields> {
        let after = fields_before(now, later.iter().rev());
        let before = fields_before(&after, changes.iter());
        let values: BTreeSet<&str> = changes.iter().map(|change| (self.value_of)(&change.field)).collect();
        let states = values.into_iter().map(|value| {
            let own = |fields: &Fields| -> Fields {
                let own = fields.iter().filter(|(field, _)| (self.value_of)(field) == value);
                own.map(|(field, content)| (field.clone(), content.clone())).collect()
            };
            let mut own_before = own(&before);
            if self.emptied.contains(&value) {
                for content in own_before.values_mut() {
                    *content = Json::Null;
                }
            }
            let state = ChangeState::compare(&own(now), &own(&after), &own_before, is_filled_alike);
            (state, (value, own_before))
        });
        let ChangesByState { standing, undone, superseded } = states.collect();
        if !superseded.is_empty() {
            let own = |value| changes.iter().filter(move |change| (self.value_of)(&change.field) == value);
            return RevertResult::Superseded(
                superseded.iter().flat_map(|(value, _)| own(*value)).cloned().collect(),
            );
        }
        let mut former = now.clone();
        former.extend(standing.into_iter().flat_map(|(_, before)| before));
        if !is_filled_alike(&former, now) {
            RevertResult::Former(former)
        } else if undone.is_empty() {
            RevertResult::Nothing
        } else {
            RevertResult::Already
        }
    }
}

/// Fields before these changes, which are ordered latest first.
fn fields_before<'c>(after: &Fields, changes: impl Iterator<Item = &'c Change>) -> Fields {
    let mut fields = after.clone();
    fields.extend(changes.map(|change| (change.field.clone(), change.from.clone())));
    fields
}

/// True if two sets of fields have the same contents; a missing field equals an empty one.
fn is_filled_alike(one: &Fields, other: &Fields) -> bool {
    let is_filled = |(_, content): &(&String, &Json)| !content.is_null();
    one.iter().filter(is_filled).eq(other.iter().filter(is_filled))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(field: &str, from: Json, to: Json) -> Change {
        Change { field: field.to_owned(), from, to }
    }

    #[test]
    fn a_field_change_stands_is_undone_or_is_superseded() {
        let own = change("name", "a".into(), "b".into());
        let state_after = |later: &[[&str; 2]]| {
            let later: Vec<_> =
                later.iter().map(|[from, to]| change("name", (*from).into(), (*to).into())).collect();
            ChangeState::after_later_changes(&own, later.iter())
        };
        assert_eq!(state_after(&[]), ChangeState::Stands);
        assert_eq!(state_after(&[["b", "c"]]), ChangeState::Superseded);
        assert_eq!(state_after(&[["b", "c"], ["c", "b"]]), ChangeState::Stands);
        assert_eq!(state_after(&[["b", "a"]]), ChangeState::Undone);
        let other = change("density", "1".into(), "2".into());
        assert_eq!(ChangeState::after_later_changes(&own, [other].iter()), ChangeState::Stands);
    }

    #[test]
    fn a_change_of_parts_stands_until_one_of_them_is_reverted() {
        let own = change("parts", json!([1]), json!([2, 3]));
        let state_after =
            |from: Json, to: Json| ChangeState::after_later_changes(&own, [change("parts", from, to)].iter());
        assert_eq!(state_after(json!([]), json!([4])), ChangeState::Stands);
        assert_eq!(state_after(json!([2]), json!([])), ChangeState::Superseded);
        assert_eq!(state_after(json!([2, 3]), json!([1])), ChangeState::Undone);
    }

    #[test]
    fn a_value_of_several_fields_is_reverted_as_a_whole() {
        fn value_of(field: &str) -> &str {
            field.split(['_', '.']).next().unwrap_or(field)
        }
        let values = Values { value_of, emptied: &["held"] };
        let fields = |value: Json| serde_json::from_value::<Fields>(value).unwrap();
        let price = change("price_amount", json!("1"), json!("2"));
        let now = fields(json!({ "price_amount": "2", "price_unit": "t", "tiers": [] }));
        let revert = |later: &[Change]| values.revert(&now, std::slice::from_ref(&price), later);
        let former = fields(json!({ "price_amount": "1", "price_unit": "t", "tiers": [] }));
        assert_eq!(revert(&[]), RevertResult::Former(former));
        // the amount still is the one of the entry, but the unit has been changed
        let unit = change("price_unit", json!("kg"), json!("t"));
        assert_eq!(revert(&[unit]), RevertResult::Superseded(vec![price.clone()]));
        // several later changes: the first of them contains the value before
        let (forward, back) =
            (change("price_amount", json!("2"), json!("1")), change("price_amount", json!("1"), json!("2")));
        assert!(matches!(revert(&[forward.clone(), back]), RevertResult::Former(_)));
        let undone = fields(json!({ "price_amount": "1", "price_unit": "t", "tiers": [] }));
        assert_eq!(values.revert(&undone, std::slice::from_ref(&price), &[forward]), RevertResult::Already);
        assert_eq!(values.revert(&now, &[], &[]), RevertResult::Nothing);

        // a value under review is cleared, even if another one was under review before
        let waits = change("held.wanted", json!("3"), json!("4"));
        let now = fields(json!({ "held.wanted": "4", "held.by": 1 }));
        let emptied = fields(json!({ "held.wanted": null, "held.by": null }));
        assert_eq!(values.revert(&now, std::slice::from_ref(&waits), &[]), RevertResult::Former(emptied));
        let released = change("held.wanted", json!("4"), Json::Null);
        let by = change("held.by", json!(1), Json::Null);
        let now = fields(json!({ "held": null }));
        assert_eq!(values.revert(&now, &[waits], &[released, by]), RevertResult::Already);
    }
}
