//! Mails about a changed e-mail address, to the former and the new one.

use kernel::{Instant, Language};

use super::Content;

/// Mail about the address of an account.
#[derive(Debug, Clone, Copy)]
pub enum EmailNotice<'a> {
    /// Sent to the former address: the account has another one now; the link undoes that.
    Changed { at: Instant, from: &'a str, to: &'a str, by: Option<&'a str>, undo: &'a str, days: i64 },
    /// Sent to the new address.
    Arrived { at: Instant, from: &'a str, to: &'a str, by: Option<&'a str>, sign_in: &'a str },
    /// Sent to the former address, which belongs to the account again; the page sets a new password.
    Restored { email: &'a str, page: &'a str },
    /// Sent to an address that no longer belongs to the account.
    Dropped { email: &'a str, sign_in: &'a str },
}

fn moment(at: Instant, language: Language) -> String {
    match language {
        Language::De => at.format("am %d.%m.%Y um %H:%M Uhr (UTC)").to_string(),
        Language::En => at.format("on %d-%m-%Y at %H:%M (UTC)").to_string(),
    }
}

/// Name of the user who changed an address, if it was not its owner.
fn author(by: Option<&str>, language: Language) -> String {
    match (by, language) {
        (Some(name), Language::De) => format!(" von {name}"),
        (Some(name), Language::En) => format!(" by {name}"),
        (None, _) => String::new(),
    }
}

pub(super) fn content(notice: EmailNotice<'_>, language: Language) -> Content {
    match notice {
        EmailNotice::Changed { at, from, to, by, undo, days } => {
            let change = Change { moment: moment(at, language), author: author(by, language), from, to };
            changed(&change, undo, days, language)
        }
        EmailNotice::Arrived { at, from, to, by, sign_in } => {
            let change = Change { moment: moment(at, language), author: author(by, language), from, to };
            arrived(&change, sign_in, language)
        }
        EmailNotice::Restored { email, page } => restored(email, page, language),
        EmailNotice::Dropped { email, sign_in } => dropped(email, sign_in, language),
    }
}

/// Parts of a sentence about a change.
struct Change<'a> {
    moment: String,
    author: String,
    from: &'a str,
    to: &'a str,
}

fn changed(
    Change { moment, author, from, to }: &Change<'_>,
    undo: &str,
    days: i64,
    language: Language,
) -> Content {
    let (subject, before, label, after) = match language {
        Language::De => (
            "Die E-Mail-Adresse Ihres Kontos bei Stalhof wurde geändert",
            vec![
                format!(
                    "die E-Mail-Adresse Ihres Kontos bei Stalhof wurde {moment}{author} \
                     geändert: bisher {from}, jetzt {to}."
                ),
                "Ist das in Ordnung, dann brauchen Sie nichts zu tun. Wenn nicht, machen \
                 Sie die Änderung rückgängig: Dann gilt wieder diese Adresse, alle \
                 Anmeldungen enden, und Sie legen ein neues Passwort fest."
                    .to_owned(),
            ],
            "Änderung rückgängig machen",
            vec![format!("Der Link gilt {days} Tage und lässt sich nur einmal verwenden.")],
        ),
        Language::En => (
            "The e-mail address of your account at Stalhof was changed",
            vec![
                format!(
                    "the e-mail address of your account at Stalhof was changed{author} \
                     {moment}: it was {from}, now it is {to}."
                ),
                "If this is fine, there is nothing to do. If not, undo the change: this \
                 address counts again, all sessions end, and you choose a new password."
                    .to_owned(),
            ],
            "Undo the change",
            vec![format!("The link is valid for {days} days and works only once.")],
        ),
    };
    Content { subject: subject.to_owned(), before, action: (label.to_owned(), undo.to_owned()), after }
}

fn arrived(Change { moment, author, from, to }: &Change<'_>, sign_in: &str, language: Language) -> Content {
    let (subject, before, label, after) = match language {
        Language::De => (
            "Diese E-Mail-Adresse gehört jetzt zu Ihrem Konto bei Stalhof",
            vec![
                format!(
                    "{to} ist seit der Änderung {moment}{author} die E-Mail-Adresse Ihres \
                     Kontos bei Stalhof; bisher war es {from}."
                ),
                "Melden Sie sich künftig mit dieser Adresse an; Ihr Passwort bleibt. \
                 Haben Sie kein Konto bei Stalhof, dann beachten Sie diese Nachricht \
                 nicht."
                    .to_owned(),
            ],
            "Anmelden",
            vec![],
        ),
        Language::En => (
            "This e-mail address belongs to your account at Stalhof now",
            vec![
                format!(
                    "{to} is the e-mail address of your account at Stalhof since the \
                     change{author} {moment}; it was {from} before."
                ),
                "Sign in with this address from now on; your password stays. If you have \
                 no account at Stalhof, please ignore this message."
                    .to_owned(),
            ],
            "Sign in",
            vec![],
        ),
    };
    Content { subject: subject.to_owned(), before, action: (label.to_owned(), sign_in.to_owned()), after }
}

fn restored(email: &str, page: &str, language: Language) -> Content {
    let (subject, before, label, after) = match language {
        Language::De => (
            "Die Änderung Ihrer E-Mail-Adresse wurde rückgängig gemacht",
            vec![
                format!(
                    "Ihr Konto bei Stalhof hat wieder die E-Mail-Adresse {email}. Alle \
                     Anmeldungen sind beendet."
                ),
                "Das bisherige Passwort gilt nicht mehr. Legen Sie ein neues fest, und \
                 sagen Sie Ihrem Administrator Bescheid, falls Sie die Änderung nicht \
                 veranlasst hatten."
                    .to_owned(),
            ],
            "Neues Passwort festlegen",
            vec![
                "Ist der Link abgelaufen, dann fordern Sie auf der Anmeldeseite einen \
                 neuen an."
                    .to_owned(),
            ],
        ),
        Language::En => (
            "The change of your e-mail address was undone",
            vec![
                format!(
                    "your account at Stalhof has the e-mail address {email} again. All \
                     sessions have ended."
                ),
                "The former password no longer works. Choose a new one, and tell your \
                 administrator if the change was not your request."
                    .to_owned(),
            ],
            "Choose a new password",
            vec!["If the link has expired, request a new one on the sign-in page.".to_owned()],
        ),
    };
    Content { subject: subject.to_owned(), before, action: (label.to_owned(), page.to_owned()), after }
}

fn dropped(email: &str, sign_in: &str, language: Language) -> Content {
    let (subject, before, label, after) = match language {
        Language::De => (
            "Diese E-Mail-Adresse gehört nicht mehr zu Ihrem Konto bei Stalhof",
            vec![
                format!(
                    "{email} ist nicht mehr die E-Mail-Adresse Ihres Kontos bei Stalhof: Die \
                     Änderung wurde von der bisherigen Adresse aus rückgängig gemacht."
                ),
                "Melden Sie sich mit der bisherigen Adresse an. Wollten Sie die Änderung, \
                 dann sprechen Sie bitte mit Ihrem Administrator."
                    .to_owned(),
            ],
            "Anmelden",
            vec![],
        ),
        Language::En => (
            "This e-mail address no longer belongs to your account at Stalhof",
            vec![
                format!(
                    "{email} is no longer the e-mail address of your account at Stalhof: the \
                     change was undone from the former address."
                ),
                "Sign in with the former address. If you wanted the change, please talk \
                 to your administrator."
                    .to_owned(),
            ],
            "Sign in",
            vec![],
        ),
    };
    Content { subject: subject.to_owned(), before, action: (label.to_owned(), sign_in.to_owned()), after }
}
