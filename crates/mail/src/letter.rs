//! Contents of mails in both languages, as text and HTML. A new kind is a variant of [`Mail`] with its texts.

mod email_change;
mod feed;
mod webhook;

pub use self::{
    email_change::EmailNotice,
    feed::{FeedChange, FeedFile, FeedNotice},
    webhook::{WebhookNotice, WebhookPause},
};
use kernel::{Instant, Language};
use sea_orm::{DeriveActiveEnum, EnumIter, sea_query::StringLen};

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
    TokensExpire { tokens: &'a [Ending<'a>], page: &'a str },
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
    pub held: i64,
    pub unresolved: i64,
}

/// Token that expires.
#[derive(Debug, Clone, Copy)]
pub struct Ending<'a> {
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

/// Parts that all mails consist of.
struct Content {
    subject: String,
    before: Vec<String>,
    /// Label and target of a button.
    action: (String, String),
    after: Vec<String>,
}

impl Mail<'_> {
    /// Kind of the mail.
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
    pub(crate) fn written(&self, name: &str, language: Language) -> Written {
        let content = self.content(language);
        Written {
            text: content.text(name, language),
            html: content.html(name, language),
            subject: content.subject,
        }
    }

    fn content(&self, language: Language) -> Content {
        match (self, language) {
            (Self::Invitation { link, days }, Language::De) => Content {
                subject: "Ihre Einladung zu Stalhof".to_owned(),
                before: vec![
                    "für Sie wurde ein Konto bei Stalhof eingerichtet.".to_owned(),
                    "Legen Sie jetzt das Passwort fest, mit dem Sie sich künftig anmelden.".to_owned(),
                ],
                action: ("Passwort festlegen".to_owned(), (*link).to_owned()),
                after: vec![format!("Der Link gilt {days} Tage und lässt sich nur einmal verwenden.")],
            },
            (Self::Invitation { link, days }, Language::En) => Content {
                subject: "Your invitation to Stalhof".to_owned(),
                before: vec![
                    "an account at Stalhof has been set up for you.".to_owned(),
                    "Now choose the password that you will sign in with.".to_owned(),
                ],
                action: ("Choose a password".to_owned(), (*link).to_owned()),
                after: vec![format!("The link is valid for {days} days and works only once.")],
            },
            (Self::PasswordReset { link, minutes }, Language::De) => Content {
                subject: "Neues Passwort für Stalhof".to_owned(),
                before: vec![
                    "für Ihr Konto bei Stalhof wurde ein neues Passwort angefordert.".to_owned(),
                ],
                action: ("Neues Passwort festlegen".to_owned(), (*link).to_owned()),
                after: vec![
                    format!("Der Link gilt {minutes} Minuten und lässt sich nur einmal verwenden."),
                    "Haben Sie nichts angefordert, dann brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist."
                        .to_owned(),
                ],
            },
            (Self::PasswordReset { link, minutes }, Language::En) => Content {
                subject: "A new password for Stalhof".to_owned(),
                before: vec!["a new password was requested for your account at Stalhof.".to_owned()],
                action: ("Choose a new password".to_owned(), (*link).to_owned()),
                after: vec![
                    format!("The link is valid for {minutes} minutes and works only once."),
                    "If you did not request this, there is nothing to do: your password stays as it is.".to_owned(),
                ],
            },
            (Self::PasswordChanged { at, forgot }, Language::De) => Content {
                subject: "Ihr Passwort für Stalhof wurde geändert".to_owned(),
                before: vec![
                    format!(
                        "das Passwort Ihres Kontos bei Stalhof wurde am {} (UTC) geändert.",
                        at.format("%d.%m.%Y um %H:%M Uhr")
                    ),
                    "Waren Sie das, dann brauchen Sie nichts zu tun. Wenn nicht, fordern Sie sofort ein neues \
                     Passwort an und sagen Sie Ihrem Administrator Bescheid."
                        .to_owned(),
                ],
                action: ("Neues Passwort anfordern".to_owned(), (*forgot).to_owned()),
                after: vec![],
            },
            (Self::PasswordChanged { at, forgot }, Language::En) => Content {
                subject: "Your password for Stalhof was changed".to_owned(),
                before: vec![
                    format!(
                        "the password of your account at Stalhof was changed on {} (UTC).",
                        at.format("%d-%m-%Y at %H:%M")
                    ),
                    "If this was you, there is nothing to do. If not, request a new password at once and tell \
                     your administrator."
                        .to_owned(),
                ],
                action: ("Request a new password".to_owned(), (*forgot).to_owned()),
                after: vec![],
            },
            (Self::EmailChange(notice), language) => email_change::content(*notice, language),
            (Self::TokensExpire { tokens, page }, language) => tokens_expire(tokens, page, language),
            (Self::ImportEnded { import, page }, language) => import_ended(import, page, language),
            (Self::Feed { notice, page }, language) => feed::content(*notice, page, language),
            (Self::Webhook { notice, page }, language) => webhook::content(*notice, page, language),
        }
    }
}

