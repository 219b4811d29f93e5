//! The post: answers who has forgotten his password, and sends what lies in the outbox, for as long as the server runs.

use std::time::Duration;

use actix_web::web::Data;
use identity::{password_reset, user};
use kernel::{Result, now};
use mail::{
    Kind,
    outbox::{self, Fate, Letter},
    transport::Failure,
};
use tokio::{sync::watch, task::JoinHandle};

use crate::state::State;

/// How long the post rests when there is nothing to do.
const POLL: Duration = Duration::from_secs(1);
/// How long it waits for a mail server that does not answer: longer each time, but never so long that mails would
/// leave late once it does.
const PAUSES: [Duration; 3] = [Duration::from_secs(15), Duration::from_secs(30), Duration::from_mins(1)];

/// How long the end of the process waits for a mail that is on its way.
const PATIENCE: Duration = Duration::from_secs(10);

/// The post of a process.
pub struct Post {
    ending: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// Starts working.
pub fn start(state: Data<State>) -> Post {
    let (ending, ended) = watch::channel(false);
    Post { ending, task: tokio::spawn(work(state, ended)) }
}

impl Post {
    /// Waits for the mail that is on its way, but not for a mail server that does not answer: then it may come twice.
    pub async fn end(self) {
        // A post that has died listens no more.
        let _ = self.ending.send(true);
        if let Ok(Err(error)) = tokio::time::timeout(PATIENCE, self.task).await {
            tracing::error!(%error, "the post has died");
        }
    }
}

async fn work(state: Data<State>, mut ending: watch::Receiver<bool>) {
    let mut silent = 0;
    while !*ending.borrow() {
        let state = state.clone();
        // In a task of its own, so that a panic costs a mail an attempt and not the post its life.
        let rest = match tokio::spawn(async move { deliver(&state).await }).await {
            Ok(Ok(true)) => {
                silent = 0;
                POLL
            }
            Ok(Ok(false)) => {
                silent = (silent + 1).min(PAUSES.len());
                PAUSES.get(silent - 1).copied().unwrap_or(POLL)
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "the outbox cannot be read");
                POLL
            }
            Err(error) => {
                tracing::error!(%error, "the post has panicked");
                POLL
            }
        };
        tokio::select! {
            () = tokio::time::sleep(rest) => {}
            _ = ending.changed() => {}
        }
    }
}

/// Answers and sends everything that is due; whether the mail server can be reached, as far as one knows.
pub async fn deliver(state: &State) -> Result<bool> {
    password_reset::answer(&state.db, &state.settings.public_url(), now()).await?;
    while !state.is_ending()
        && let Some(letter) = outbox::claim(&state.db, now()).await?
    {
        let outcome = state.transport.send(&letter).await;
        note(state, &letter, &outcome).await?;
        if matches!(outcome, Err(Failure::Unreachable(_))) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What a mail's end means to whom it is about, in one transaction with it. Its text and links are in no log.
async fn note(state: &State, letter: &Letter, outcome: &Result<(), Failure>) -> Result<()> {
    let tx = state.db.begin().await?;
    let fate = outbox::record(&tx, letter, outcome, now()).await?;
    if let (Some(Fate::Sent | Fate::GivenUp), Kind::Invitation, Some(user)) =
        (fate, letter.kind, letter.user_id)
    {
        user::invitation_is_out(&tx, user).await?;
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
