//! Progress of imports as server-sent events.

use std::collections::HashMap;

use actix_web::web::Data;
use chrono::TimeDelta;
use http_api::{
    access::Authorized,
    events::{self, Audience, Events, Source},
    input::RequestInfo,
    publish,
    reauthorization::Reauthorization,
    routes::{Answer, Routes},
};
use imports::{
    import::{Import, ImportStatus, Imports, progress},
    may,
};
use store::Scope;
use values::{Instant, Language, Result, now};

use super::{ImportView, RelatedRecords};
use crate::{
    import_progress::listeners::ImportListener,
    state::{Server, State},
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Imports: events);
}

/// Tolerance for clocks that differ between processes, and for commits after the times in their rows.
const SLACK: TimeDelta = TimeDelta::seconds(30);

/// Imports that a listener sees.
struct ImportEvents {
    listener: ImportListener,
    state: Data<State>,
    scope: Scope,
    language: Language,
    since: Instant,
    /// States that were sent last, by import.
    last_sent: HashMap<i64, Moment>,
}

/// Values that distinguish two states of an import.
type Moment = (i64, ImportStatus, i64, Option<i64>);

fn moment(import: &Import) -> Moment {
    (import.version, import.status, import.rows_done, import.rows_total)
}

impl Source for ImportEvents {
    type Event = ImportView;

    const NAME: &'static str = "import";

    async fn wait_for_change(&mut self) {
        self.listener.wait_for_change().await;
    }

    async fn changes(&mut self) -> Result<Vec<ImportView>> {
        let db = &self.state.db;
        let moving = progress::since(db, &self.scope, self.since - SLACK).await?;
        let states: HashMap<_, _> = moving.iter().map(|import| (import.id, moment(import))).collect();
        let is_new = |import: &Import| self.last_sent.get(&import.id) != states.get(&import.id);
        let new: Vec<_> = moving.into_iter().filter(is_new).collect();
        self.since = new.iter().map(|import| import.updated_at).fold(self.since, Ord::max);
        let related = RelatedRecords::load(&new, db, &self.scope).await?.with_outage(&self.state);
        self.last_sent = states;
        Ok(new.into_iter().map(|import| related.view(import, self.language)).collect())
    }
}

/// Sends each import that the caller sees whenever it changes, as server-sent events called `import`. The
/// state at the beginning is not sent: clients should load the list then. The stream ends with the session,
/// with a change of the caller's permissions, and with the server.
#[utoipa::path(get, path = "/api/admin/imports/events")]
async fn events(
    by: Authorized<may::ListImports>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    reauthorization: Reauthorization,
) -> Answer<Events<ImportView>> {
    let (listener, ending) = (state.import_listeners.listen((&by.caller).into())?, state.ending());
    let (scope, language) = (*by.scope(), request.language);
    let source = ImportEvents { listener, state, scope, language, since: now(), last_sent: HashMap::new() };
    Ok(events::events(Audience { by: by.caller, reauthorization, ending, source }))
}
