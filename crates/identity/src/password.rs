//! Passwords: argon2id on a few low-priority threads of its own, so that many simultaneous sign-ins do not
//! slow down the other requests.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{SyncSender, sync_channel},
    },
    time::Duration,
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::sync::oneshot;
use values::{Error, Message, Phrase, Result, Violations, rule};
use zxcvbn::{Score, zxcvbn};

use crate::{codes, throttle::queue::Queues};

mod advice;
mod german;

/// Smallest parameters that OWASP recommends: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

const AT_ONCE_AT_MOST: usize = 2;
#[cfg(unix)]
const NICENESS: i32 = 5;
const WAITING_AT_MOST: usize = 32;
const WAIT: Duration = Duration::from_secs(2);

/// Number of characters that are scored: the run time of zxcvbn is quadratic in the length, and further
/// characters do not make a password weaker.
const SCORED_CHARACTERS: usize = 64;
/// Minimum length of new passwords; existing shorter ones stay valid.
const MIN_LENGTH: usize = 12;

/// Hashes and verifies passwords; cheap to clone.
#[derive(Clone, Debug)]
pub struct Passwords {
    waiting: SyncSender<Job>,
    sign_in_queues: Queues,
}

type Job = Box<dyn FnOnce() + Send>;

impl Default for Passwords {
    fn default() -> Self {
        let (waiting, jobs) = sync_channel::<Job>(WAITING_AT_MOST);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..at_once() {
            let jobs = jobs.clone();
            std::thread::spawn(move || {
                #[cfg(unix)]
                // If this is not permitted, the thread works at normal priority.
                let _ = rustix::process::nice(NICENESS);
                loop {
                    let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    match next {
                        Ok(job) => job(),
                        Err(_) => return,
                    }
                }
            });
        }
        Self { waiting, sign_in_queues: Queues::default() }
    }
}

impl Passwords {
    /// Queues of sign-ins that wait for the result of others.
    pub(crate) fn sign_in_queues(&self) -> &Queues {
        &self.sign_in_queues
    }

    /// Hashes a password to a PHC string.
    pub async fn hash(&self, password: String) -> Result<String> {
        self.run_limited(move || {
            let hash = argon2().hash_password(password.as_bytes());
            hash.map(|hash| hash.to_string()).map_err(Error::internal)
        })
        .await?
    }

    /// Returns true if the password matches the hash. Without a hash it takes equally long and returns false,
    /// so that an unknown account looks like a wrong password.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool> {
        self.run_limited(move || {
            let has_hash = hash.is_some();
            let hash = hash.unwrap_or_else(|| DUMMY.to_owned());
            let right = PasswordHash::new(&hash)
                .is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok());
            has_hash && right
        })
        .await
    }

    /// Checks the rules of a new password; `words` are those that an attacker would try first.
    pub async fn check(
        &self,
        violations: &mut Violations,
        path: &'static str,
        password: &str,
        words: Vec<String>,
    ) -> Result<()> {
        let password = password.to_owned();
        let (weaknesses, _) = self.run_limited(move || judge(path, &password, &words)).await?;
        violations.extend(weaknesses);
        Ok(())
    }

    /// Rates a password by the rules of `check`, for a meter beside the field.
    ///
    /// # Errors
    /// At `password` if it is longer than the maximum.
    pub async fn strength(&self, password: &str, words: Vec<String>) -> Result<Strength> {
        if password.chars().count() > rule::TEXT_MAX {
            return Err(Violations::error("password", codes::TOO_LONG.with("max", rule::TEXT_MAX)));
        }
        let password = password.to_owned();
        let (_, strength) = self.run_limited(move || judge("password", &password, &words)).await?;
        Ok(strength)
    }

    async fn run_limited<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let (done, result) = oneshot::channel();
        let job = move || {
            // Skips a job whose caller has given up waiting.
            if !done.is_closed() {
                let _ = done.send(work());
            }
        };
        self.waiting.try_send(Box::new(job)).map_err(|_| busy())?;
        let result = tokio::time::timeout(WAIT, result).await.map_err(|_| busy())?;
        result.map_err(Error::internal)
    }
}

