//! Mail queue: answers requests for a new password, and sends the mails in the outbox.

use std::time::Duration;

use actix_web::web::Data;
use api::state::State;
use background::{Backoff, Figures, NextStep, Queue, ShutdownSignal};
use identity::{password_reset, user};
use mail::{
    Kind,
    outbox::{self, Failure, Fate, Letter},
};
use values::{Instant, Result, now};

/// Queue of the outbox.
#[derive(Debug)]
pub struct MailSender(pub Data<State>);

impl Queue for MailSender {
    type Item = Letter;

    const NAME: &'static str = "mails";
    const CONCURRENCY: usize = 1;
    const POLL: Duration = Duration::from_secs(1);
    /// Backoff after failures of the mail server: the maximum is short, so that mails are sent soon once it
    /// answers.
    const BACKOFF: Backoff = Backoff { first: Duration::from_secs(15), longest: Duration::from_mins(1) };
    /// Time to wait for a mail in progress at the end of the process; with a mail server that does not
    /// answer, the mail may be sent twice.
    const PATIENCE: Duration = Duration::from_secs(10);

    async fn claim(&self, owner: &str) -> Result<Option<Letter>> {
        let Self(state) = self;
        password_reset::answer(&state.db, &state.settings.public_url, now()).await?;
        outbox::claim(&state.db, owner, now()).await
    }

    async fn work(&self, letter: Letter, _: ShutdownSignal) -> NextStep {
        let Self(state) = self;
        let outcome = state.transport.send(&letter).await;
        if let Err(error) = record_result(state, &letter, &outcome).await {
            tracing::warn!(mail = letter.id, %error, "how a mail went cannot be noted");
            return NextStep::Pause;
        }
        if matches!(outcome, Err(Failure::Unreachable(_))) { NextStep::Pause } else { NextStep::Next }
    }

    async fn figures(&self, now: Instant) -> Result<Figures> {
        outbox::figures(&self.0.db, now).await
    }

    fn can_work(&self) -> bool {
        !self.0.db.health().is_away()
    }
}

/// Records the result of a mail and its consequences for the user, in one transaction. Its text and links are
/// never logged.
async fn record_result(state: &State, letter: &Letter, outcome: &Result<(), Failure>) -> Result<()> {
    let tx = state.db.begin().await?;
    let fate = outbox::record(&tx, letter, outcome, now()).await?;
    if let (Some(Fate::Sent | Fate::GivenUp), Kind::Invitation, Some(user)) =
        (fate, letter.kind, letter.user_id)
    {
        user::status::invitation_is_out(&tx, user).await?;
    }
    tx.commit().await?;
    let (mail, kind, attempt) = (letter.id, letter.kind, letter.attempts);
    match (fate, outcome) {
        (Some(Fate::Waits(until)), Err(cause)) => {
            tracing::warn!(mail, ?kind, attempt, %cause, %until, "a mail has to wait");
        }
        (Some(Fate::GivenUp), Err(cause)) => {
            tracing::error!(mail, ?kind, attempt, %cause, "a mail cannot be delivered");
        }
        _ => tracing::info!(mail, ?kind, attempt, "a mail has left"),
    }
    Ok(())
}
