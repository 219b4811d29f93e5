//! Half-open periods, so that two of them can follow each other without a gap or a common moment.

/// Period from its first moment until its end, which no longer belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period<T> {
    pub from: T,
    /// First moment after the period; `None` if it has no end.
    pub until: Option<T>,
}

impl<T: Ord> Period<T> {
    /// Creates a period; without `until` it has no end.
    pub const fn new(from: T, until: Option<T>) -> Self {
        Self { from, until }
    }

    /// True if no moment belongs to the period.
    pub fn is_empty(&self) -> bool {
        self.until.as_ref().is_some_and(|until| *until <= self.from)
    }

    /// True if a moment belongs to the period: its start does, its end does not.
    pub fn contains(&self, moment: &T) -> bool {
        self.from <= *moment && self.ends_after(moment)
    }

    /// True if a moment belongs to both periods. Periods that only touch do not overlap.
    pub fn overlaps(&self, other: &Self) -> bool {
        !self.is_empty() && !other.is_empty() && other.ends_after(&self.from) && self.ends_after(&other.from)
    }

    fn ends_after(&self, moment: &T) -> bool {
        self.until.as_ref().is_none_or(|until| moment < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(from: i32, until: impl Into<Option<i32>>) -> Period<i32> {
        Period::new(from, until.into())
    }

    #[test]
    fn a_period_includes_its_start_and_excludes_its_end() {
        let bounded = period(5, 8);
        assert_eq!([4, 5, 7, 8].map(|moment| bounded.contains(&moment)), [false, true, true, false]);
        let open = period(5, None);
        assert_eq!([4, 5, i32::MAX].map(|moment| open.contains(&moment)), [false, true, true]);
        for empty in [period(5, 5), period(5, 4)] {
            assert!(empty.is_empty() && ![4, 5].iter().any(|moment| empty.contains(moment)));
        }
    }

    #[test]
    fn adjacent_periods_do_not_overlap() {
        for (one, other, overlap) in [
            (period(1, 5), period(5, 8), false),
            (period(1, 5), period(4, 8), true),
            (period(1, None), period(4, 8), true),
            (period(8, None), period(4, 8), false),
            (period(7, None), period(4, None), true),
            (period(1, 9), period(4, 5), true),
            (period(1, 9), period(4, 4), false),
            (period(4, 4), period(4, 4), false),
            (period(1, 3), period(4, 5), false),
        ] {
            assert_eq!((one.overlaps(&other), other.overlaps(&one)), (overlap, overlap), "{one:?} {other:?}");
        }
    }
}
