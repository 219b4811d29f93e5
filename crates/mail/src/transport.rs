//! Transport of mails: by SMTP, or into a folder if there is no mail server.

use std::{
    fs::DirEntry,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use background::outbox::Failure;
use chrono::TimeDelta;
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox as Party, MultiPart,
        header::{HeaderName, HeaderValue},
    },
    transport::smtp::{
        AsyncSmtpTransportBuilder, PoolConfig,
        client::{Certificate, Tls, TlsParameters},
    },
};
use url::Url;
use values::{Error, Instant, Result, now};

use crate::{
    entity::Model as Letter,
    mailbox::{Mailbox, ReceivedMail},
    outbox::REMEMBERED,
};

/// Timeout of each answer of the server, and of all together.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
const DONE_WITHIN: Duration = Duration::from_secs(90);
const IDLE: Duration = Duration::from_secs(30);

/// Minimum number of digits in the name of a file.
const DIGITS: usize = 8;
/// Age at which an unfinished file is deleted, since writing never takes a day.
const HALF_KEPT: TimeDelta = TimeDelta::days(1);

/// Transport, and the sender of mails.
#[derive(Debug, Clone)]
pub struct Transport {
    delivery: Delivery,
    from: Party,
}

#[derive(Debug, Clone)]
enum Delivery {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Folder(PathBuf, Option<Mailbox>),
}

impl Transport {
    /// Sends through the mail server of `smtp://` or `smtps://user:password@host`.
    pub fn smtp(url: &str, from: &str) -> Result<Self> {
        Self::through(builder(url)?, from)
    }

    /// Same as [`Self::smtp`]; also trusts certificates of these authorities (PEM), in addition to those that
    /// browsers trust.
    pub fn smtp_trusting(url: &str, from: &str, authorities: &[u8]) -> Result<Self> {
        let tls = tls(url, authorities)?;
        Self::through(builder(url)?.tls(tls), from)
    }

    fn through(server: AsyncSmtpTransportBuilder, from: &str) -> Result<Self> {
        let server =
            server.timeout(Some(ANSWER_WITHIN)).pool_config(PoolConfig::new().max_size(2).idle_timeout(IDLE));
        Ok(Self { delivery: Delivery::Smtp(server.build()), from: sender(from)? })
    }

    /// Writes files that mail programs can open; `mailbox` receives a copy.
    pub fn folder(folder: &Path, from: &str, mailbox: Option<Mailbox>) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        Ok(Self { delivery: Delivery::Folder(folder.to_owned(), mailbox), from: sender(from)? })
    }

    /// Sends a mail, or returns the reason for a failure. If the process dies meanwhile, the mail may be sent
    /// again with the same id.
    pub async fn send(&self, letter: &Letter) -> Result<(), Failure> {
        let message = self.message(letter)?;
        match &self.delivery {
            Delivery::Smtp(server) => match tokio::time::timeout(DONE_WITHIN, send(server, message)).await {
                Ok(outcome) => outcome,
                Err(_) => Err(Failure::Unreachable("the mail server takes too long".to_owned())),
            },
            Delivery::Folder(folder, mailbox) => {
                let name = format!("{:0DIGITS$}.eml", letter.id);
                write(folder, &name, &message.formatted())
                    .await
                    .map_err(|error| Failure::Unreachable(error.to_string()))?;
                if let Some(mailbox) = mailbox {
                    mailbox.put(received(letter));
                }
                Ok(())
            }
        }
    }

    /// Builds the message. Headers consist only of parsed addresses and encoded words, so that no text in a
    /// name or an address can become a header.
    fn message(&self, letter: &Letter) -> Result<Message, Failure> {
        let refused = |cause: &str| Failure::Refused(cause.to_owned());
        let address: Address = letter.address.parse().map_err(|_| refused("not an address"))?;
        let name = letter.name.replace(char::is_control, " ");
        let id =
            format!("<{}.{}@{}>", letter.id, letter.created_at.timestamp_micros(), self.from.email.domain());
        let (Some(text), Some(html)) = (&letter.text, &letter.html) else {
            return Err(refused("the mail has no text"));
        };
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        Message::builder()
            .from(self.from.clone())
            .to(Party::new(Some(name), address))
            .subject(&letter.subject)
            .message_id(Some(id))
            .date(letter.created_at.into())
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
            .multipart(MultiPart::alternative_plain_html(text.clone(), html.clone()))
            .map_err(|error| refused(&error.to_string()))
    }
}

