//! Time at which an order is ready, with its reasons, as data from which screens make sentences.

use chrono::{DateTime, Utc};
use logistics::{
    calendar::{DayOff, holiday::Holiday},
    warehouse::readiness::{Readiness, Step, StepKind, StepReason},
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{ClockTime, Minutes, Weekday};

/// Readiness of an order.
#[derive(Serialize, ToSchema)]
#[schema(as = Readiness)]
pub(super) struct ReadinessView {
    ready_at: DateTime<Utc>,
    /// Steps from the order on; each begins when the one before ends.
    steps: Vec<StepView>,
}

/// Step of the preparation.
#[derive(Serialize, ToSchema)]
#[schema(as = ReadinessStep)]
struct StepView {
    what: WhatView,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    because: BecauseView,
}

/// Kind of a step: the day does not count, the order waits for the cut-off, or it is prepared.
#[derive(Serialize, ToSchema)]
#[schema(as = ReadinessWhat)]
#[serde(rename_all = "snake_case")]
enum WhatView {
    Skipped,
    Waiting,
    Preparation,
}

/// Reason of a step; fields of other reasons are `null`.
#[derive(Serialize, ToSchema)]
#[schema(as = ReadinessReason)]
struct BecauseView {
    code: ReasonCode,
    /// Cut-off, with `after_cut_off` and `cut_off`.
    #[schema(required)]
    cut_off: Option<ClockTime>,
    /// Weekday, with `not_in_working_week`.
    #[schema(required)]
    weekday: Option<Weekday>,
    /// Public holiday, with `public_holiday`.
    #[schema(required)]
    holiday: Option<Holiday>,
    /// Name of the closure, with `closed`; `null` for a seller's.
    #[schema(required, example = "Inventur")]
    name: Option<String>,
    /// Duration, with `no_cut_off` and `preparation_takes`.
    #[schema(required)]
    duration: Option<Minutes>,
}

/// Reasons.
#[derive(Serialize, ToSchema)]
#[schema(as = ReadinessReasonCode)]
#[serde(rename_all = "snake_case")]
enum ReasonCode {
    AfterCutOff,
    NotInWorkingWeek,
    PublicHoliday,
    Closed,
    CutOff,
    NoCutOff,
    PreparationTakes,
}

impl From<Readiness> for ReadinessView {
    fn from(Readiness { ready_at, steps }: Readiness) -> Self {
        Self { ready_at, steps: steps.into_iter().map(StepView::from).collect() }
    }
}

impl From<Step> for StepView {
    fn from(Step { what, from, to, because }: Step) -> Self {
        let what = match what {
            StepKind::Skipped => WhatView::Skipped,
            StepKind::Waiting => WhatView::Waiting,
            StepKind::Preparation => WhatView::Preparation,
        };
        Self { what, from, to, because: because.into() }
    }
}

impl From<StepReason> for BecauseView {
    fn from(because: StepReason) -> Self {
        let reason =
            |code| Self { code, cut_off: None, weekday: None, holiday: None, name: None, duration: None };
        match because {
            StepReason::AfterCutOff(time) => Self { cut_off: Some(time), ..reason(ReasonCode::AfterCutOff) },
            StepReason::CutOff(time) => Self { cut_off: Some(time), ..reason(ReasonCode::CutOff) },
            StepReason::NoCutOff(takes) => Self { duration: Some(takes), ..reason(ReasonCode::NoCutOff) },
            StepReason::PreparationTakes(takes) => {
                Self { duration: Some(takes), ..reason(ReasonCode::PreparationTakes) }
            }
            StepReason::DayOff(DayOff::NotInWorkingWeek(weekday)) => {
                Self { weekday: Some(weekday), ..reason(ReasonCode::NotInWorkingWeek) }
            }
            StepReason::DayOff(DayOff::PublicHoliday(holiday)) => {
                Self { holiday: Some(holiday), ..reason(ReasonCode::PublicHoliday) }
            }
            StepReason::DayOff(DayOff::Closed(name)) => {
                Self { name: Some(name).filter(|name| !name.is_empty()), ..reason(ReasonCode::Closed) }
            }
        }
    }
}
