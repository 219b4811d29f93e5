//! Background work: all queues, schedules and jobs, one line each.

use actix_web::web::Data;
use api::{
    state::State,
    work::{IMPORT_TYPES, imports},
};
use background::Background;

use crate::{
    cleanup, feed_runs, mail_queue::MailSender, replays::Replays, webhook_polls::WebhookPolls,
    webhook_queue::WebhookSender,
};

/// All queues and jobs.
pub fn registered(state: &Data<State>) -> Background {
    Background::new(state.db.clone(), state.panics.clone())
        .queue(imports(state))
        .queue(Replays::new(state.clone(), &IMPORT_TYPES))
        .queue(MailSender(state.clone()))
        .queue(WebhookSender::new(state.clone()))
        .queue(WebhookPolls(state.clone()))
        .schedules(state.clone(), feed_runs::KINDS)
        .jobs(state.clone(), cleanup::JOBS)
}