/// Strength of a password, and advice on a better one.
#[derive(Debug, Clone)]
pub struct Strength {
    /// Score from 0 to 4.
    pub score: u8,
    /// True if the password satisfies the rules for new ones.
    pub enough: bool,
    /// Reason why it is easy to guess.
    pub warning: Option<Phrase>,
    pub suggestions: Vec<Phrase>,
}

/// Words that an attacker who knows the user tries first.
pub fn words(name: &str, email: &str) -> Vec<String> {
    let parts = name.split_whitespace().chain(email.split(['@', '.', '-', '_', '+']));
    let whole = [name, email, "stalhof"];
    parts.chain(whole).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Rates a new password: violated rules, and its strength. `words` are those of its owner.
fn judge(path: &str, password: &str, words: &[String]) -> (Violations, Strength) {
    let scored: String = password.chars().take(SCORED_CHARACTERS).collect();
    // zxcvbn rates earlier words as more likely.
    let words: Vec<&str> = words.iter().chain(german::words()).map(String::as_str).collect();
    let whole = zxcvbn(&scored, &words);
    let word = undecorated(&scored).filter(|_| whole.score() >= Score::Three);
    let bare = word.map(|word| zxcvbn(word, &words)).filter(|bare| bare.score() < Score::Two);
    let estimate = bare.unwrap_or(whole);
    let (warning, suggestions) = advice::from_feedback(estimate.feedback());

    let mut violations = Violations::new();
    rule::required(&mut violations, path, password);
    if password.chars().count() < MIN_LENGTH {
        violations.add(path, codes::TOO_SHORT.with("min", MIN_LENGTH));
    } else if estimate.score() < Score::Three {
        let advice_phrases: Vec<Phrase> = warning.iter().chain(&suggestions).copied().collect();
        violations.add(path, Message::from(codes::WEAK_PASSWORD).phrases("advice", &advice_phrases));
    }
    let enough = violations.is_empty();
    (violations, Strength { score: estimate.score().into(), enough, warning, suggestions })
}

/// Returns the password without the few digits and signs at its ends, if there are any: `Sommer` of
/// `Sommer2026!!`. zxcvbn counts each group of them as a part, and takes any three parts for a strong
/// password.
fn undecorated(password: &str) -> Option<&str> {
    const DECORATION_AT_MOST: usize = 8;
    let word = password.trim_matches(|letter: char| !letter.is_alphabetic());
    let decoration = password.chars().count() - word.chars().count();
    (!word.is_empty() && (1..=DECORATION_AT_MOST).contains(&decoration)).then_some(word)
}

/// Number of hashing threads: at most half of the processors, so that the others stay free.
fn at_once() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    (processors / 2).clamp(1, AT_ONCE_AT_MOST)
}

fn busy() -> Error {
    Error::Later { code: codes::BUSY, seconds: WAIT.as_secs() }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).expect("the parameters are within argon2's limits");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Hash with the same parameters that matches no password.
const DUMMY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$c3RhbGhvZi1kdW1teS1zYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

#[cfg(test)]
mod tests {
    use values::Language;

    use super::*;

    #[tokio::test]
    async fn a_password_verifies_only_against_its_own_hash() {
        let passwords = Passwords::default();
        let hash = passwords.hash("profil-traeger-walzwerk".into()).await.unwrap();
        assert!(passwords.verify("profil-traeger-walzwerk".into(), Some(hash.clone())).await.unwrap());
        assert!(!passwords.verify("profil-traeger-walzwerK".into(), Some(hash)).await.unwrap());
        assert!(!passwords.verify("profil-traeger-walzwerk".into(), None).await.unwrap());
        assert!(PasswordHash::new(DUMMY).is_ok(), "the dummy must cost as much as a real hash");
    }

