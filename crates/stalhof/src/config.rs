//! Every setting, its default and its environment variable.

use std::{convert::Infallible, net::IpAddr, path::PathBuf};

use api::links::{self, Links, web_address};
use chrono::TimeDelta;
use clap::{Args, ValueEnum};
use identity::session::Lifetime;
use logistics::calendar::{Installation, region::Region};
use mail::{mailbox::Mailbox, transport::Transport};
use outbound::{Network, Rules, Tls};
use pricing::quote::load::BOOKS_MB;
use secrets::{Keys, SecretString};
use storage::{Bucket, BucketAddress, Reserve, Storage};
use store::{Database, POSTGRES_CONNECTIONS, scope::PartnerCircle};
use values::{Error, Result, Weekday};

/// Settings of the server. All of them can be set by environment variables; `docs/operations.md` explains
/// each.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// Address and port to listen on
    #[arg(long, env = "STALHOF_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: std::net::SocketAddr,

    /// Folder of the embedded database and of uploaded files
    #[arg(long, env = "STALHOF_DATA_DIR", default_value = "./data")]
    pub data_dir: PathBuf,

    /// Bucket for uploaded files and pictures: `s3://bucket/prefix`; the data folder if not given
    #[arg(long, env = "STALHOF_FILES")]
    pub files: Option<BucketAddress>,

    #[command(flatten)]
    pub bucket: BucketAccess,

    /// `postgres://...` or `sqlite://...`; SQLite in the data folder if not given
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// A streaming standby of that PostgreSQL, for exports, compiled prices, the history and lists of all tenants
    #[arg(long, env = "DATABASE_READ_URL", hide_env_values = true)]
    pub database_read_url: Option<String>,

    /// Connections to PostgreSQL for requests and background work; SQLite needs no setting
    #[arg(long, env = "STALHOF_DATABASE_CONNECTIONS", default_value_t = POSTGRES_CONNECTIONS, value_parser = clap::value_parser!(u32).range(4..=500))]
    pub database_connections: u32,

    /// The address under which people reach the server; `http://` and the listening address if not given
    #[arg(long, env = "STALHOF_PUBLIC_URL", value_parser = public_url)]
    pub public_url: Option<String>,

    /// The mail server: `smtps://user:password@host` or `smtp://host`; without it mails are files in the data folder
    #[arg(long, env = "STALHOF_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<String>,

    /// PEM file of authorities that may vouch for the mail server's certificate, besides those that browsers trust
    #[arg(long, env = "STALHOF_SMTP_CA")]
    pub smtp_ca: Option<PathBuf>,

    /// Sender of mails: `Stalhof <post@example.org>`
    #[arg(long, env = "STALHOF_MAIL_FROM")]
    pub mail_from: Option<String>,

    /// File of the keys that seal credentials for other systems: base64 of 32 bytes each, the current one first
    #[arg(long, env = "STALHOF_SECRET_KEYS_FILE")]
    pub secret_keys_file: Option<PathBuf>,

    /// The same keys themselves, separated by commas
    #[arg(long, env = "STALHOF_SECRET_KEYS", hide_env_values = true, value_parser = hidden)]
    pub secret_keys: Option<SecretString>,

    /// Networks besides the internet that connections to systems of tenants may lead to, separated by commas
    #[arg(long, env = "STALHOF_OUTBOUND_NETWORKS", value_delimiter = ',')]
    pub outbound_networks: Vec<Network>,

    /// Let tenants fetch files by FTP without encryption, which exposes passwords to the network
    #[arg(long, env = "STALHOF_PLAIN_FTP", default_value_t = false, action = clap::ArgAction::Set)]
    pub plain_ftp: bool,

    /// The address of the shop that the UI links to
    #[arg(long, env = "STALHOF_SHOP_URL", value_parser = web_address)]
    pub shop_url: Option<String>,

    /// The address of the imprint that every page links to
    #[arg(long, env = "STALHOF_IMPRINT_URL", value_parser = web_address)]
    pub imprint_url: Option<String>,

    /// The address of the privacy notice that every page links to
    #[arg(long, env = "STALHOF_PRIVACY_URL", value_parser = web_address)]
    pub privacy_url: Option<String>,

    /// Menu entries that lead to other systems, as a JSON array
    #[arg(long, env = "STALHOF_LINKS", default_value = "[]", value_parser = links::parse)]
    pub links: Links,

    /// Addresses of proxies whose `X-Forwarded-For` is believed, separated by commas
    #[arg(long, env = "STALHOF_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpAddr>,

    /// Form of the log
    #[arg(long, env = "STALHOF_LOG", default_value = "human")]
    pub log: LogFormat,

    /// Minutes without a request after which a session ends
    #[arg(long, env = "STALHOF_SESSION_IDLE_MINUTES", default_value_t = 30)]
    pub session_idle_minutes: u32,

    /// Minutes after which a session ends in any case
    #[arg(long, env = "STALHOF_SESSION_ABSOLUTE_MINUTES", default_value_t = 720)]
    pub session_absolute_minutes: u32,

    /// MiB that an uploaded file may have; workbooks never more than 20
    #[arg(long, env = "STALHOF_UPLOAD_MAX_MB", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=50))]
    pub upload_max_mb: u64,

    /// MiB of the disk that uploads and imports leave free; a twentieth of it, at most 2048, if not given
    #[arg(long, env = "STALHOF_DISK_RESERVE_MB")]
    pub disk_reserve_mb: Option<u64>,

    /// MiB of memory for compiled prices, of which the least recently read are dropped; those of one seller
    /// are always kept
    #[arg(long, env = "STALHOF_PRICE_BOOKS_MB", default_value_t = BOOKS_MB, value_parser = price_books)]
    pub price_books_mb: usize,

    /// The time zone of days, weekdays and times of day, by its IANA name
    #[arg(long, env = "STALHOF_TIME_ZONE", default_value = "Europe/Berlin", value_parser = time_zone)]
    pub time_zone: chrono_tz::Tz,

    /// Region whose public holidays apply to warehouses without one of their own: a German state (`DE-NW`) or
    /// Austria (`AT`)
    #[arg(long, env = "STALHOF_REGION", default_value = "DE-NW")]
    pub region: Region,

    /// The days on which people work, separated by commas
    #[arg(
        long,
        env = "STALHOF_WORKING_WEEK",
        value_delimiter = ',',
        default_value = "monday,tuesday,wednesday,thursday,friday"
    )]
    pub working_week: Vec<Weekday>,

    /// Address and port for `GET /metrics`, of a network that outsiders do not reach; none if not given
    #[arg(long, env = "STALHOF_METRICS_LISTEN")]
    pub metrics_listen: Option<std::net::SocketAddr>,

    #[command(flatten)]
    pub traces: TraceSettings,

    /// Companies that a tenant's users find and name as trading partners
    #[arg(long, env = "STALHOF_PARTNERS", default_value = "all")]
    pub partners: Partners,

    #[command(flatten)]
    pub flags: FlagSettings,
}

