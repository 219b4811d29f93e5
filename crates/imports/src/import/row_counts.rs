//! Numbers of rows of an import by their result.

use sea_orm::{IdenStatic, Iterable, ModelTrait, sea_query::ValueType};

use super::{Column, Import, row::Outcome};

/// Numbers of rows by their result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowCounts([i64; Outcome::Kept as usize + 1]);

impl Outcome {
    /// Name of the number of rows with this result: its column, and its field in JSON.
    pub fn counter(self) -> &'static str {
        self.column().as_str()
    }

    /// Column that counts the rows of an import with this result.
    pub fn column(self) -> Column {
        match self {
            Self::Created => Column::RowsCreated,
            Self::Updated => Column::RowsUpdated,
            Self::Unchanged => Column::RowsUnchanged,
            Self::Refused => Column::RowsRefused,
            Self::Held => Column::RowsHeld,
            Self::Unresolved => Column::RowsUnresolved,
            Self::Removed => Column::RowsRemoved,
            Self::Skipped => Column::RowsSkipped,
            Self::Kept => Column::RowsKept,
        }
    }
}

impl RowCounts {
    /// Counts results.
    pub(crate) fn new(outcomes: impl Iterator<Item = Outcome>) -> Self {
        let mut counts = Self::default();
        for outcome in outcomes {
            counts.add(outcome, 1);
        }
        counts
    }

    /// Number of rows with one of these results.
    pub fn sum<const N: usize>(self, outcomes: [Outcome; N]) -> i64 {
        outcomes.into_iter().map(|outcome| self.get(outcome)).sum()
    }

    /// Number of rows with an outcome.
    pub fn get(self, outcome: Outcome) -> i64 {
        self.0.get(outcome as usize).copied().unwrap_or_default()
    }

    /// Number of all rows.
    pub(crate) fn total(self) -> i64 {
        self.0.into_iter().sum()
    }

    /// Results with their numbers of rows.
    pub(crate) fn iter(self) -> impl Iterator<Item = (Outcome, i64)> {
        Outcome::iter().map(move |outcome| (outcome, self.get(outcome)))
    }

    fn add(&mut self, outcome: Outcome, rows: i64) {
        if let Some(count) = self.0.get_mut(outcome as usize) {
            *count += rows;
        }
    }
}

impl std::ops::Add for RowCounts {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        for (outcome, rows) in other.iter() {
            Self::add(&mut self, outcome, rows);
        }
        self
    }
}

impl Import {
    /// Numbers of rows that all attempts so far have applied.
    pub fn row_counts(&self) -> RowCounts {
        let mut counts = RowCounts::default();
        for outcome in Outcome::iter() {
            let rows = <i64 as ValueType>::try_from(self.get(outcome.column()));
            counts.add(outcome, rows.unwrap_or_default());
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use lists::{Listed, list::Kind};
    use sea_orm::ActiveEnum;
    use store::Recorded;

    use super::{
        super::{Imports, row::ImportRows},
        *,
    };

    #[test]
    fn each_outcome_has_its_own_number_and_column() {
        assert_eq!(Outcome::iter().count(), RowCounts::default().0.len());
        let columns = Outcome::iter().map(|outcome| format!("{:?}", outcome.column()));
        let expected = Outcome::iter().map(|outcome| format!("Rows{outcome:?}"));
        assert_eq!(columns.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        let counts = RowCounts::new(Outcome::iter().chain([Outcome::Kept]));
        let counts = counts + RowCounts::new([Outcome::Created, Outcome::Kept].into_iter());
        assert_eq!(counts.sum([Outcome::Created, Outcome::Kept]), 5);
        assert_eq!((counts.get(Outcome::Held), counts.total()), (1, 12));
    }

    #[test]
    fn each_outcome_can_be_filtered_and_its_counter_is_not_in_the_history() {
        let field = ImportRows::FIELDS.iter().find(|field| field.name == "outcome").unwrap();
        let Kind::Choice(values) = field.kind else { panic!("not a choice") };
        let outcomes: Vec<String> = Outcome::iter().map(|outcome| outcome.to_value()).collect();
        assert_eq!(values, outcomes);
        let unnoted: Vec<&str> = Imports::UNNOTED.iter().map(IdenStatic::as_str).collect();
        assert!(Outcome::iter().all(|outcome| unnoted.contains(&outcome.counter())));
    }
}
