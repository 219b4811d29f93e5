//! Types, scopes and statuses of price lists.

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{Instant, Period};

/// Kind of prices in a list.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = PriceListType, example = "sales")]
pub enum ListType {
    /// Costs of articles to the owner; no other tenant sees them.
    #[sea_orm(string_value = "internal")]
    Internal,
    /// Prices that customers pay.
    #[sea_orm(string_value = "sales")]
    Sales,
}

/// Scope of a list's audience.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))")]
#[serde(rename_all = "snake_case")]
#[schema(as = PriceListScope, example = "own")]
pub enum ListScope {
    /// All tenants, including future ones.
    #[sea_orm(string_value = "global")]
    Global,
    /// Tenants and groups that the list names; if there are none, the owner alone.
    #[sea_orm(string_value = "own")]
    Own,
}

/// Status of a list at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PriceListStatus, example = "active")]
pub enum Status {
    /// The list has not begun yet.
    Pending,
    Active,
    /// The list has expired, or ended before it began.
    Inactive,
}

impl ListType {
    pub const NAMES: &'static [&'static str] = &["internal", "sales"];

    /// Name on the wire and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Internal => "internal",
            Self::Sales => "sales",
        }
    }
}

impl ListScope {
    pub const NAMES: &'static [&'static str] = &["global", "own"];

    /// Name on the wire and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Own => "own",
        }
    }
}

impl Status {
    pub const NAMES: &'static [&'static str] = &["pending", "active", "inactive"];

    /// Status of a list with this period at a moment.
    pub fn at_moment(period: &Period<Instant>, moment: &Instant) -> Self {
        if period.is_empty() || period.until.is_some_and(|until| until <= *moment) {
            Self::Inactive
        } else if period.contains(moment) {
            Self::Active
        } else {
            Self::Pending
        }
    }

    /// Name on the wire and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Inactive => "inactive",
        }
    }
}

#[cfg(test)]
mod tests {
    use values::now;

    use super::*;

    #[test]
    fn a_list_is_active_from_its_start_until_before_its_end() {
        let moment = now();
        let at = |seconds: i64| moment + chrono::TimeDelta::seconds(seconds);
        for (from, until, status) in [
            (1, None, Status::Pending),
            (0, None, Status::Active),
            (-1, None, Status::Active),
            (-1, Some(1), Status::Active),
            (-1, Some(0), Status::Inactive),
            (0, Some(0), Status::Inactive),
            // archived before its beginning
            (5, Some(5), Status::Inactive),
            (5, Some(6), Status::Pending),
        ] {
            let period = Period::new(at(from), until.map(at));
            assert_eq!(Status::at_moment(&period, &moment), status, "{from} {until:?}");
        }
    }
}
