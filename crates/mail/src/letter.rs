//! Mails: their data, and what the templates in `crates/mail/templates` are given. A new kind is a variant of
//! [`Mail`] with a template in each language.

mod email_change;
mod feed;
mod template;
mod webhook;

pub(crate) use self::template::RenderedMail;
pub use self::{
    email_change::EmailNotice,
    feed::{FeedChange, FeedFile, FeedNotice},
    webhook::{WebhookNotice, WebhookPause},
};
use minijinja::{Value, context};
use sea_orm::{DeriveActiveEnum, EnumIter, sea_query::StringLen};
use values::{Instant, Language};

use self::template::Letter;

/// Mail with its data.
#[derive(Debug, Clone)]
pub enum Mail<'a> {
    /// Invitation of a new user, who chooses a first password.
    Invitation { link: &'a str, days: i64 },
    /// Link to set a new password after the old one was forgotten.
    PasswordReset { link: &'a str, minutes: i64 },
    /// Notice to the owner of an account about a changed password, in case another person did it.
    PasswordChanged { at: Instant, forgot: &'a str },
    /// Change of an account's address, or its undo.
    EmailChange(EmailNotice<'a>),
    /// Notice about personal access tokens that expire soon, earliest first.
    TokensExpire { tokens: &'a [ExpiringToken<'a>], page: &'a str },
    /// Notice about the end of an import, to the user who uploaded the file.
    ImportEnded { import: Report<'a>, page: &'a str },
    /// Notice that a feed brings no file, or does so again.
    Feed { notice: FeedNotice<'a>, page: &'a str },
    /// Notice that a webhook was paused, because its receiver accepts no events.
    Webhook { notice: WebhookNotice<'a>, page: &'a str },
}

/// Result of an import.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    pub name: &'a str,
    pub failed: bool,
    pub dry_run: bool,
    pub rows: Rows,
    /// Reason of the result, in the reader's language.
    pub message: Option<&'a str>,
}

/// Numbers of rows of an import by result.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rows {
    pub created: i64,
    pub updated: i64,
    pub unchanged: i64,
    pub refused: i64,
    pub under_review: i64,
    pub unresolved: i64,
}

/// Token that expires.
#[derive(Debug, Clone, Copy)]
pub struct ExpiringToken<'a> {
    pub name: &'a str,
    pub at: Instant,
}

/// Kind of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(32))")]
pub enum Kind {
    #[sea_orm(string_value = "invitation")]
    Invitation,
    #[sea_orm(string_value = "password_reset")]
    PasswordReset,
    #[sea_orm(string_value = "password_changed")]
    PasswordChanged,
    #[sea_orm(string_value = "email_changed")]
    EmailChanged,
    #[sea_orm(string_value = "token_expires")]
    TokenExpires,
    #[sea_orm(string_value = "import_ended")]
    ImportEnded,
    #[sea_orm(string_value = "feed")]
    Feed,
    #[sea_orm(string_value = "webhook")]
    Webhook,
}

impl Mail<'_> {
    /// Kind that the outbox stores.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Invitation { .. } => Kind::Invitation,
            Self::PasswordReset { .. } => Kind::PasswordReset,
            Self::PasswordChanged { .. } => Kind::PasswordChanged,
            Self::EmailChange(_) => Kind::EmailChanged,
            Self::TokensExpire { .. } => Kind::TokenExpires,
            Self::ImportEnded { .. } => Kind::ImportEnded,
            Self::Feed { .. } => Kind::Feed,
            Self::Webhook { .. } => Kind::Webhook,
        }
    }

    /// Renders subject, text and HTML for a reader with this name.
    pub(crate) fn render(&self, reader: &str, language: Language) -> RenderedMail {
        self.letter(language).render(reader, language)
    }

    fn letter(&self, language: Language) -> Letter<'_> {
        match self {
            Self::Invitation { link, days } => Letter::new("invitation", link, context! { days }),
            Self::PasswordReset { link, minutes } => {
                Letter::new("password_reset", link, context! { minutes })
            }
            Self::PasswordChanged { at, forgot } => {
                Letter::new("password_changed", forgot, context! { at => utc(*at, language) })
            }
            Self::EmailChange(notice) => notice.letter(language),
            Self::TokensExpire { tokens, page } => {
                let token =
                    |token: &ExpiringToken| context! { name => token.name, at => utc(token.at, language) };
                let tokens = tokens.iter().map(token).collect::<Vec<_>>();
                Letter::new("tokens_expire", page, context! { tokens })
            }
            Self::ImportEnded { import, page } => import.letter(page),
            Self::Feed { notice, page } => notice.letter(page, language),
            Self::Webhook { notice, page } => notice.letter(page),
        }
    }
}

