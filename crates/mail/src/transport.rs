//! How mails leave the house: by SMTP, or into a folder where there is no mail server.

use std::{
    fs::DirEntry,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use background::outbox::Failure;
use chrono::TimeDelta;
use kernel::{Error, Instant, Result, now};
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

use crate::{
    entity::Model as Letter,
    mailbox::{Mailbox, Received},
    outbox::REMEMBERED,
};

/// For each answer of the server, and for all of them together.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
const DONE_WITHIN: Duration = Duration::from_secs(90);
const IDLE: Duration = Duration::from_secs(30);

/// Of the number that a file is called by, at least.
const DIGITS: usize = 8;
/// Nothing takes a day to be written.
const HALF_KEPT: TimeDelta = TimeDelta::days(1);

/// A way out, and who the mails are from.
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
    /// Through the mail server of `smtp://` or `smtps://user:password@host`.
    pub fn smtp(url: &str, from: &str) -> Result<Self> {
        Self::through(builder(url)?, from)
    }

    /// The same, where its certificate may also be one that these authorities vouch for (PEM), besides those that browsers
    /// trust.
    pub fn smtp_trusting(url: &str, from: &str, authorities: &[u8]) -> Result<Self> {
        let tls = tls(url, authorities)?;
        Self::through(builder(url)?.tls(tls), from)
    }

    fn through(server: AsyncSmtpTransportBuilder, from: &str) -> Result<Self> {
        let server =
            server.timeout(Some(ANSWER_WITHIN)).pool_config(PoolConfig::new().max_size(2).idle_timeout(IDLE));
        Ok(Self { delivery: Delivery::Smtp(server.build()), from: sender(from)? })
    }

    /// Into files that mail programs open; what is put there can be read in `mailbox` as well.
    pub fn folder(folder: &Path, from: &str, mailbox: Option<Mailbox>) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        Ok(Self { delivery: Delivery::Folder(folder.to_owned(), mailbox), from: sender(from)? })
    }

    /// Sends a mail, or says why not. An end of the process in between may send it again; its id stays the same.
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

    /// The mail as it goes over the wire. Headers are made of parsed addresses and encoded words only, so that nothing
    /// in a name or an address can become a header.
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
    // the cause could repeat the URL, which holds a password
    AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| no_mail_server())
}

fn no_mail_server() -> Error {
    Error::internal("STALHOF_SMTP_URL is not smtp://host or smtps://user:password@host")
}

/// Encrypted in the way that the URL asks for, with more authorities than otherwise.
fn tls(url: &str, authorities: &[u8]) -> Result<Tls> {
    let url = Url::parse(url).map_err(|_| no_mail_server())?;
    let host = url.host_str().ok_or_else(no_mail_server)?;
    let asked_for = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
    let no_authority = || Error::internal("STALHOF_SMTP_CA is no PEM file with certificates of authorities");
    // a file without any reads as none
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
    // a server that refuses us, or everybody, has said nothing about the mail
    if !about_the_mail || !server.test_connection().await.unwrap_or(false) {
        return Err(Failure::Unreachable(cause));
    }
    Err(if error.is_permanent() { Failure::Refused(cause) } else { Failure::Deferred(cause) })
}

/// Under its name only once it is whole; for the owner's eyes only, because links are secret.
async fn write(folder: &Path, name: &str, content: &[u8]) -> std::io::Result<()> {
    let half = folder.join(format!("{name}.part"));
    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut file = options.open(&half).await?;
    tokio::io::AsyncWriteExt::write_all(&mut file, content).await?;
    // syncing alone does not tell that a write has failed
    tokio::io::AsyncWriteExt::flush(&mut file).await?;
    file.sync_all().await?;
    tokio::fs::rename(half, folder.join(name)).await
}

/// Removes what was written into a folder long ago, and what killed processes have left half written: files of our names.
/// Whatever else is there stays.
pub fn clean_up(folder: &Path, now: Instant) -> std::io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        // a mail server was used from the beginning
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let Some(kept) = entry.file_name().to_str().and_then(kept) else { continue };
        match remove_older(&entry, now - kept) {
            // of several servers one was faster
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

/// How long a file of this name is kept, if it is one of ours: `00000001.eml`, or half of it.
fn kept(name: &str) -> Option<TimeDelta> {
    let (mail, kept) = match name.strip_suffix(".part") {
        Some(mail) => (mail, HALF_KEPT),
        None => (name, REMEMBERED),
    };
    let number = mail.strip_suffix(".eml")?;
    let ours = number.len() >= DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
    ours.then_some(kept)
}

fn received(letter: &Letter) -> Received {
    Received {
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
