//! The server of FTP settings as [`source`](crate::source) connects to it, with opened secrets.

use outbound::Host;
use secrets::{Keys, SealedColumn, SealedValue, SecretString};
use values::Result;

use super::{
    FtpSettings, FtpSettingsInput, PASSPHRASE, PASSWORD, PRIVATE_KEY, Target, entered_secret::EnteredSecret,
    fields::FtpProtocol,
};
use crate::{
    codes,
    source::{Credential, Endpoint, HostKey, Protocol, RemotePath},
};

/// The port at which FTPS is encrypted from the start.
const IMPLICIT_FTPS_PORT: u16 = 990;

/// Returns the server of saved settings.
///
/// # Errors
/// A secret that cannot be opened, and settings with neither password nor private key.
pub fn saved_endpoint(keys: &Keys, settings: &FtpSettings) -> Result<Endpoint> {
    let open = |column, sealed| open(keys, settings, column, sealed);
    let opened = OpenSecrets {
        password: open(PASSWORD, settings.password_sealed.as_ref())?,
        private_key: open(PRIVATE_KEY, settings.private_key_sealed.as_ref())?,
        passphrase: open(PASSPHRASE, settings.private_key_passphrase_sealed.as_ref())?,
    };
    let target = Target::from_settings(settings);
    endpoint(target, opened, [&settings.base_path, &settings.ca_certificate, &settings.host_key])
}

/// Returns the server of settings that are not saved yet. A secret that was not entered is the saved one, but
/// only for the same host, port, protocol and user name: it is never sent elsewhere.
///
/// # Errors The same as for [`saved_endpoint`].
pub fn entered_endpoint(
    keys: &Keys,
    input: &FtpSettingsInput,
    saved: Option<&FtpSettings>,
) -> Result<Endpoint> {
    type Sealed = fn(&FtpSettings) -> Option<&SealedValue>;
    let target = Target::from_input(input);
    let same_user = saved.filter(|saved| !target.leads_elsewhere(saved));
    let same_server = saved.filter(|saved| !target.is_other_server(saved));
    let secret = |entered: Option<&EnteredSecret>, column, sealed: Sealed| match (entered, same_user) {
        (Some(entered), _) if entered.is_empty() => Ok(None),
        (Some(entered), _) => Ok(Some(entered.secret().clone())),
        (None, Some(saved)) => open(keys, saved, column, sealed(saved)),
        (None, None) => Ok(None),
    };
    // A new key has its own passphrase, or none.
    let has_new_key = input.private_key.is_some();
    let passphrase = match &input.private_key_passphrase {
        None if has_new_key => None,
        entered => {
            secret(entered.as_ref(), PASSPHRASE, |saved| saved.private_key_passphrase_sealed.as_ref())?
        }
    };
    let opened = OpenSecrets {
        passphrase,
        password: secret(input.password.as_ref(), PASSWORD, |saved| saved.password_sealed.as_ref())?,
        private_key: secret(input.private_key.as_ref(), PRIVATE_KEY, |saved| {
            saved.private_key_sealed.as_ref()
        })?,
    };
    let host_key = same_server.map_or(&None, |saved| &saved.host_key);
    endpoint(target, opened, [&input.base_path, &input.ca_certificate, host_key])
}

struct OpenSecrets {
    password: Option<SecretString>,
    private_key: Option<SecretString>,
    passphrase: Option<SecretString>,
}

fn open(
    keys: &Keys,
    settings: &FtpSettings,
    column: SealedColumn,
    sealed: Option<&SealedValue>,
) -> Result<Option<SecretString>> {
    let Some(sealed) = sealed else { return Ok(None) };
    Ok(Some(keys.open(column.cell(settings.id), sealed)?))
}

