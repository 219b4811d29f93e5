//! Guard of surcharges: compares a value with the one that the table has for the same row and month, or else
//! with that of the nearest month of the row.

use std::collections::BTreeMap;

use values::{Decimal, Error, Money, Result, Unit, Violations};

use crate::{guard, surcharge_table::surcharges::Month};

/// Maximum distance in months of another value of the row.
const NEAR: i32 = 12;

type Cells = BTreeMap<(i64, Month), Decimal>;

/// Value to be written: its index in the input, row and month; without a value, the existing one is deleted.
type NewValue = (usize, (i64, Month), Option<Decimal>);

/// Rejects implausible values. `current`: the values of the table and its base tables.
///
/// # Errors
/// [`Error::ReleaseNeeded`] with each implausible value at `values.<index>.value`.
pub(super) fn check(current: &Cells, new_values: &[NewValue], percent: i64) -> Result<()> {
    let mut after = current.clone();
    after.extend(new_values.iter().filter_map(|(_, place, value)| Some((*place, (*value)?))));
    let mut suspicious = Violations::new();
    for (index, (row, month), value) in new_values {
        let Some(value) = value else { continue };
        let current_value = current.get(&(*row, *month));
        let Some(before) = current_value.or_else(|| nearest(&after, *row, *month)) else { continue };
        if let Some(message) = guard::check_price(&per_tonne(*before), &per_tonne(*value), percent) {
            suspicious.add(format!("values.{index}.value"), message);
        }
    }
    if suspicious.is_empty() { Ok(()) } else { Err(Error::ReleaseNeeded(suspicious)) }
}

/// Returns the value of the nearest month of a row, earlier ones first.
fn nearest(cells: &Cells, row: i64, month: Month) -> Option<&Decimal> {
    let earlier = cells.range((row, month.plus(-NEAR))..(row, month)).next_back();
    let later = || cells.range((row, month.plus(1))..=(row, month.plus(NEAR))).next();
    earlier.or_else(later).map(|(_, value)| value)
}

fn per_tonne(price: Decimal) -> Money {
    Money { price, price_quantity: Decimal::ONE, unit: Unit::Tonne }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(text: &str) -> Month {
        Month::parse(text).unwrap()
    }

    fn cells(cells: &[(i64, &str, &str)]) -> Cells {
        cells
            .iter()
            .map(|(row, month_text, value)| ((*row, month(month_text)), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn a_surcharge_is_compared_with_its_former_value_or_the_nearest_month() {
        let current = cells(&[(20, "2026-10", "1300"), (20, "2026-11", "1350"), (21, "2024-01", "50")]);
        for (inputs, refused) in [
            (&[(20, "2026-11", "13500")][..], &["values.0.value"][..]),
            (&[(20, "2026-11", "1350")], &[]),
            (&[(20, "2026-11", "1500")], &[]),
            // a month without a value
            (&[(20, "2026-12", "13500")], &["values.0.value"]),
            (&[(20, "2026-12", "1400")], &[]),
            // compared with the value for another month in the same input
            (&[(20, "2026-12", "1700"), (20, "2027-01", "2100")], &[]),
            (&[(22, "2026-12", "100"), (22, "2027-01", "1000")], &["values.0.value", "values.1.value"]),
            // before the first month
            (&[(20, "2026-09", "130")], &["values.0.value"]),
            // no value within a year
            (&[(21, "2026-11", "5000"), (23, "2026-11", "7")], &[]),
        ] {
            let new_values: Vec<NewValue> = (0..)
                .zip(inputs)
                .map(|(index, (row, month_text, value))| {
                    (index, (*row, month(month_text)), Some(value.parse().unwrap()))
                })
                .collect();
            let places = match check(&current, &new_values, 30) {
                Ok(()) => Vec::new(),
                Err(Error::ReleaseNeeded(violations)) => {
                    violations.iter().map(|violation| violation.path.clone()).collect()
                }
                Err(error) => panic!("{error}"),
            };
            assert_eq!(places, refused, "{new_values:?}");
        }
        assert!(check(&current, &[(0, (20, month("2026-11")), None)], 30).is_ok(), "a removed value");
    }
}