/// The collector of traces, by the names that all programs with OpenTelemetry use. Its library reads further
/// ones.
#[derive(Debug, Clone, Args)]
pub struct TraceSettings {
    /// Collector that traces are sent to by OTLP over HTTP: `http://127.0.0.1:4318`; none if not given
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_parser = endpoint)]
    pub otel_exporter_otlp_endpoint: Option<String>,

    /// Name of the service in traces; `stalhof` if not given
    #[arg(long, env = "OTEL_SERVICE_NAME")]
    pub otel_service_name: Option<String>,
}

/// The service of the bucket and the credentials for it, by the names that Amazon's programs use.
#[derive(Debug, Clone, Args)]
pub struct BucketAccess {
    /// The region of the bucket; `us-east-1` if not given
    #[arg(long, env = "AWS_REGION")]
    pub aws_region: Option<String>,

    /// The address of a service that is not Amazon's: `https://s3.example.org`
    #[arg(long, env = "AWS_ENDPOINT_URL", value_parser = endpoint)]
    pub aws_endpoint_url: Option<String>,

    /// The name of the key for the bucket
    #[arg(long, env = "AWS_ACCESS_KEY_ID", hide_env_values = true, requires = "aws_secret_access_key")]
    pub aws_access_key_id: Option<String>,

