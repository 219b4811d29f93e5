//! Hourly jobs that delete expired data. `docs/operations.md` lists how long data are stored.

use std::time::Duration;

use actix_web::web::Data;
use api::{
    state::State,
    webhook_events::{self, TokenEvents},
};
use background::Job;
use catalog::image::cleanup;
use identity::token::{self, reminder};
use imports::import::retention;
use store::Database;
use values::{Instant, Result};

use crate::feed_health;

/// Independent jobs: a failed one is retried soon and does not delay the others.
pub static JOBS: &[Job<Data<State>>] = &[
    Job::hourly("sessions", |state, now| Box::pin(async move { short_lived(&state.db, now).await })),
    Job::hourly("token_reminders", |state, now| {
        Box::pin(
            async move { reminder::remind(&state.db, &state.settings.public_url, &TokenEvents, now).await },
        )
    }),
    Job::hourly("replaced_tokens", |state, now| {
        Box::pin(async move { token::clean_up(&state.db, now).await })
    }),
    Job::hourly("token_addresses", |state, now| {
        Box::pin(async move { token::forget_addresses(&state.db, now).await })
    }),
    Job::hourly("history", |state, now| {
        Box::pin(async move { identity::audit::clean_up(&state.db, now).await })
    }),
    Job::hourly("import_files", |state, now| {
        Box::pin(async move { retention::clean_up(&state.db, &state.storage, now).await })
    }),
    Job::hourly("feed_runs", |state, now| {
        Box::pin(async move { feeds::run::clean_up(&state.db, now).await })
    }),
    Job::hourly("webhook_deliveries", |state, now| {
        Box::pin(async move { webhooks::delivery::clean_up(&state.db, now).await })
    }),
    Job::hourly("pictures", |state, _| {
        Box::pin(async move { cleanup::clean_up(&state.db, &state.storage).await })
    }),
    Job::hourly("mail_files", |state, now| {
        Box::pin(async move { Ok(mail::transport::clean_up(&state.settings.mail_folder, now)?) })
    }),
    Job {
        name: "feed_health",
        every: Duration::from_mins(5),
        limit: Duration::from_mins(30),
        run: |state, now| Box::pin(async move { feed_health::watch(&state, now).await }),
    },
    Job {
        name: "price_list_events",
        every: Duration::from_mins(1),
        limit: Duration::from_mins(10),
        run: |state, now| Box::pin(async move { webhook_events::announce_price_lists(&state.db, now).await }),
    },
    Job::hourly("spool", |state, _| Box::pin(async move { Ok(state.storage.clean_up()?) })),
];

/// Deletes expired sessions, failed sign-ins, links, changes of e-mail addresses, requests for a new
/// password, mails, stored answers of repeatable calls, names of deleted records, and the price changes that
/// update caches.
async fn short_lived(db: &Database, now: Instant) -> Result<()> {
    let tx = db.begin_long().await?;
    identity::session::clean_up(&tx, now).await?;
    identity::throttle::clean_up(&tx, now).await?;
    identity::link::clean_up(&tx, now).await?;
    identity::email_change::clean_up(&tx, now).await?;
    identity::password_reset::clean_up(&tx, now).await?;
    mail::outbox::clean_up(&tx, now).await?;
    identity::idempotency::clean_up(&tx, now).await?;
    store::change_feed::clean_up(&tx, now).await?;
    store::versioned_cache::clean_up(&tx, now).await?;
    tx.commit().await
}