fn tokens_expire(tokens: &[Ending<'_>], page: &str, language: Language) -> Content {
    let (subject, lead, until, advice, label) = match (tokens, language) {
        ([Ending { name, at }], Language::De) => (
            format!("Ihr Zugriffstoken „{name}“ läuft am {} ab", at.format("%d.%m.%Y")),
            format!("Ihr Zugriffstoken „{name}“ läuft am {} (UTC) ab.", at.format("%d.%m.%Y um %H:%M Uhr")),
            vec![],
            "Programme, die es benutzen, werden danach abgewiesen. Erneuern Sie es rechtzeitig und tragen Sie das neue \
             Token dort ein; das bisherige bleibt währenddessen bis zu sieben Tage gültig.",
            "Zugriffstoken öffnen",
        ),
        (several, Language::De) => (
            format!("{} Ihrer Zugriffstoken laufen bald ab", several.len()),
            "diese Zugriffstoken laufen bald ab:".to_owned(),
            lines(several, |name, at| format!("„{name}“ am {} (UTC)", at.format("%d.%m.%Y um %H:%M Uhr"))),
            "Programme, die sie benutzen, werden danach abgewiesen. Erneuern Sie sie rechtzeitig und tragen Sie die neuen \
             Token dort ein; die bisherigen bleiben währenddessen bis zu sieben Tage gültig.",
            "Zugriffstoken öffnen",
        ),
        ([Ending { name, at }], Language::En) => (
            format!("Your access token “{name}” expires on {}", at.format("%d-%m-%Y")),
            format!("your access token “{name}” expires on {} (UTC).", at.format("%d-%m-%Y at %H:%M")),
            vec![],
            "Programs that use it are refused from then on. Rotate it in time and enter the new token there; the old \
             one stays valid meanwhile, for up to seven days.",
            "Open access tokens",
        ),
        (several, Language::En) => (
            format!("{} of your access tokens expire soon", several.len()),
            "these access tokens expire soon:".to_owned(),
            lines(several, |name, at| format!("“{name}” on {} (UTC)", at.format("%d-%m-%Y at %H:%M"))),
            "Programs that use them are refused from then on. Rotate them in time and enter the new tokens there; the \
             old ones stay valid meanwhile, for up to seven days.",
            "Open access tokens",
        ),
    };
    Content {
        subject,
        before: [vec![lead], until, vec![advice.to_owned()]].concat(),
        action: (label.to_owned(), page.to_owned()),
        after: vec![],
    }
}

fn import_ended(import: &Report<'_>, page: &str, language: Language) -> Content {
    let Report { name, failed, dry_run, rows, message } = *import;
    let Rows { created, updated, unchanged, refused, held, unresolved } = rows;
    let is_left = refused + held + unresolved > 0;
    let counts = [created, updated, unchanged, refused, held, unresolved];
    let (labels, subject, lead, dry, settings, label) = match language {
        Language::De => (
            ["neu angelegt", "geändert", "unverändert", "abgelehnt", "angehalten", "ohne Zuordnung"],
            match (failed, is_left) {
                (true, _) => format!("Import „{name}“ ist fehlgeschlagen"),
                (false, true) => format!("Import „{name}“ ist beendet, einige Zeilen warten auf Sie"),
                (false, false) => format!("Import „{name}“ ist beendet"),
            },
            match (failed, is_left) {
                (true, _) => format!("Ihr Import „{name}“ ist fehlgeschlagen."),
                (false, true) => format!("Ihr Import „{name}“ ist beendet. Einige Zeilen warten auf Sie."),
                (false, false) => format!("Ihr Import „{name}“ ist beendet."),
            },
            "Es war ein Probelauf: Es wurde nichts gespeichert.",
            "Ob Sie solche Nachrichten bekommen, legen Sie unter „Mein Konto“ fest.",
            "Import öffnen",
        ),
        Language::En => (
            ["created", "changed", "unchanged", "refused", "held", "unmatched"],
            match (failed, is_left) {
                (true, _) => format!("Import “{name}” has failed"),
                (false, true) => format!("Import “{name}” has ended and needs your attention"),
                (false, false) => format!("Import “{name}” has ended"),
            },
            match (failed, is_left) {
                (true, _) => format!("your import “{name}” has failed."),
                (false, true) => format!("your import “{name}” has ended. Some rows are waiting for you."),
                (false, false) => format!("your import “{name}” has ended."),
            },
            "It was a dry run: nothing was saved.",
            "You choose under “My account” whether you get these messages.",
            "Open the import",
        ),
    };
    let counted = labels.iter().zip(counts).filter(|(_, count)| *count > 0);
    let counted: Vec<_> = counted.map(|(label, count)| format!("{count} {label}")).collect();
    let rows = (!counted.is_empty()).then(|| match language {
        Language::De => format!("Zeilen: {}.", counted.join(", ")),
        Language::En => format!("Rows: {}.", counted.join(", ")),
    });
    let dry = dry_run.then(|| dry.to_owned());
    Content {
        subject,
        before: [Some(lead), message.map(str::to_owned), rows, dry].into_iter().flatten().collect(),
        action: (label.to_owned(), page.to_owned()),
        after: vec![settings.to_owned()],
    }
}

fn lines(tokens: &[Ending<'_>], line: impl Fn(&str, Instant) -> String) -> Vec<String> {
    tokens.iter().map(|token| line(token.name, token.at)).collect()
}

pub(crate) struct Written {
    pub subject: String,
    pub text: String,
    pub html: String,
}

fn greeting(name: &str, language: Language) -> String {
    match language {
        Language::De => format!("Guten Tag {name},"),
        Language::En => format!("Hello {name},"),
    }
}

fn footer(language: Language) -> &'static str {
    match language {
        Language::De => "Diese Nachricht wurde automatisch verschickt. Bitte antworten Sie nicht darauf.",
        Language::En => "This message was sent automatically. Please do not reply to it.",
    }
}

fn if_the_button_fails(language: Language) -> &'static str {
    match language {
        Language::De => {
            "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse in Ihrem Browser:"
        }
        Language::En => "If the button does not work, open this address in your browser:",
    }
}