    /// The key itself
    #[arg(long, env = "AWS_SECRET_ACCESS_KEY", hide_env_values = true, requires = "aws_access_key_id", value_parser = hidden)]
    pub aws_secret_access_key: Option<SecretString>,

    /// PEM file of authorities that may vouch for the service's certificate, besides those that browsers trust
    #[arg(long, env = "AWS_CA_BUNDLE")]
    pub aws_ca_bundle: Option<PathBuf>,
}

/// Parts of the product that can be switched.
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
#[derive(Debug, Clone, Copy, Args)]
pub struct FlagSettings {
    /// Show the processings
    #[arg(long = "flag-processings", env = "STALHOF_FLAG_PROCESSINGS", default_value_t = false, action = clap::ArgAction::Set)]
    pub processings: bool,

    /// Show the price lists
    #[arg(long = "flag-new-price-menu", env = "STALHOF_FLAG_NEW_PRICE_MENU", default_value_t = true, action = clap::ArgAction::Set)]
    pub new_price_menu: bool,

    /// Show the price adjustments
    #[arg(long = "flag-price-adjustments", env = "STALHOF_FLAG_PRICE_ADJUSTMENTS", default_value_t = true, action = clap::ArgAction::Set)]
    pub price_adjustments: bool,

    /// Show the demo pages
    #[arg(long = "flag-demo-pages", env = "STALHOF_FLAG_DEMO_PAGES", default_value_t = false, action = clap::ArgAction::Set)]
    pub demo_pages: bool,
}

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Human,
    Json,
}

/// Companies that a tenant's users find and name as trading partners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Partners {
    /// All companies of the platform.
    All,
    /// Members of groups that their own company belongs to.
    Groups,
}

impl From<Partners> for PartnerCircle {
    fn from(partners: Partners) -> Self {
        match partners {
            Partners::All => Self::Everyone,
            Partners::Groups => Self::SharedGroups,
        }
    }
}

/// Checks the address that links in mails begin with: an error would only be noticed by their recipients.
fn public_url(text: &str) -> Result<String, String> {
    if text.contains(['?', '#']) {
        return Err("expected is an address without ? and #".to_owned());
    }
    web_address(text)
}

/// Checks the address of a service: for buckets, or for traces.
fn endpoint(text: &str) -> Result<String, String> {
    let address = web_address(text)?;
    if address.contains(['?', '#']) {
        return Err("expected is an address without ? and #".to_owned());
    }
    Ok(address)
}

/// Reads a text that is never shown, not even in errors.
#[expect(clippy::unnecessary_wraps, reason = "a parser of the command line")]
fn hidden(text: &str) -> Result<SecretString, Infallible> {
    Ok(text.into())
}

fn price_books(text: &str) -> Result<usize, String> {
    let megabytes = text.parse().ok().filter(|megabytes| (1..=1_000_000).contains(megabytes));
    megabytes.ok_or_else(|| "expected is a number from 1 to 1000000".to_owned())
}

fn time_zone(name: &str) -> Result<chrono_tz::Tz, String> {
    name.parse().map_err(|_| "expected is an IANA name like Europe/Berlin".to_owned())
}

impl Settings {
    /// Storage of files.
    pub fn storage(&self) -> Result<Storage> {
        let reserve = self.disk_reserve_mb.map_or(Reserve::Usual, |mib| Reserve::Bytes(mib << 20));
        let storage = match &self.files {
            None => Storage::in_folder(&self.data_dir)?,
            Some(address) => Storage::in_bucket(&self.data_dir, &self.bucket.join(address)?)?,
        };
        Ok(storage.with_reserve(reserve))
    }

    /// Returns the URL of the database; by default SQLite in the data folder.
    pub fn database_url(&self) -> String {
        self.database_url.clone().unwrap_or_else(|| Database::embedded_url(&self.data_dir))
    }

    /// Returns the address of the interface for links in mails.
    pub fn public_url(&self) -> String {
        let url = self.public_url.clone().unwrap_or_else(|| format!("http://{}", self.listen));
        url.trim_end_matches('/').to_owned()
    }

