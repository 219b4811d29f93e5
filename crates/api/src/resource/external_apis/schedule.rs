//! Next runs of the schedules that fetch lists of external APIs.

use feeds::{
    external_api::{ExternalApis, due},
    may,
    settings::{RUNS_SHOWN, fields::ScheduleInput},
};
use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, ok_json},
    input::{Body, Id},
    publish,
    routes::{Answer, Routes},
};
use values::{Validated, now};

use crate::{
    resource::ftp_settings::{RunsView, entered_runs},
    state::Server,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, ExternalApis: preview_runs, next_runs);
}

/// Shows the next five runs of a schedule before it is saved.
#[utoipa::path(post, path = "/api/admin/external-apis/next-runs")]
async fn preview_runs(
    _: ReadOnlyPost<Authorized<may::ConfigureExternalApi>>,
    Server(state): Server,
    Body(input): Body<Validated<ScheduleInput>>,
) -> Answer<OkJson<RunsView>> {
    Ok(ok_json(entered_runs(&state, input)?))
}

/// Shows the next five runs of an external API with the reasons for their times; none while it is switched
/// off or paused.
#[utoipa::path(get, path = "/api/admin/external-apis/{id}/next-runs")]
async fn next_runs(
    by: Authorized<may::ConfigureExternalApi>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<OkJson<RunsView>> {
    let api = by.scope().get::<ExternalApis>(&state.db, id).await?;
    let timetable = due::timetable(&api);
    let runs = timetable.map(|timetable| timetable.runs(state.time_zone(), now(), RUNS_SHOWN));
    Ok(ok_json(RunsView::new(runs.unwrap_or_default())))
}