fn endpoint(
    target: Target<'_>,
    opened: OpenSecrets,
    [base_path, authorities, host_key]: [&Option<String>; 3],
) -> Result<Endpoint> {
    let is_sftp = target.protocol == FtpProtocol::Sftp;
    let port = u16::try_from(target.port).map_err(|_| codes::HOST_UNREACHABLE.with("host", target.host))?;
    let credential = match (opened.private_key.filter(|_| is_sftp), opened.password) {
        (Some(key), _) => Credential::PrivateKey { key, passphrase: opened.passphrase },
        (None, Some(password)) => Credential::Password(password),
        (None, None) => return Err(codes::REMOTE_CREDENTIAL_MISSING.into()),
    };
    Ok(Endpoint {
        protocol: match target.protocol {
            FtpProtocol::Ftp => Protocol::Ftp,
            FtpProtocol::Ftps if port == IMPLICIT_FTPS_PORT => Protocol::FtpsImplicit,
            FtpProtocol::Ftps => Protocol::FtpsExplicit,
            FtpProtocol::Sftp => Protocol::Sftp,
        },
        host: Host::parse(target.host).map_err(|failure| failure.message(target.host))?,
        port,
        user_name: target.username.to_owned(),
        credential,
        base_path: RemotePath::parse(base_path.as_deref().unwrap_or_default())?,
        host_key: match host_key {
            Some(text) => Some(text.parse::<HostKey>().map_err(|_| codes::INVALID_HOST_KEY)?),
            None => None,
        },
        authorities: authorities.clone(),
    })
}

#[cfg(test)]
mod tests {
    use secrets::ExposeSecret;
    use values::{Code, Validated, now};

    use super::*;
    use crate::settings::fields::{AfterReading, PriceFile, Schedules, StockFile, Transformer};

    const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const HOST_KEY: &str = "ssh-ed25519 SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8";

    fn keys() -> Keys {
        Keys::from_text(&KEY.into()).unwrap()
    }

