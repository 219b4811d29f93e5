//! The post: answers who has forgotten their password, and sends what lies in the outbox.

use std::time::Duration;

use actix_web::web::Data;
use background::{Ending, Figures, Queue, Turn};
use identity::{password_reset, user};
use kernel::{Instant, Result, now};
use mail::{
    Kind,
    outbox::{self, Failure, Fate, Letter},
};

use crate::state::State;

/// The outbox.
#[derive(Debug)]
pub struct Post(pub Data<State>);

impl Queue for Post {
    type Item = Letter;

    const NAME: &'static str = "mails";
    const PLACES: usize = 1;
    const POLL: Duration = Duration::from_secs(1);
    /// How long a mail server that does not answer is waited for: longer each time, but never so long that mails would
    /// leave late once it does.
    const PAUSES: (Duration, Duration) = (Duration::from_secs(15), Duration::from_mins(1));
    /// A mail that is on its way is waited for, but not a mail server that does not answer: then it may come twice.
    const PATIENCE: Duration = Duration::from_secs(10);

    async fn claim(&self, owner: &str) -> Result<Option<Letter>> {
        let Self(state) = self;
        password_reset::answer(&state.db, &state.settings.public_url(), now()).await?;
        outbox::claim(&state.db, owner, now()).await
    }

    async fn work(&self, letter: Letter, _: Ending) -> Turn {
        let Self(state) = self;
        let outcome = state.transport.send(&letter).await;
        if let Err(error) = note(state, &letter, &outcome).await {
            tracing::warn!(mail = letter.id, %error, "how a mail went cannot be noted");
            return Turn::Pause;
        }
        if matches!(outcome, Err(Failure::Unreachable(_))) { Turn::Pause } else { Turn::Next }
    }

    async fn figures(&self, now: Instant) -> Result<Figures> {
        outbox::figures(&self.0.db, now).await
    }

    fn can_work(&self) -> bool {
        !self.0.db.health().is_away()
    }
}

/// What a mail's end means to whom it is about, in one transaction with it. Its text and links are in no log.
async fn note(state: &State, letter: &Letter, outcome: &Result<(), Failure>) -> Result<()> {
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