impl<'a> Report<'a> {
    fn letter(&self, page: &'a str) -> Letter<'a> {
        let Self { name, failed, dry_run, rows, message } = *self;
        let counts = [
            ("created", rows.created),
            ("updated", rows.updated),
            ("unchanged", rows.unchanged),
            ("refused", rows.refused),
            ("held", rows.under_review),
            ("unresolved", rows.unresolved),
        ];
        let occurring = counts.into_iter().filter(|(_, number)| *number > 0);
        let counts = occurring.map(|(result, number)| context! { result, number }).collect::<Vec<_>>();
        let waiting = rows.refused + rows.under_review + rows.unresolved > 0;
        Letter::new("import_ended", page, context! { name, failed, dry_run, message, counts, waiting })
    }
}

/// Day and time of a moment in UTC, as templates show it.
fn utc(at: Instant, language: Language) -> Value {
    context! { day => at.format(day_format(language)).to_string(), time => at.format("%H:%M").to_string() }
}

fn day_format(language: Language) -> &'static str {
    match language {
        Language::De => "%d.%m.%Y",
        Language::En => "%d-%m-%Y",
    }
}

#[cfg(test)]
mod tests {
    use super::{template::escaped, *};

    const LINK: &str = "https://stalhof.example/verification?token=lnk_x&y=1";

    const TOKENS: [ExpiringToken<'static>; 2] = [
        ExpiringToken { name: "ERP <2>", at: Instant::UNIX_EPOCH },
        ExpiringToken { name: "Shop", at: Instant::UNIX_EPOCH },
    ];