    fn saved() -> FtpSettings {
        let (transformer, now) = (Transformer::Standard, now());
        FtpSettings {
            id: 7,
            tenant_id: values::TenantId(1),
            protocol: FtpProtocol::Sftp,
            host: "sftp.werk.example".into(),
            port: 22,
            username: "nord".into(),
            password_sealed: Some(keys().seal(PASSWORD.cell(7), &"geheim".into()).unwrap()),
            password_set_at: Some(now),
            private_key_sealed: None,
            private_key_set_at: None,
            private_key_passphrase_sealed: None,
            host_key: Some(HOST_KEY.into()),
            ca_certificate: None,
            base_path: Some("/export".into()),
            price_file: PriceFile {
                enabled: false,
                file_name: None,
                transformer,
                as_price_list: false,
                price_list_name: None,
            },
            price_profile_id: None,
            stock_file: StockFile { enabled: false, file_name: None, transformer, quantity_element: None },
            stock_profile_id: None,
            schedules: Schedules::default(),
            after_reading: AfterReading::Leave,
            processed_folder: None,
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }

    /// The saved settings as a form sends them, with changes.
    fn input(change: serde_json::Value) -> FtpSettingsInput {
        let mut input = serde_json::json!({
            "protocol": "sftp", "host": "SFTP.Werk.example", "username": "nord", "base_path": "/export",
            "price_file": { "enabled": false, "transformer": "standard", "as_price_list": false },
            "stock_file": { "enabled": false, "transformer": "standard" },
            "schedules": {}, "after_reading": "leave",
        });
        input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        serde_json::from_value::<Validated<FtpSettingsInput>>(input).unwrap().valid().unwrap()
    }

    fn password(endpoint: &Endpoint) -> &str {
        match &endpoint.credential {
            Credential::Password(password) => password.expose_secret(),
            Credential::PrivateKey { key, .. } => key.expose_secret(),
        }
    }

    fn entered(change: serde_json::Value) -> Result<Endpoint, Code> {
        entered_endpoint(&keys(), &input(change), Some(&saved())).map_err(|error| error.code())
    }

    #[test]
    fn saved_settings_determine_the_endpoint() {
        let endpoint = saved_endpoint(&keys(), &saved()).unwrap();
        assert_eq!((endpoint.protocol, endpoint.port, password(&endpoint)), (Protocol::Sftp, 22, "geheim"));
        assert_eq!((endpoint.base_path.as_str(), endpoint.user_name.as_str()), ("/export", "nord"));
        assert_eq!(endpoint.host_key.unwrap().to_string(), HOST_KEY);
        for (protocol, port, expected) in [
            (FtpProtocol::Ftp, 21, Protocol::Ftp),
            (FtpProtocol::Ftps, 21, Protocol::FtpsExplicit),
            (FtpProtocol::Ftps, 990, Protocol::FtpsImplicit),
        ] {
            let settings = FtpSettings { protocol, port, ..saved() };
            assert_eq!(saved_endpoint(&keys(), &settings).unwrap().protocol, expected);
        }
    }

    #[test]
    fn a_private_key_takes_precedence_over_a_password_for_sftp_only() {
        let sealed = keys().seal(PRIVATE_KEY.cell(7), &"-----BEGIN".into()).unwrap();
        let settings = FtpSettings { private_key_sealed: Some(sealed), ..saved() };
        assert_eq!(password(&saved_endpoint(&keys(), &settings).unwrap()), "-----BEGIN");
        let ftps = FtpSettings { protocol: FtpProtocol::Ftps, ..settings };
        assert_eq!(password(&saved_endpoint(&keys(), &ftps).unwrap()), "geheim");
    }

    #[test]
    fn a_saved_passphrase_is_used_only_with_its_own_key() {
        let seal = |cell, text: &str| Some(keys().seal(cell, &text.into()).unwrap());
        let saved = FtpSettings {
            private_key_sealed: seal(PRIVATE_KEY.cell(7), "-----BEGIN"),
            private_key_passphrase_sealed: seal(PASSPHRASE.cell(7), "geheim"),
            ..saved()
        };
        let passphrase = |endpoint: Endpoint| match endpoint.credential {
            Credential::PrivateKey { passphrase, .. } => {
                passphrase.map(|text| text.expose_secret().to_owned())
            }
            Credential::Password(_) => panic!("a password"),
        };
        let entered = |change| passphrase(entered_endpoint(&keys(), &input(change), Some(&saved)).unwrap());
        let key = "-----BEGIN OPENSSH PRIVATE KEY-----";
        assert_eq!(passphrase(saved_endpoint(&keys(), &saved).unwrap()).as_deref(), Some("geheim"));
        for (change, expected) in [
            (serde_json::json!({}), Some("geheim")),
            (serde_json::json!({ "private_key_passphrase": "neu" }), Some("neu")),
            (serde_json::json!({ "private_key_passphrase": "" }), None),
            (serde_json::json!({ "private_key": key }), None),
            (serde_json::json!({ "private_key": key, "private_key_passphrase": "neu" }), Some("neu")),
        ] {
            assert_eq!(entered(change.clone()).as_deref(), expected, "{change}");
        }
    }

    #[test]
    fn secrets_that_are_missing_or_unreadable_are_refused() {
        let code = |keys: &Keys, settings: &FtpSettings| saved_endpoint(keys, settings).unwrap_err().code();
        let none = FtpSettings { password_sealed: None, ..saved() };
        assert_eq!(code(&keys(), &none), codes::REMOTE_CREDENTIAL_MISSING);
        assert_eq!(code(&Keys::none(), &saved()), codes::SECRET_KEY_MISSING);
        assert_eq!(code(&keys(), &FtpSettings { id: 8, ..saved() }), codes::SECRET_DAMAGED);
    }

    #[test]
    fn a_saved_secret_is_used_only_for_its_own_server_and_user() {
        let same = entered(serde_json::json!({})).unwrap();
        assert_eq!((password(&same), same.host_key.is_some()), ("geheim", true));
        for (change, has_host_key) in [
            (serde_json::json!({ "host": "anderes.example" }), false),
            (serde_json::json!({ "port": 2222 }), false),
            (serde_json::json!({ "protocol": "ftps", "port": 22 }), false),
            (serde_json::json!({ "username": "sued" }), true),
        ] {
            assert_eq!(entered(change.clone()).unwrap_err(), codes::REMOTE_CREDENTIAL_MISSING, "{change}");
            let mut change = change;
            change["password"] = "neu".into();
            let endpoint = entered(change).unwrap();
            assert_eq!((password(&endpoint), endpoint.host_key.is_some()), ("neu", has_host_key));
        }
        assert_eq!(
            entered(serde_json::json!({ "password": "" })).unwrap_err(),
            codes::REMOTE_CREDENTIAL_MISSING
        );
        let unsaved = entered_endpoint(&Keys::none(), &input(serde_json::json!({ "password": "neu" })), None);
        assert_eq!(password(&unsaved.unwrap()), "neu");
    }
}
