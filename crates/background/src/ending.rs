//! That a process is to end, as its work learns it.

use tokio::sync::watch;

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Ending(watch::Receiver<bool>);

impl From<watch::Receiver<bool>> for Ending {
    fn from(told: watch::Receiver<bool>) -> Self {
        Self(told)
    }
}

impl Ending {
    /// Whether the process is to end, or whoever would say so is gone.
    pub fn has_come(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }

    /// Resolves then.
    pub async fn comes(&mut self) {
        // Whoever would say so is gone.
        let _ = self.0.wait_for(|ending| *ending).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn it_comes_when_it_is_told_or_nobody_can_tell_any_more() {
        let (told, ending) = watch::channel(false);
        let mut ending = Ending::from(ending);
        assert!(!ending.has_come());
        told.send(true).unwrap();
        assert!(ending.has_come());
        ending.comes().await;

        let (told, ending) = watch::channel(false);
        let mut ending = Ending::from(ending);
        drop(told);
        assert!(ending.has_come());
        ending.comes().await;
    }
}