    /// Folder in which mails are stored if there is no mail server.
    pub fn mail_folder(&self) -> PathBuf {
        self.data_dir.join("mails")
    }

    /// Transport of mails; those in the folder can be read in `mailbox` as well.
    pub fn mail_transport(&self, mailbox: Option<Mailbox>) -> Result<Transport> {
        let Some(url) = &self.smtp_url else {
            let from = self.mail_from.as_deref().unwrap_or("Stalhof <stalhof@localhost>");
            return Transport::folder(&self.mail_folder(), from, mailbox);
        };
        // wrong links and an unknown sender would only be noticed by the recipients
        let (Some(from), Some(_)) = (&self.mail_from, &self.public_url) else {
            return Err(Error::internal(
                "with STALHOF_SMTP_URL also STALHOF_MAIL_FROM and STALHOF_PUBLIC_URL are needed",
            ));
        };
        match &self.smtp_ca {
            None => Transport::smtp(url, from),
            Some(file) => {
                let authorities = std::fs::read(file).map_err(|error| {
                    Error::internal(format!("STALHOF_SMTP_CA: {} cannot be read: {error}", file.display()))
                })?;
                Transport::smtp_trusting(url, from, &authorities)
            }
        }
    }

    /// Keys that seal credentials for other systems; none if none are configured.
    pub fn keys(&self) -> Result<Keys> {
        match (&self.secret_keys_file, &self.secret_keys) {
            (None, None) => Ok(Keys::none()),
            (Some(_), Some(_)) => Err(Error::internal(
                "STALHOF_SECRET_KEYS_FILE and STALHOF_SECRET_KEYS are both set; please set one of them",
            )),
            (Some(file), None) => Keys::from_file(file).map_err(|error| {
                Error::internal(format!("STALHOF_SECRET_KEYS_FILE: {}: {error}", file.display()))
            }),
            (None, Some(text)) => Keys::from_text(text)
                .map_err(|error| Error::internal(format!("STALHOF_SECRET_KEYS: {error}"))),
        }
    }

    /// Rules for addresses of connections to systems of tenants.
    pub fn outbound_rules(&self) -> Rules {
        Rules::with_networks(self.outbound_networks.clone())
    }

    /// Defaults for the calendars of warehouses.
    pub fn installation(&self) -> Installation {
        let Self { time_zone, region, working_week, .. } = self;
        Installation { time_zone: *time_zone, region: *region, working_week: working_week.clone() }
    }

    /// Returns the lifetime of sessions.
    pub fn session_lifetime(&self) -> Lifetime {
        Lifetime {
            idle: TimeDelta::minutes(self.session_idle_minutes.into()),
            absolute: TimeDelta::minutes(self.session_absolute_minutes.into()),
        }
    }
}