    #[tokio::test]
    async fn verifications_are_refused_while_the_queue_is_full() {
        let passwords = Passwords::default();
        let (release, blocked) = std::sync::mpsc::channel::<()>();
        let blocked = Arc::new(Mutex::new(blocked));
        let (begun, has_begun) = std::sync::mpsc::channel();
        for _ in 0..at_once() {
            let (blocked, begun) = (blocked.clone(), begun.clone());
            let job = move || {
                begun.send(()).unwrap();
                blocked.lock().unwrap().recv().unwrap_err();
            };
            passwords.waiting.send(Box::new(job)).unwrap();
        }
        for _ in 0..at_once() {
            has_begun.recv().unwrap();
        }
        for _ in 0..WAITING_AT_MOST {
            assert!(passwords.waiting.try_send(Box::new(|| ())).is_ok());
        }
        let refused = passwords.verify(String::new(), None).await;
        assert!(matches!(refused, Err(Error::Later { code: codes::BUSY, .. })));
        drop(release);
        while passwords.hash("profil-traeger-walzwerk".into()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    #[test]
    fn weak_passwords_are_refused() {
        let judge_password =
            |password: &str| judge("password", password, &words("Nora Nord", "n.nord@nordstahl.example"));
        let codes = |password: &str| {
            judge_password(password).0.iter().map(|violation| violation.message.code).collect::<Vec<_>>()
        };
        assert_eq!(codes("profil-traeger-walzwerk"), []);
        assert_eq!(codes("nordstahl123"), [codes::WEAK_PASSWORD]);
        assert_eq!(codes("NoraNordstahl"), [codes::WEAK_PASSWORD]);
        assert_eq!(codes("kurz"), [codes::TOO_SHORT]);
        assert_eq!(codes("tR4$k9!mQz2"), [codes::TOO_SHORT]);
        assert_eq!(codes("tR4$k9!mQz2x"), []);
        assert_eq!(codes(""), [codes::REQUIRED, codes::TOO_SHORT]);
        assert_eq!(codes(&"aB3$".repeat(64)), [codes::TOO_LONG, codes::WEAK_PASSWORD]);
        assert!(judge_password("profil-traeger-walzwerk").1.enough && !judge_password("kurz").1.enough);
    }

    #[test]
    fn german_words_names_and_dates_are_weak() {
        for password in [
            "Willkommen123",
            "Willkommen2026!",
            "passwort2026!",
            "Passwort1234!",
            "Sommer2026!!",
            "ichliebedich1",
            "Fruehling2026!",
            "Frühling2026!",
            "MuellerThomas1",
            "Weihnachten24",
            "qwertzuiop12",
            "BayernMünchen1900",
            "Schalke04Schalke",
            "SonnenscheinSonnenschein",
        ] {
            let (violations, _) = judge("password", password, &[]);
            let codes: Vec<_> = violations.iter().map(|violation| violation.message.code).collect();
            assert_eq!(codes, [codes::WEAK_PASSWORD], "{password}");
        }
        for password in [
            "profil-traeger-walzwerk",
            "walzwerk-traeger-profil",
            "gelber Kran isst Nüsse",
            "Ofenrohr&Wiesel&7",
        ] {
            assert!(judge("password", password, &[]).1.enough, "{password}");
        }
    }

    #[test]
    fn a_weak_password_is_refused_with_advice_in_the_readers_language() {
        let (violations, strength) = judge("password", "password1234", &[]);
        let text = |language| violations.iter().next().unwrap().message.text(language);
        assert_eq!(
            text(Language::De),
            "Ihr Passwort ist nicht stark genug. Das ist ein sehr häufiges Passwort. \
             Nehmen Sie ein oder zwei Wörter hinzu, am besten ungewöhnliche."
        );
        assert!(
            text(Language::En)
                .starts_with("Your password is not strong enough. This is a very common password.")
        );
        assert!(strength.score < 3 && strength.warning.is_some());
    }

    /// Characters after the first 64 cost no time and do not make the password weaker.
    #[test]
    fn a_long_password_is_scored_by_its_beginning() {
        let long = format!("profil-traeger-walzwerk{}", "a".repeat(200));
        let started_at = std::time::Instant::now();
        assert!(judge("password", &long, &[]).1.enough);
        assert!(started_at.elapsed() < Duration::from_secs(5), "{:?}", started_at.elapsed());
    }
}
