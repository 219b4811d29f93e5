//! Queue for expensive work that shares a few slots fairly between tenants and limits each user.
//!
//! A tenant has at most one slot at a time, so that no tenant takes all slots. The next slot is given to the
//! tenant whose last work began longest ago. Work that waits longer than [`PATIENCE`] is refused and should
//! be retried.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use identity::caller::Caller;
use tokio::{sync::oneshot, time::timeout};
use values::{Error, Result};

use crate::codes;

/// Maximum wait for a slot.
pub const PATIENCE: Duration = Duration::from_mins(2);
/// Maximum number of slots that one user may have or wait for.
const SLOTS_PER_USER: usize = 4;
/// Number of tenants whose last work is remembered.
const PARTIES_MAX: usize = 10_000;
const RETRY_SECONDS: u64 = 30;

/// User and tenant that claim a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Claimant {
    tenant: Option<i64>,
    user: i64,
}

/// Unit of fairness: a tenant, or one user of the platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Party {
    Tenant(i64),
    Person(i64),
}

impl Claimant {
    /// Names a user and their tenant, if any.
    pub fn new(tenant: Option<i64>, user: i64) -> Self {
        Self { tenant, user }
    }

    /// Returns the id of the user.
    pub fn user(self) -> i64 {
        self.user
    }

    /// Returns the party that shares slots fairly: the tenant, or a user of the platform.
    pub fn party(self) -> Party {
        self.tenant.map_or(Party::Person(self.user), Party::Tenant)
    }
}

impl From<&Caller> for Claimant {
    fn from(caller: &Caller) -> Self {
        Self::new(caller.tenant_id.map(i64::from), caller.id)
    }
}

/// Slots of one kind of work.
#[derive(Debug, Clone)]
pub struct FairQueue(Arc<Mutex<QueueState>>);

#[derive(Debug)]
struct QueueState {
    slots: usize,
    running: Vec<Claimant>,
    waiting: Vec<Waiter>,
    /// Number of the last work of each party.
    began: HashMap<Party, u64>,
    count: u64,
}

#[derive(Debug)]
struct Waiter {
    claimant: Claimant,
    start: oneshot::Sender<Slot>,
}

/// Guard of a slot, which ends when it is dropped.
#[derive(Debug)]
pub struct Slot {
    queue: FairQueue,
    claimant: Claimant,
}

impl FairQueue {
    /// Returns a queue with this number of concurrent slots.
    pub fn new(slots: usize) -> Self {
        let (running, waiting, began) = (Vec::new(), Vec::new(), HashMap::new());
        Self(Arc::new(Mutex::new(QueueState { slots, running, waiting, began, count: 0 })))
    }

    /// Waits for a slot.
    ///
    /// # Errors
    /// [`codes::BUSY`] if the user has too many slots already, or the wait takes too long.
    pub async fn take(&self, claimant: Claimant) -> Result<Slot> {
        let waiting = {
            let mut state = self.lock();
            state.waiting.retain(|waiting| !waiting.start.is_closed());
            if state.slots_of_user(claimant.user) >= SLOTS_PER_USER {
                return Err(Error::Later { code: codes::BUSY, seconds: RETRY_SECONDS });
            }
            let (start, waiting) = oneshot::channel();
            state.waiting.push(Waiter { claimant, start });
            waiting
        };
        self.start_next();
        match timeout(PATIENCE, waiting).await {
            Ok(Ok(slot)) => Ok(slot),
            Ok(Err(_)) | Err(_) => Err(Error::Later { code: codes::BUSY, seconds: RETRY_SECONDS }),
        }
    }

    fn start_next(&self) {
        loop {
            let Some(Waiter { claimant, start }) = self.lock().next() else { return };
            // a caller who does not wait any more drops the slot immediately
            let _ = start.send(Slot { queue: self.clone(), claimant });
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueState {
    fn slots_of_user(&self, user: i64) -> usize {
        let waiting = self.waiting.iter().map(|waiting| &waiting.claimant);
        self.running.iter().chain(waiting).filter(|claimant| claimant.user == user).count()
    }

    fn next(&mut self) -> Option<Waiter> {
        self.waiting.retain(|waiting| !waiting.start.is_closed());
        if self.running.len() >= self.slots {
            return None;
        }
        let is_free = |party: Party| self.running.iter().all(|running| running.party() != party);
        let began = |party: Party| self.began.get(&party).copied().unwrap_or_default();
        let waiting =
            self.waiting.iter().enumerate().filter(|(_, waiting)| is_free(waiting.claimant.party()));
        let (first, _) =
            waiting.min_by_key(|(number, waiting)| (began(waiting.claimant.party()), *number))?;
        let next = self.waiting.remove(first);
        if self.began.len() >= PARTIES_MAX {
            self.began.clear();
        }
        self.count += 1;
        self.began.insert(next.claimant.party(), self.count);
        self.running.push(next.claimant);
        Some(next)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        {
            let mut state = self.queue.lock();
            if let Some(index) = state.running.iter().position(|running| *running == self.claimant) {
                state.running.swap_remove(index);
            }
        }
        self.queue.start_next();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const NORTH: Option<i64> = Some(1);
    const SOUTH: Option<i64> = Some(2);
    const EAST: Option<i64> = Some(3);

    fn busy(outcome: Result<Slot>) -> bool {
        matches!(outcome, Err(Error::Later { code: codes::BUSY, .. }))
    }

    #[tokio::test]
    async fn a_busy_tenant_leaves_a_slot_for_others() {
        let queue = FairQueue::new(2);
        let first = queue.take(Claimant::new(NORTH, 10)).await.unwrap();
        let mut more = Box::pin(queue.take(Claimant::new(NORTH, 11)));
        assert!(more.as_mut().now_or_never().is_none(), "one tenant has all slots");
        let other = queue.take(Claimant::new(SOUTH, 20)).now_or_never();
        let other = other.expect("a slot is free").unwrap();
        drop(first);
        let second = more.await.unwrap();
        drop((second, other));
        assert_eq!(queue.lock().running, []);
    }

    #[tokio::test]
    async fn the_tenant_with_the_oldest_turn_is_served_next() {
        let queue = FairQueue::new(1);
        let first = queue.take(Claimant::new(NORTH, 10)).await.unwrap();
        let mut north = Box::pin(queue.take(Claimant::new(NORTH, 11)));
        assert!(north.as_mut().now_or_never().is_none());
        let mut south = Box::pin(queue.take(Claimant::new(SOUTH, 20)));
        assert!(south.as_mut().now_or_never().is_none());
        let mut abandoned = Box::pin(queue.take(Claimant::new(EAST, 30)));
        assert!(abandoned.as_mut().now_or_never().is_none());
        drop(abandoned);
        drop(first);
        assert!(north.as_mut().now_or_never().is_none());
        drop(south.now_or_never().expect("a slot is free").unwrap());
        north.now_or_never().expect("a slot is free").unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn the_slots_and_the_waiting_time_of_a_user_are_limited() {
        let queue = FairQueue::new(2);
        let person = Claimant::new(None, 7);
        let _first = queue.take(person).await.unwrap();
        let mut waiting: Vec<_> = (1..SLOTS_PER_USER).map(|_| Box::pin(queue.take(person))).collect();
        assert!(waiting.iter_mut().all(|one| one.as_mut().now_or_never().is_none()));
        assert!(busy(queue.take(person).await));
        assert!(!busy(queue.take(Claimant::new(None, 8)).await), "another user");
        assert!(busy(waiting.remove(0).await), "its waiting time is over");
    }
}
