//! Retention of the addresses of sign-ins.

use chrono::TimeDelta;

/// Time after which addresses are deleted, earlier than the entries themselves.
pub(crate) const ADDRESSES_KEPT: TimeDelta = TimeDelta::days(90);