    /// Every mail in each of its forms.
    fn all() -> Vec<Mail<'static>> {
        let (at, page) = (Instant::UNIX_EPOCH, LINK);
        let (from, to) = ("a@x.example", "b@x.example");
        let mut mails = vec![
            Mail::Invitation { link: LINK, days: 7 },
            Mail::PasswordReset { link: LINK, minutes: 60 },
            Mail::PasswordChanged { at, forgot: LINK },
            Mail::EmailChange(EmailNotice::Restored { email: from, page }),
            Mail::EmailChange(EmailNotice::Dropped { email: to, sign_in: LINK }),
            Mail::TokensExpire { tokens: &TOKENS[..1], page },
            Mail::TokensExpire { tokens: &TOKENS, page },
        ];
        for by in [None, Some("Berta <b>")] {
            let changed = EmailNotice::Changed { at, from, to, by, undo: LINK, days: 7 };
            let arrived = EmailNotice::Arrived { at, from, to, by, sign_in: LINK };
            mails.extend([changed, arrived].map(Mail::EmailChange));
        }
        let unmatched = Rows { unchanged: 4, under_review: 1, unresolved: 2, ..Rows::default() };
        let imports = [
            report(),
            Report { rows: Rows { updated: 1, ..Rows::default() }, ..report() },
            Report { rows: unmatched, dry_run: true, ..report() },
            Report { failed: true, message: Some("The file is empty."), rows: Rows::default(), ..report() },
        ];
        mails.extend(imports.map(|import| Mail::ImportEnded { import, page }));
        let (host, company) = ("ftp.x.example", "Nordstahl & Co");
        for file in [FeedFile::Price, FeedFile::Stock] {
            let changes = [
                FeedChange::Late { expected: at },
                FeedChange::Broken { reason: "No route <to> host." },
                FeedChange::Recovered { since: at },
            ];
            mails.extend(
                changes.map(|change| Mail::Feed { notice: FeedNotice { file, host, company, change }, page }),
            );
        }
        let pauses = [WebhookPause::Gone, WebhookPause::Undeliverable];
        mails.extend(
            pauses.map(|pause| Mail::Webhook { notice: WebhookNotice { host, company, pause }, page }),
        );
        mails
    }

    fn report() -> Report<'static> {
        let rows = Rows { created: 12, refused: 3, ..Rows::default() };
        Report { name: "Preise <neu>", failed: false, dry_run: false, rows, message: None }
    }

    #[test]
    fn the_notice_of_an_import_lists_only_results_that_occur() {
        let render = |import, language| Mail::ImportEnded { import, page: LINK }.render("A", language);
        let german = render(report(), Language::De);
        assert_eq!(german.subject, "Import „Preise <neu>“ ist beendet, einige Zeilen warten auf Sie");
        assert!(german.text.contains("Zeilen: 12 neu angelegt, 3 abgelehnt.\n"), "{}", german.text);
        assert!(!german.text.contains("Probelauf"));
        let failed = Report {
            failed: true,
            dry_run: true,
            rows: Rows::default(),
            message: Some("The file is empty."),
            ..report()
        };
        let english = render(failed, Language::En);
        assert_eq!(english.subject, "Import “Preise <neu>” has failed");
        assert!(english.text.contains("The file is empty.") && english.text.contains("dry run"));
        assert!(!english.text.contains("Rows:"), "{}", english.text);
        let fine = Report { rows: Rows { updated: 1, ..Rows::default() }, ..report() };
        assert_eq!(render(fine, Language::De).subject, "Import „Preise <neu>“ ist beendet");
    }

    #[test]
    fn every_mail_has_equivalent_text_and_html_in_both_languages() {
        for mail in all() {
            let [german, english] =
                [Language::De, Language::En].map(|language| mail.render("Adele Brandt", language));
            assert_ne!(german.subject, english.subject);
            for written in [german, english] {
                assert!(written.text.lines().any(|line| line == LINK), "{}", written.text);
                assert!(
                    written
                        .html
                        .contains("href=\"https://stalhof.example/verification?token=lnk_x&amp;y=1\"")
                );
                assert!(written.html.contains(&format!("<title>{}</title>", escaped(&written.subject))));
                for text in [&written.text, &written.html] {
                    assert!(text.contains("Adele Brandt"));
                }
            }
        }
    }

    #[test]
    fn every_expiring_token_is_listed_with_its_day() {
        for (language, day) in
            [(Language::De, "01.01.1970 um 00:00 Uhr"), (Language::En, "01-01-1970 at 00:00")]
        {
            for tokens in [&TOKENS[..1], &TOKENS] {
                let written = Mail::TokensExpire { tokens, page: LINK }.render("A", language);
                for ExpiringToken { name, .. } in tokens {
                    let is_listed = |line: &&str| line.contains(name) && line.contains(day);
                    assert_eq!(written.text.lines().filter(is_listed).count(), 1, "{}", written.text);
                    assert!(written.html.contains(&escaped(name)));
                }
            }
        }
    }

    #[test]
    fn a_name_is_text_and_never_markup() {
        let written = all().remove(0).render("<img src=x onerror='a()'> & \"Co\"", Language::De);
        assert!(!written.html.contains("<img"));
        assert!(written.html.contains("&lt;img src=x onerror=&#39;a()&#39;&gt; &amp; &quot;Co&quot;"));
    }

    #[test]
    fn a_name_adds_no_line_to_a_subject_and_no_template_code() {
        let report = Report { name: "A\n\nBcc: {{ reader }}", ..report() };
        let mail = Mail::ImportEnded { import: report, page: LINK }.render("Adele", Language::En);
        assert_eq!(mail.subject, "Import “A Bcc: {{ reader }}” has ended and needs your attention");
        assert!(mail.text.contains("Bcc: {{ reader }}”"), "{}", mail.text);
    }

    #[test]
    fn mails_load_no_external_resources() {
        for mail in all() {
            let html = mail.render("A", Language::En).html;
            for foreign in ["src=", "url(", "<img", "<link", "<script", "@import"] {
                assert!(!html.contains(foreign), "{foreign}");
            }
        }
    }
}
