//! Mails about a feed that brings no file, and about its recovery.

use kernel::{Instant, Language, shown_in, time_zone};

use super::Content;

/// The kind of file that a feed brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedFile {
    Price,
    Stock,
}

/// A change in the state of a feed.
#[derive(Debug, Clone, Copy)]
pub enum FeedChange<'a> {
    /// A file was expected by this moment and has not come.
    Late { expected: Instant },
    /// Files cannot be fetched or imported, in the reader's language.
    Broken { reason: &'a str },
    /// Files come again, after an incident that began at this moment.
    Recovered { since: Instant },
}

/// A mail about a feed.
#[derive(Debug, Clone, Copy)]
pub struct FeedNotice<'a> {
    pub file: FeedFile,
    /// The server that the file comes from.
    pub host: &'a str,
    /// Company of the tenant.
    pub company: &'a str,
    pub change: FeedChange<'a>,
}

fn moment(at: Instant, language: Language) -> String {
    let shown = shown_in(time_zone(), &at);
    match language {
        Language::De => shown.format("%d.%m.%Y um %H:%M Uhr").to_string(),
        Language::En => shown.format("%d-%m-%Y at %H:%M").to_string(),
    }
}

pub(super) fn content(notice: FeedNotice<'_>, page: &str, language: Language) -> Content {
    let FeedNotice { file, host, company, change } = notice;
    let (subject, lead, advice) = match language {
        Language::De => german(file, host, change),
        Language::En => english(file, host, change),
    };
    let (of, label, settings) = match language {
        Language::De => (
            format!("Mandant: {company}."),
            "FTP-Import öffnen",
            "Ob Sie solche Nachrichten bekommen, legen Sie unter „Mein Konto“ fest.",
        ),
        Language::En => (
            format!("Tenant: {company}."),
            "Open the FTP import",
            "You choose under “My account” whether you get these messages.",
        ),
    };
    Content {
        subject,
        before: vec![lead, of, advice],
        action: (label.to_owned(), page.to_owned()),
        after: vec![settings.to_owned()],
    }
}

fn german(file: FeedFile, host: &str, change: FeedChange<'_>) -> (String, String, String) {
    let file = match file {
        FeedFile::Price => "Preisdatei",
        FeedFile::Stock => "Bestandsdatei",
    };
    match change {
        FeedChange::Late { expected } => (
            format!("Die {file} von {host} ist nicht gekommen"),
            format!(
                "bis zum {} wurde eine neue {file} von {host} erwartet. Sie ist nicht gekommen.",
                moment(expected, Language::De)
            ),
            "Fragen Sie den Absender, ob er sie bereitgestellt hat. Bis dahin gelten die bisherigen Werte."
                .to_owned(),
        ),
        FeedChange::Broken { reason } => (
            format!("Die {file} von {host} kommt nicht an"),
            format!("die {file} von {host} konnte nicht übernommen werden: {reason}"),
            "Bis das behoben ist, gelten die bisherigen Werte.".to_owned(),
        ),
        FeedChange::Recovered { since } => (
            format!("Die {file} von {host} kommt wieder an"),
            format!(
                "die {file} von {host} kommt wieder an. Die Störung bestand seit dem {}.",
                moment(since, Language::De)
            ),
            "Sie brauchen nichts zu tun.".to_owned(),
        ),
    }
}

fn english(file: FeedFile, host: &str, change: FeedChange<'_>) -> (String, String, String) {
    let file = match file {
        FeedFile::Price => "price file",
        FeedFile::Stock => "stock file",
    };
    match change {
        FeedChange::Late { expected } => (
            format!("The {file} from {host} has not come"),
            format!(
                "a new {file} from {host} was expected by {}. It has not come.",
                moment(expected, Language::En)
            ),
            "Ask the sender whether it was provided. Until it comes, the former values apply.".to_owned(),
        ),
        FeedChange::Broken { reason } => (
            format!("The {file} from {host} does not arrive"),
            format!("the {file} from {host} could not be taken over: {reason}"),
            "Until this is solved, the former values apply.".to_owned(),
        ),
        FeedChange::Recovered { since } => (
            format!("The {file} from {host} arrives again"),
            format!(
                "the {file} from {host} arrives again. The incident began on {}.",
                moment(since, Language::En)
            ),
            "There is nothing to do.".to_owned(),
        ),
    }
}
