//! The time for which addresses of sign-ins are kept.

use chrono::TimeDelta;

/// Where somebody signed in from is forgotten first.
pub(crate) const ADDRESSES_KEPT: TimeDelta = TimeDelta::days(90);
