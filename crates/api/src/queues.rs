//! Background work: all queues, schedules and jobs, one line each.

use actix_web::web::Data;
use background::Background;

use crate::{
    cleaning, feed_runs,
    post::Post,
    replays::Replays,
    state::State,
    webhook_looks::WebhookLooks,
    webhook_queue::WebhookSender,
    work::{IMPORT_TYPES, imports},
};

/// All queues and jobs.
pub fn registered(state: &Data<State>) -> Background {
    Background::new(state.db.clone(), state.panics.clone())
        .queue(imports(state))
        .queue(Replays::new(state.clone(), &IMPORT_TYPES))
        .queue(Post(state.clone()))
        .queue(WebhookSender::new(state.clone()))
        .queue(WebhookLooks(state.clone()))
        .schedules(state.clone(), feed_runs::KINDS)
        .jobs(state.clone(), cleaning::JOBS)
}
