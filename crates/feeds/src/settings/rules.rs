//! Rules between the fields of FTP settings. Pure.

use outbound::{Host, Tls};
use secrets::ExposeSecret;
use validator::ValidationError;
use values::{Error, Message, Violations, input::broken};

use super::{
    FtpSettings, FtpSettingsInput,
    entered_secret::EnteredSecret,
    fields::{AfterReading, FileKind, FtpProtocol, Schedule, Transformer},
};
use crate::{
    codes,
    file_pattern::FilePattern,
    source::{REMOTE_PATH_MAX, RemotePath},
    timetable::Timetable,
};

/// The longest password.
pub const PASSWORD_MAX: usize = 1024;
/// The longest private key: one of RSA with 16,384 bits has 13,000 characters.
pub const PRIVATE_KEY_MAX: usize = 16_384;

/// A password as servers take it: bounded, and in one line.
pub fn password(password: &EnteredSecret) -> Result<(), ValidationError> {
    let text = password.secret().expose_secret();
    if text.contains(char::is_control) {
        return Err(broken(codes::NOT_PRINTABLE));
    }
    bounded(text, PASSWORD_MAX)
}

/// A private key of a length that keys have.
pub fn private_key(key: &EnteredSecret) -> Result<(), ValidationError> {
    bounded(key.secret().expose_secret(), PRIVATE_KEY_MAX)
}

fn bounded(text: &str, max: usize) -> Result<(), ValidationError> {
    if text.chars().count() <= max {
        return Ok(());
    }
    let mut error = broken(codes::TOO_LONG);
    error.add_param("max".into(), &max);
    Err(error)
}

/// A path on a server, relative or from its root: no way upwards, and nothing that a command would end with.
pub fn remote_path(path: &str) -> Result<(), ValidationError> {
    match RemotePath::parse(path) {
        Err(message) if path.chars().count() <= REMOTE_PATH_MAX => {
            let mut error = broken(message.code);
            error.add_param("max".into(), &REMOTE_PATH_MAX);
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Adds the violations of an input.
pub fn check(input: &FtpSettingsInput, allows_plain_ftp: bool, wrong: &mut Violations) {
    if !input.host.is_empty()
        && let Err(failure) = Host::parse(&input.host)
    {
        wrong.add("host", failure.code());
    }
    if input.protocol == FtpProtocol::Ftp && !allows_plain_ftp {
        wrong.add("protocol", codes::PLAIN_FTP_FORBIDDEN);
    }
    check_keys(input, wrong);
    match (input.after_reading, &input.processed_folder) {
        (AfterReading::Move, None) => wrong.add("processed_folder", codes::REQUIRED),
        (AfterReading::Leave | AfterReading::Delete, Some(_)) => {
            wrong.add("processed_folder", codes::ONLY_WHEN_MOVED);
        }
        _ => {}
    }
    for kind in FileKind::ALL {
        check_file(input, kind, wrong);
    }
    let price = &input.price_file;
    if price.enabled && price.as_price_list && price.price_list_name.is_none() {
        wrong.add("price_file.price_list_name", codes::REQUIRED);
    }
}

fn check_keys(input: &FtpSettingsInput, wrong: &mut Violations) {
    if let Some(key) = input.private_key.as_ref().filter(|key| !key.is_empty()) {
        let key = key.secret().expose_secret();
        let is_key = key.trim().starts_with("-----BEGIN ") && key.contains("PRIVATE KEY-----");
        if input.protocol != FtpProtocol::Sftp {
            wrong.add("private_key", codes::PRIVATE_KEY_NEEDS_SFTP);
        } else if !is_key {
            wrong.add("private_key", codes::PRIVATE_KEY_INVALID);
        }
    }
    if input.protocol != FtpProtocol::Sftp && has_passphrase(input) {
        wrong.add("private_key_passphrase", codes::PRIVATE_KEY_NEEDS_SFTP);
    }
    if let Some(certificates) = &input.ca_certificate {
        if input.protocol != FtpProtocol::Ftps {
            wrong.add("ca_certificate", codes::NOT_FOR_PROTOCOL);
        } else if Tls::with_authorities(certificates.as_bytes()).is_err() {
            wrong.add("ca_certificate", codes::AUTHORITY_INVALID);
        }
    }
}

fn has_passphrase(input: &FtpSettingsInput) -> bool {
    input.private_key_passphrase.as_ref().is_some_and(|passphrase| !passphrase.is_empty())
}

/// Adds what is missing for a passphrase: the key that it belongs to, if the stored one does not stay.
pub fn check_passphrase(input: &FtpSettingsInput, keeps_key: bool, wrong: &mut Violations) {
    let has_key = input.private_key.as_ref().map_or(keeps_key, |key| !key.is_empty());
    if has_passphrase(input) && !has_key && input.protocol == FtpProtocol::Sftp {
        wrong.add("private_key", codes::REQUIRED);
    }
}

fn check_file(input: &FtpSettingsInput, kind: FileKind, wrong: &mut Violations) {
    let file = input.file(kind);
    let kind_name = kind.as_str();
    let name_path = format!("{kind_name}_file.file_name");
    match file.file_name {
        Some(name) => {
            if let Some(message) = unusable_pattern(name) {
                wrong.add(name_path, message);
            }
        }
        None if file.is_enabled => wrong.add(name_path, codes::REQUIRED),
        None => {}
    }
    let profile_path = format!("{kind_name}_profile_id");
    match (file.transformer, file.profile_id) {
        (Transformer::ImportProfile, None) => wrong.add(profile_path, codes::REQUIRED),
        (Transformer::Standard, Some(_)) => wrong.add(profile_path, codes::NOT_FOR_TRANSFORMER),
        // a converted file can need a profile: for the warehouse that it does not name
        _ => {}
    }
    if kind == FileKind::Stock {
        match (file.transformer, file.quantity_element) {
            (Transformer::Datanorm, _) => wrong.add("stock_file.transformer", codes::TRANSFORMER_PRICES_ONLY),
            (Transformer::Bmecat, None) => wrong.add("stock_file.quantity_element", codes::REQUIRED),
            (Transformer::Bmecat, Some(_)) | (_, None) => {}
            (_, Some(_)) => wrong.add("stock_file.quantity_element", codes::ONLY_FOR_BMECAT),
        }
    }
    let path = format!("schedules.{kind_name}");
    match input.schedules.get(kind) {
        Some(schedule) => _ = timetable(schedule, &path, wrong),
        None if file.is_enabled => wrong.add(path, codes::REQUIRED),
        None => {}
    }
}

/// The message about a name that is no pattern; one that is too long is a rule of its field.
fn unusable_pattern(name: &str) -> Option<Message> {
    FilePattern::parse(name).err().filter(|message| message.code != codes::TOO_LONG)
}

/// The timetable of a schedule, or `None` with what is wrong at its fields; a time that is none is a rule of
/// its field.
pub fn timetable(schedule: &Schedule, path: &str, wrong: &mut Violations) -> Option<Timetable> {
    let fields = schedule.fields();
    if fields.time.is_none() || schedule.time_2.is_some() && fields.time_2.is_none() {
        return None;
    }
    match fields.timetable(path) {
        Ok(timetable) => Some(timetable),
        Err(Error::Invalid(violations)) => {
            wrong.extend(violations);
            None
        }
        Err(_) => None,
    }
}

/// True if the server is another one than before: its key is not known.
pub fn is_other_server(before: &FtpSettings, protocol: FtpProtocol, host: &str, port: i64) -> bool {
    before.protocol != protocol || before.port != port || !before.host.eq_ignore_ascii_case(host)
}