impl BucketAccess {
    /// Joins the credentials with the address.
    fn join(&self, address: &BucketAddress) -> Result<Bucket> {
        let tls = match &self.aws_ca_bundle {
            None => Tls::default(),
            Some(file) => std::fs::read(file)
                .map_err(|error| error.to_string())
                .and_then(|pem| Tls::with_authorities(&pem).map_err(|error| error.to_string()))
                .map_err(|error| {
                    Error::internal(format!("AWS_CA_BUNDLE: {} cannot be read: {error}", file.display()))
                })?,
        };
        Ok(Bucket {
            address: address.clone(),
            region: self.aws_region.clone(),
            endpoint: self.aws_endpoint_url.clone(),
            access_key_id: self.aws_access_key_id.clone(),
            secret_access_key: self.aws_secret_access_key.clone(),
            tls: tls.config(),
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        settings: Settings,
    }

    fn settings(arguments: &[&str]) -> Result<Settings, String> {
        let arguments = ["stalhof"].iter().chain(arguments);
        Cli::try_parse_from(arguments).map(|cli| cli.settings).map_err(|error| error.to_string())
    }

    #[test]
    fn missing_keys_are_accepted_and_invalid_ones_are_reported() {
        assert!(!settings(&[]).unwrap().keys().unwrap().is_configured());
        let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let file = path.to_str().unwrap();
        std::fs::write(&path, key).unwrap();
        for arguments in [["--secret-keys", key], ["--secret-keys-file", file]] {
            let settings = settings(&arguments).unwrap();
            assert!(settings.keys().unwrap().is_configured());
            assert!(!format!("{settings:?}").contains("AAEC"));
        }
        std::fs::write(&path, "AAECAwQFBgcICQ==").unwrap();
        for (arguments, expected) in [
            (vec!["--secret-keys-file", file], "key 1 has 10 bytes, 32 are expected"),
            (
                vec!["--secret-keys-file", "/missing"],
                "STALHOF_SECRET_KEYS_FILE: /missing: the file cannot be read",
            ),
            (vec!["--secret-keys", "geheim"], "STALHOF_SECRET_KEYS: key 1 is not base64"),
            (vec!["--secret-keys", key, "--secret-keys-file", file], "are both set"),
        ] {
            let error = settings(&arguments).unwrap().keys().unwrap_err().to_string();
            assert!(error.contains(expected) && !error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn a_bucket_needs_an_address_and_a_complete_key() {
        let key = ["--aws-access-key-id", "stalhof", "--aws-secret-access-key", "geheim"];
        let whole =
            [&["--files", "s3://files/prod", "--aws-endpoint-url", "http://127.0.0.1:9000"], &key[..]];
        let settings_of = |arguments: &[&[&str]]| settings(&arguments.concat());
        let given = settings_of(&whole).unwrap();
        assert_eq!(given.files.clone().map(|files| files.to_string()).as_deref(), Some("s3://files/prod"));
        assert!(!format!("{given:?}").contains("geheim"));
        for (arguments, expected) in [
            ([&["--files", "/mnt/files"][..], &[]], "expected is an address like s3://bucket/prefix"),
            ([&["--files", "s3://files"], &key[..2]], "--aws-secret-access-key"),
            ([&["--files", "s3://files"], &key[2..]], "--aws-access-key-id"),
            ([&["--aws-endpoint-url", "s3.example.org"], &key[..]], "--aws-endpoint-url"),
        ] {
            let refused = settings_of(&arguments).unwrap_err();
            assert!(refused.contains(expected) && !refused.contains("geheim"), "{refused}");
        }
        let folder = tempfile::tempdir().unwrap();
        let mut given = Settings { data_dir: folder.path().to_owned(), ..given };
        assert_eq!(given.storage().unwrap().place(), "s3://files/prod");
        given.bucket.aws_ca_bundle = Some("/missing".into());
        let refused = given.storage().unwrap_err().to_string();
        assert!(refused.contains("AWS_CA_BUNDLE: /missing cannot be read"), "{refused}");
    }

    #[test]
    fn outbound_networks_are_a_list() {
        let rules = settings(&["--outbound-networks", "10.1.2.0/24,::1"]).unwrap().outbound_rules();
        assert!(rules.admit("10.1.2.3".parse().unwrap()) && !rules.admit("10.1.3.3".parse().unwrap()));
        let refused = settings(&["--outbound-networks", "intern"]).unwrap_err();
        assert!(refused.contains("expected is a network like 10.1.2.0/24"), "{refused}");
    }

    #[test]
    fn public_addresses_need_a_scheme_and_a_host() {
        for good in ["https://stalhof.example.org", "http://127.0.0.1:8080", "https://x.example/stalhof/"] {
            assert_eq!(public_url(good).as_deref(), Ok(good));
        }
        for bad in [
            "",
            "stalhof.example.org",
            "ftp://stalhof.example.org",
            "https://",
            "https:///path",
            "https://a b",
            "https://user@host",
            "javascript:alert(1)",
        ] {
            assert!(public_url(bad).is_err() && web_address(bad).is_err(), "{bad}");
        }
        for page in ["https://x.example/?page=imprint", "https://x.example/legal#privacy"] {
            assert_eq!(web_address(page).as_deref(), Ok(page));
            assert!(public_url(page).is_err(), "{page}");
        }
    }
}
