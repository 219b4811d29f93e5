//! What is over goes, once an hour. How long what is kept stands in `docs/operations.md`.

use std::time::Duration;

use actix_web::web::Data;
use catalog::category_image;
use identity::token::{self, reminder};
use imports::retention;
use kernel::{Database, Instant, Result, now};

use crate::state::State;

/// For as long as the server runs.
pub async fn hourly(state: Data<State>) {
    let mut hours = tokio::time::interval(Duration::from_hours(1));
    loop {
        hours.tick().await;
        clean_up(&state, now()).await;
    }
}

/// Each on its own: what fails is tried again in an hour, and keeps nothing else.
pub async fn clean_up(state: &State, now: Instant) {
    let State { db, storage, settings, .. } = state;
    report("sessions, links and mails that are over", short_lived(db, now).await);
    report("tokens that end soon", reminder::remind(db, &settings.public_url(), now).await);
    report("tokens that were replaced", token::clean_up(db, now).await);
    report("addresses of tokens", token::forget_addresses(db, now).await);
    report("the history", identity::audit::clean_up(db, now).await);
    report("imported files", retention::clean_up(db, storage, now).await);
    report("pictures that nothing names", category_image::clean_up(db, storage).await);
    let mails = mail::transport::clean_up(&settings.mail_folder(), now);
    report("mails in files", mails.map_err(kernel::Error::internal));
    report("files in transit", storage.clean_up().map_err(kernel::Error::internal));
}

fn report(what: &str, outcome: Result<()>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, what, "clean-up failed");
    }
}

async fn short_lived(db: &Database, now: Instant) -> Result<()> {
    let tx = db.begin().await?;
    identity::session::clean_up(&tx, now).await?;
    identity::throttle::clean_up(&tx, now).await?;
    identity::link::clean_up(&tx, now).await?;
    identity::password_reset::clean_up(&tx, now).await?;
    mail::outbox::clean_up(&tx, now).await?;
    tx.commit().await
}