impl Content {
    fn text(&self, name: &str, language: Language) -> String {
        let (label, link) = &self.action;
        let mut parts = vec![greeting(name, language)];
        parts.extend(self.before.iter().cloned());
        // On a line of its own, so that every mail program finds its end.
        parts.push(format!("{label}:\n{link}"));
        parts.extend(self.after.iter().cloned());
        parts.push(format!("-- \nStalhof\n{}", footer(language)));
        parts.join("\n\n") + "\n"
    }

    /// One column without pictures: nothing is loaded from elsewhere.
    fn html(&self, name: &str, language: Language) -> String {
        let lang = match language {
            Language::De => "de",
            Language::En => "en",
        };
        let paragraphs = |lines: &[String]| {
            lines.iter().map(|line| format!("<p>{}</p>\n", escaped(line))).collect::<Vec<_>>().concat()
        };
        let (label, link) = (escaped(&self.action.0), escaped(&self.action.1));
        format!(
            r#"<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{subject}</title>
<style>{STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;border-radius:12px">
<tr><td style="padding:28px 32px;text-align:left">
<p class="brand" style="font-size:18px;font-weight:700;margin:0 0 20px">Stalhof</p>
<p>{greeting}</p>
{before}<p style="margin:24px 0"><a class="button" href="{link}" style="display:inline-block;padding:12px 20px;border-radius:8px;text-decoration:none;font-weight:600">{label}</a></p>
{after}<p class="soft">{fallback}<br><a class="plain" href="{link}" style="word-break:break-all">{link}</a></p>
</td></tr>
</table>
<p class="soft" style="max-width:520px;margin:16px auto 0">{footer}</p>
</td></tr>
</table>
</body>
</html>
"#,
            subject = escaped(&self.subject),
            greeting = escaped(&greeting(name, language)),
            before = paragraphs(&self.before),
            after = paragraphs(&self.after),
            fallback = if_the_button_fails(language),
            footer = footer(language),
        )
    }
}

/// The colours of the interface's default palette (`frontend/src/theme/palettes.ts`).
const STYLE: &str = "\
body,td,p{font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5}\
p{margin:0 0 16px}.page{background:#f3f5f5}.card{background:#ffffff;color:#17242b}.brand{color:#a3402c}\
.button{background:#1c5468;color:#ffffff}.soft{color:#50616a;font-size:13px}.plain{color:#1c5468}\
@media (prefers-color-scheme:dark){.page{background:#0c1316}.card{background:#182026;color:#e6ecee}\
.brand{color:#e39a88}.button{background:#8cc3d6;color:#0c1a20}.soft{color:#a2b0b6}.plain{color:#8cc3d6}}";

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://stalhof.example/verification?token=lnk_x&y=1";

