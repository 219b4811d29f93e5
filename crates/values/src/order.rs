//! Manual orders: all records are rearranged together, starting from the order that the user was shown.

use crate::{
    codes,
    error::{Result, Violations},
    rule,
};

/// Checks the order `ids` that a user makes from the order `previous`. `current` is the stored order, read
/// while it is locked against changes.
///
/// # Errors
/// Ids that are missing, unknown or duplicate in `ids`; [`codes::ORDER_CHANGED`] if `current` differs from
/// `previous`.
pub fn check_order(ids: &[i64], previous: &[i64], current: &[i64]) -> Result<()> {
    let mut violations = Violations::new();
    rule::unique(&mut violations, ids, |index| format!("ids.{index}"));
    for (index, id) in ids.iter().enumerate() {
        if !current.contains(id) && !previous.contains(id) {
            violations.add(format!("ids.{index}"), codes::UNKNOWN_REFERENCE);
        }
    }
    if violations.is_empty() && ids.len() < previous.len() {
        violations.add("ids", codes::TOO_FEW.with("min", previous.len()));
    }
    violations.check()?;
    if current != previous || ids.len() != previous.len() {
        return Err(codes::ORDER_CHANGED.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_order_must_be_based_on_the_current_one() {
        assert!(check_order(&[3, 1, 2], &[1, 2, 3], &[1, 2, 3]).is_ok());
        let code = |ids: &[i64], previous: &[i64]| check_order(ids, previous, &[1, 2, 3]).unwrap_err().code();
        assert_eq!(code(&[3, 1, 2], &[2, 1, 3]), codes::ORDER_CHANGED);
        assert_eq!(code(&[1, 2], &[1, 2]), codes::ORDER_CHANGED, "one was added meanwhile");
        assert_eq!(code(&[1, 2, 3, 4], &[1, 2, 3, 4]), codes::ORDER_CHANGED, "one was removed meanwhile");
        for ids in [&[1, 2][..], &[1, 2, 2], &[1, 2, 4]] {
            assert_eq!(code(ids, &[1, 2, 3]), codes::INVALID_INPUT, "{ids:?}");
        }
    }
}