fn builder(url: &str) -> Result<AsyncSmtpTransportBuilder> {
    // The cause might contain the URL and with it a password.
    AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| no_mail_server())
}

fn no_mail_server() -> Error {
    Error::internal("STALHOF_SMTP_URL is not smtp://host or smtps://user:password@host")
}

/// TLS as the URL demands, with additional authorities.
fn tls(url: &str, authorities: &[u8]) -> Result<Tls> {
    let url = Url::parse(url).map_err(|_| no_mail_server())?;
    let host = url.host_str().ok_or_else(no_mail_server)?;
    let asked_for = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
    let no_authority = || Error::internal("STALHOF_SMTP_CA is no PEM file with certificates of authorities");
    // A file without certificates parses as an empty list.
    if !String::from_utf8_lossy(authorities).contains("-----BEGIN CERTIFICATE-----") {
        return Err(no_authority());
    }
    let trusted = Certificate::from_pem(authorities).map_err(|_| no_authority())?;
    let parameters = TlsParameters::builder(host.to_owned()).add_root_certificate(trusted).build();
    let parameters = parameters.map_err(|_| no_authority())?;
    match (url.scheme(), asked_for.as_deref()) {
        ("smtps", _) => Ok(Tls::Wrapper(parameters)),
        ("smtp", Some("required")) => Ok(Tls::Required(parameters)),
        _ => Err(Error::internal(
            "STALHOF_SMTP_CA is for smtps:// and smtp://…?tls=required, and STALHOF_SMTP_URL is neither",
        )),
    }
}

async fn send(server: &AsyncSmtpTransport<Tokio1Executor>, message: Message) -> Result<(), Failure> {
    let Err(error) = server.send(message).await else { return Ok(()) };
    let cause = error.to_string();
    let about_the_mail = error.is_permanent() || error.is_transient();
    // If the server rejects us or all connections, that is no statement about the mail.
    if !about_the_mail || !server.test_connection().await.unwrap_or(false) {
        return Err(Failure::Unreachable(cause));
    }
    Err(if error.is_permanent() { Failure::Refused(cause) } else { Failure::Deferred(cause) })
}

/// Writes a file that gets its name only when it is complete; readable for the owner only, because links are
/// secret.
async fn write(folder: &Path, name: &str, content: &[u8]) -> std::io::Result<()> {
    let partial_path = folder.join(format!("{name}.part"));
    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut file = options.open(&partial_path).await?;
    tokio::io::AsyncWriteExt::write_all(&mut file, content).await?;
    // A sync alone does not report a failed write.
    tokio::io::AsyncWriteExt::flush(&mut file).await?;
    file.sync_all().await?;
    tokio::fs::rename(partial_path, folder.join(name)).await
}

/// Deletes old files of our own in a folder, and incomplete ones that killed processes have left. Other files
/// stay.
pub fn clean_up(folder: &Path, now: Instant) -> std::io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        // A mail server has been used from the beginning.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let Some(retention_time) = entry.file_name().to_str().and_then(retention) else { continue };
        match remove_older(&entry, now - retention_time) {
            // Another process was faster.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            outcome => outcome?,
        }
    }
    Ok(())
}

fn remove_older(entry: &DirEntry, than: Instant) -> std::io::Result<()> {
    let about = entry.metadata()?;
    if about.is_file() && Instant::from(about.modified()?) < than {
        std::fs::remove_file(entry.path())?;
    }
    Ok(())
}

/// Time for which a file is stored if it is one of ours: `00000001.eml`, or an incomplete one.
fn retention(name: &str) -> Option<TimeDelta> {
    let (mail, retention_time) = match name.strip_suffix(".part") {
        Some(mail) => (mail, HALF_KEPT),
        None => (name, REMEMBERED),
    };
    let number = mail.strip_suffix(".eml")?;
    let ours = number.len() >= DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
    ours.then_some(retention_time)
}

fn received(letter: &Letter) -> ReceivedMail {
    ReceivedMail {
        id: letter.id,
        address: letter.address.clone(),
        subject: letter.subject.clone(),
        text: letter.text.clone().unwrap_or_default(),
        received_at: now(),
    }
}

fn sender(from: &str) -> Result<Party> {
    from.parse()
        .map_err(|_| Error::internal("STALHOF_MAIL_FROM is not an address like Stalhof <post@example.org>"))
}

#[cfg(test)]
mod tests;