    const TOKENS: [Ending<'static>; 2] = [
        Ending { name: "ERP <2>", at: Instant::UNIX_EPOCH },
        Ending { name: "Shop", at: Instant::UNIX_EPOCH },
    ];

    fn all() -> Vec<Mail<'static>> {
        vec![
            Mail::Invitation { link: LINK, days: 7 },
            Mail::PasswordReset { link: LINK, minutes: 60 },
            Mail::PasswordChanged { at: Instant::UNIX_EPOCH, forgot: LINK },
            Mail::EmailChange(EmailNotice::Changed {
                at: Instant::UNIX_EPOCH,
                from: "a@x.example",
                to: "b@x.example",
                by: Some("Adele <b>"),
                undo: LINK,
                days: 7,
            }),
            Mail::EmailChange(EmailNotice::Arrived {
                at: Instant::UNIX_EPOCH,
                from: "a@x.example",
                to: "b@x.example",
                by: None,
                sign_in: LINK,
            }),
            Mail::EmailChange(EmailNotice::Restored { email: "a@x.example", page: LINK }),
            Mail::EmailChange(EmailNotice::Dropped { email: "b@x.example", sign_in: LINK }),
            Mail::TokensExpire { tokens: &TOKENS[..1], page: LINK },
            Mail::TokensExpire { tokens: &TOKENS, page: LINK },
            Mail::ImportEnded { import: report(), page: LINK },
        ]
    }

    fn report() -> Report<'static> {
        let rows = Rows { created: 12, refused: 3, ..Rows::default() };
        Report { name: "Preise <neu>", failed: false, dry_run: false, rows, message: None }
    }

    #[test]
    fn the_notice_of_an_import_lists_only_results_that_occur() {
        let notice = |import, language| Mail::ImportEnded { import, page: LINK }.written("A", language);
        let german = notice(report(), Language::De);
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
        let english = notice(failed, Language::En);
        assert_eq!(english.subject, "Import “Preise <neu>” has failed");
        assert!(english.text.contains("The file is empty.") && english.text.contains("dry run"));
        assert!(!english.text.contains("Rows:"), "{}", english.text);
        let fine = Report { rows: Rows { updated: 1, ..Rows::default() }, ..report() };
        assert_eq!(notice(fine, Language::De).subject, "Import „Preise <neu>“ ist beendet");
    }

    #[test]
    fn every_mail_says_the_same_as_text_and_as_html_in_both_languages() {
        for mail in all() {
            let [german, english] =
                [Language::De, Language::En].map(|language| mail.written("Adele Brandt", language));
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
    fn every_token_that_ends_is_named_with_its_day() {
        for (language, day) in
            [(Language::De, "01.01.1970 um 00:00 Uhr"), (Language::En, "01-01-1970 at 00:00")]
        {
            for tokens in [&TOKENS[..1], &TOKENS] {
                let written = Mail::TokensExpire { tokens, page: LINK }.written("A", language);
                for Ending { name, .. } in tokens {
                    let named = |line: &&str| line.contains(name) && line.contains(day);
                    assert_eq!(written.text.lines().filter(named).count(), 1, "{}", written.text);
                    assert!(written.html.contains(&escaped(name)));
                }
            }
        }
    }

    #[test]
    fn a_name_is_text_and_never_markup() {
        let written = all().remove(0).written("<img src=x onerror='a()'> & \"Co\"", Language::De);
        assert!(!written.html.contains("<img"));
        assert!(written.html.contains("&lt;img src=x onerror=&#39;a()&#39;&gt; &amp; &quot;Co&quot;"));
    }

    #[test]
    fn nothing_is_loaded_from_anywhere() {
        for mail in all() {
            let html = mail.written("A", Language::En).html;
            for foreign in ["src=", "url(", "<img", "<link", "<script", "@import"] {
                assert!(!html.contains(foreign), "{foreign}");
            }
        }
    }
}
