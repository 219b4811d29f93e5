//! FTP settings of a tenant: the server, the files that are fetched, the way they are read, and their
//! schedules.
//!
//! A tenant has one set of settings. Password and private key are sealed ([`secrets`]) and never shown; they
//! are cleared when host, port, protocol or user name change without them, so that a stored secret cannot be
//! sent to another server. The schedules of files are rows of `background::schedule`, which every write of
//! the settings updates ([`due`]).

pub mod due;
pub mod endpoint;
pub mod entered_secret;
pub mod entity;
pub mod fields;
pub mod file_source;
pub mod rules;
mod stored_secrets;
pub mod test_input;

use std::collections::HashMap;

use chrono_tz::Tz;
use imports::import_profile::{self, ImportProfiles};
use lists::{Deletable, Detailed, Field, Listed, listed_reference};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use secrets::Keys;
use serde::Deserialize;
use store::{Database, Owner, Recorded, Resource, Scope, Scoped, Unique, Write, scope::refuse_stale, usage};
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Input, Instant, Phrase, Result, Validated, Violations,
    input::{Text, trim_or_none},
    now,
    rule::printable,
};

use self::{
    entered_secret::EnteredSecret,
    fields::{AfterReading, FileKind, FtpProtocol, PriceFile, Schedules, StockFile},
    stored_secrets::{EnteredSecrets, refuse_unsealable, seal, set_secrets},
};
use crate::{codes, permissions, source::HostKey, timetable::Run};

pub use self::{
    entity::{ActiveModel, Column, Entity as FtpSettingsTable, Model as FtpSettings},
    stored_secrets::{PASSPHRASE, PASSWORD, PRIVATE_KEY},
};

/// The number of runs that are shown ahead.
pub const RUNS_SHOWN: usize = 5;
/// The number of settings that are read at a time.
const BATCH: u64 = 200;

impl Scoped for FtpSettingsTable {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for FtpSettingsTable {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "ftp_settings",
        Phrase { de: "FTP-Einstellungen", en: "FTP settings" },
        permissions::CONFIGURE_FTP_IMPORT,
    )
    .refers(&[
        listed_reference::<Self, Tenants>("tenant_id"),
        listed_reference::<Self, ImportProfiles>("price_profile_id"),
        listed_reference::<Self, ImportProfiles>("stock_profile_id"),
    ]);
    const NAME: Column = Column::Host;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("ftp_settings_tenant_id_key", "host", codes::FTP_SETTINGS_EXIST)];
}

impl Listed for FtpSettingsTable {
    const FIELDS: &'static [Field] = &[
        Field::choice("protocol", &Column::Protocol, FtpProtocol::NAMES).unsorted(),
        Field::id("price_profile_id", &Column::PriceProfileId).optional(),
        Field::id("stock_profile_id", &Column::StockProfileId).optional(),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-updated_at";
}

/// Input to create or change FTP settings.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct FtpSettingsInput {
    pub protocol: FtpProtocol,
    /// Name or IP address of the server.
    #[schema(min_length = 1, max_length = 255, example = "sftp.lieferant.example")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub host: String,
    /// The protocol's own port if there is none; FTPS on port 990 is encrypted from the start.
    #[schema(minimum = 1, maximum = 65535, example = 22)]
    #[validate(range(min = 1, max = 65_535))]
    pub port: Option<i64>,
    /// The user name on the server.
    #[schema(min_length = 1, max_length = 255, example = "nordstahl")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub username: String,
    /// A new password; an empty text removes it. Without it the stored one stays, unless host, port, protocol or user
    /// name change: then it is removed.
    #[schema(value_type = Option<String>, write_only, max_length = 1024, example = "geheim")]
    #[validate(custom(function = rules::password))]
    pub password: Option<EnteredSecret>,
    /// A new private key (SFTP only), as the key file has it; treated as the password.
    #[schema(value_type = Option<String>, write_only, max_length = 16384, example = "-----BEGIN OPENSSH PRIVATE KEY-----")]
    #[validate(custom(function = rules::private_key))]
    pub private_key: Option<EnteredSecret>,
    /// The passphrase of an encrypted private key, which has to be in OpenSSH's format. An empty text removes
    /// it; a new key without one has none; otherwise it is treated as the password.
    #[schema(value_type = Option<String>, write_only, max_length = 1024, example = "geheim")]
    #[validate(custom(function = rules::password))]
    pub private_key_passphrase: Option<EnteredSecret>,
    /// Certificates of authorities (PEM) that are trusted for the server, in addition to those that browsers
    /// trust. FTPS only.
    #[schema(max_length = 65536, example = "-----BEGIN CERTIFICATE-----")]
    #[validate(length(max = 65_536))]
    pub ca_certificate: Option<String>,
    /// Folder on the server with the files.
    #[schema(max_length = 255, example = "/export")]
    #[validate(length(max = 255), custom(function = rules::remote_path))]
    pub base_path: Option<String>,
    #[validate(nested)]
    pub price_file: PriceFile,
    /// The import profile that the price file is read with; with DATANORM and BMEcat it adds what the file lacks.
    pub price_profile_id: Option<i64>,
    #[validate(nested)]
    pub stock_file: StockFile,
    /// The import profile that the stock file is read with.
    pub stock_profile_id: Option<i64>,
    #[validate(nested)]
    pub schedules: Schedules,
    pub after_reading: AfterReading,
    /// The folder that files are moved to, below the base path.
    #[schema(max_length = 255, example = "erledigt")]
    #[validate(length(max = 255), custom(function = rules::remote_path))]
    pub processed_folder: Option<String>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

impl Input for FtpSettingsInput {
    fn tidy(&mut self) {
        self.host.trim_in_place();
        self.username.trim_in_place();
        for text in [
            &mut self.ca_certificate,
            &mut self.base_path,
            &mut self.processed_folder,
            &mut self.price_file.file_name,
            &mut self.price_file.price_list_name,
            &mut self.stock_file.file_name,
            &mut self.stock_file.quantity_element,
        ] {
            trim_or_none(text);
        }
        for schedule in [&mut self.schedules.price, &mut self.schedules.stock].into_iter().flatten() {
            schedule.tidy();
        }
    }
}

impl FtpSettingsInput {
    fn port_or_default(&self) -> i64 {
        self.port.unwrap_or_else(|| self.protocol.default_port())
    }
}

/// Facts of the installation that FTP settings depend on.
#[derive(Debug, Clone, Copy)]
pub struct FtpInstallation<'a> {
    pub db: &'a Database,
    pub keys: &'a Keys,
    pub zone: Tz,
    /// True if the operator allows FTP without encryption.
    pub allows_plain_ftp: bool,
}

/// FTP settings with their tenant and import profiles.
#[derive(Debug, Clone)]
pub struct FtpSettingsDetail {
    pub settings: FtpSettings,
    /// The tenant's short code.
    pub tenant: String,
    pub price_profile: Option<ProfileName>,
    pub stock_profile: Option<ProfileName>,
}

/// An import profile as settings refer to it; the name is `None` if the caller must not see the profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileName {
    pub id: i64,
    pub name: Option<String>,
}

impl<C: ConnectionTrait> Detailed<C> for FtpSettingsTable {
    type Detail = FtpSettingsDetail;

    /// Loads the tenants and import profiles of FTP settings.
    async fn detailed(db: &C, scope: &Scope, rows: Vec<FtpSettings>) -> Result<Vec<FtpSettingsDetail>> {
        let codes = tenant::short_codes(db, scope, rows.iter().map(|row| row.tenant_id)).await?;
        let ids: Vec<i64> =
            rows.iter().flat_map(|row| [row.price_profile_id, row.stock_profile_id]).flatten().collect();
        let mut names: HashMap<i64, String> = HashMap::new();
        if !ids.is_empty() {
            let profiles = scope.find::<ImportProfiles>().filter(import_profile::Column::Id.is_in(ids));
            names.extend(profiles.all(db).await?.into_iter().map(|profile| (profile.id, profile.name)));
        }
        let profile = |id: i64| ProfileName { id, name: names.get(&id).cloned() };
        let detail = |settings: FtpSettings| FtpSettingsDetail {
            tenant: codes.get(&settings.tenant_id).cloned().unwrap_or_default(),
            price_profile: settings.price_profile_id.map(profile),
            stock_profile: settings.stock_profile_id.map(profile),
            settings,
        };
        Ok(rows.into_iter().map(detail).collect())
    }
}

/// The hosts of settings that the caller may see, by id.
pub async fn hosts(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let hosts = scope.find::<FtpSettingsTable>().select_only().columns([Column::Id, Column::Host]);
    Ok(hosts.filter(Column::Id.is_in(ids)).into_tuple().all(db).await?)
}

/// All FTP settings that the caller sees.
pub async fn load_all(db: &impl ConnectionTrait, scope: &Scope) -> Result<Vec<FtpSettings>> {
    Ok(scope.find::<FtpSettingsTable>().order_by_asc(Column::Id).all(db).await?)
}

/// Loads the next FTP settings of all tenants after an id.
#[expect(clippy::disallowed_methods, reason = "the program watches over the feeds of all tenants")]
pub async fn batch_of_all(db: &impl ConnectionTrait, after: i64) -> Result<Vec<FtpSettings>> {
    let next = FtpSettingsTable::find().filter(Column::Id.gt(after)).order_by_asc(Column::Id);
    Ok(next.limit(BATCH).all(db).await?)
}

/// Creates the FTP settings of the acting tenant.
///
/// # Errors
/// All violated rules at their fields; existing settings; a secret without a key to seal it.
pub async fn create(
    installation: FtpInstallation<'_>,
    scope: &Scope,
    input: impl Into<Validated<FtpSettingsInput>>,
) -> Result<FtpSettingsDetail> {
    let (mut row, entered) = read(installation, scope, None, input.into()).await?;
    let entered = entered.without_empty();
    refuse_unsealable(installation, &entered)?;
    let now = now();
    row.password_set_at = Set(entered.password.as_ref().map(|_| now));
    row.private_key_set_at = Set(entered.private_key.as_ref().map(|_| now));
    let tx = installation.db.begin().await?;
    let settings = scope.create::<FtpSettingsTable>(&tx, row).await?;
    let settings = seal(&tx, installation.keys, settings, &entered).await?;
    due::update(&tx, installation.zone, None, &settings, now).await?;
    finish(tx, scope, settings).await
}

/// Changes FTP settings; secrets that are not entered again are removed if the connection changes.
///
/// # Errors
/// All violated rules at their fields; an older version; a secret without a key to seal it.
pub async fn update(
    installation: FtpInstallation<'_>,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<FtpSettingsInput>>,
) -> Result<FtpSettingsDetail> {
    let input = input.into();
    let version = input.version;
    let before = scope.get::<FtpSettingsTable>(installation.db, id).await?;
    let writer = scope.acting_for(Some(before.tenant_id));
    let (mut row, entered) = read(installation, &writer, Some(&before), input).await?;
    refuse_unsealable(installation, &entered)?;
    let now = now();
    let tx = installation.db.begin().await?;
    let before = writer.get_locked::<FtpSettingsTable>(&tx, id).await?;
    refuse_stale(version, before.version)?;
    let target = Target::from_row(&row);
    let leads_elsewhere = target.is_some_and(|target| target.leads_elsewhere(&before));
    if target.is_some_and(|target| target.is_other_server(&before)) {
        row.host_key = Set(None);
    }
    set_secrets(installation.keys, &before, &mut row, entered, leads_elsewhere, now)?;
    let settings = writer.update_from::<FtpSettingsTable>(&tx, &before, row).await?;
    due::update(&tx, installation.zone, Some(&before), &settings, now).await?;
    finish(tx, &writer, settings).await
}

impl Deletable for FtpSettingsTable {
    /// Deletes FTP settings with their schedules. A run that is under way imports nothing more.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let tx = db.begin().await?;
        let settings = usage::release::<Self>(&tx, scope, id, |_| Ok(())).await?;
        due::remove(&tx, &settings).await?;
        scope.delete::<Self>(&tx, id).await?;
        tx.commit().await
    }
}

/// Pauses or resumes the schedule of a kind of files.
///
/// # Errors
/// [`codes::NO_SCHEDULE`] if these files have none.
pub async fn set_paused(
    installation: FtpInstallation<'_>,
    scope: &Scope,
    id: i64,
    kind: FileKind,
    paused: bool,
) -> Result<FtpSettingsDetail> {
    let tx = installation.db.begin().await?;
    let before = scope.get_locked::<FtpSettingsTable>(&tx, id).await?;
    let mut schedules = before.schedules.clone();
    let schedule = schedules.get_mut(kind).ok_or(codes::NO_SCHEDULE)?;
    if schedule.paused == paused {
        return finish(tx, scope, before).await;
    }
    schedule.paused = paused;
    let row = ActiveModel { schedules: Set(schedules), ..Default::default() };
    let settings = scope.update_from::<FtpSettingsTable>(&tx, &before, row).await?;
    due::update(&tx, installation.zone, Some(&before), &settings, now()).await?;
    finish(tx, scope, settings).await
}

/// Trusts the key of an SFTP server, by its algorithm and fingerprint.
///
/// # Errors
/// At `host_key` for another protocol, and for a text that is no key.
pub async fn trust_host_key(
    db: &Database,
    scope: &Scope,
    id: i64,
    host_key: &str,
    version: Option<i64>,
) -> Result<FtpSettingsDetail> {
    let tx = db.begin().await?;
    let before = scope.get_locked::<FtpSettingsTable>(&tx, id).await?;
    refuse_stale(version, before.version)?;
    if before.protocol != FtpProtocol::Sftp {
        return Err(Violations::error("host_key", codes::NOT_FOR_PROTOCOL));
    }
    let Ok(host_key) = host_key.parse::<HostKey>() else {
        return Err(Violations::error("host_key", codes::INVALID_HOST_KEY));
    };
    let row = ActiveModel { host_key: Set(Some(host_key.to_string())), ..Default::default() };
    let settings = scope.update_from::<FtpSettingsTable>(&tx, &before, row).await?;
    finish(tx, scope, settings).await
}

/// The next runs for each kind of files that is fetched.
pub async fn next_runs(
    db: &impl ConnectionTrait,
    scope: &Scope,
    zone: Tz,
    id: i64,
    after: Instant,
) -> Result<Vec<(FileKind, Vec<Run>)>> {
    let settings = scope.get::<FtpSettingsTable>(db, id).await?;
    let runs = FileKind::ALL.into_iter().filter_map(|kind| {
        let timetable = due::timetable(&settings, kind)?;
        Some((kind, timetable.runs(zone, after, RUNS_SHOWN)))
    });
    Ok(runs.collect())
}

/// The place that credentials are sent to.
#[derive(Clone, Copy)]
struct Target<'a> {
    protocol: FtpProtocol,
    host: &'a str,
    port: i64,
    username: &'a str,
}

impl<'a> Target<'a> {
    fn from_row(row: &'a ActiveModel) -> Option<Self> {
        Some(Self {
            protocol: *row.protocol.try_as_ref()?,
            host: row.host.try_as_ref()?,
            port: *row.port.try_as_ref()?,
            username: row.username.try_as_ref()?,
        })
    }

    fn from_settings(settings: &'a FtpSettings) -> Self {
        let FtpSettings { protocol, port, .. } = *settings;
        Self { protocol, host: &settings.host, port, username: &settings.username }
    }

    fn from_input(input: &'a FtpSettingsInput) -> Self {
        let FtpSettingsInput { protocol, host, username, .. } = input;
        Self { protocol: *protocol, host, port: input.port_or_default(), username }
    }

    fn leads_elsewhere(self, before: &FtpSettings) -> bool {
        self.is_other_server(before) || self.username != before.username
    }

    fn is_other_server(self, before: &FtpSettings) -> bool {
        rules::is_other_server(before, self.protocol, self.host, self.port)
    }
}

/// Converts a valid input to a row and its secrets.
async fn read(
    installation: FtpInstallation<'_>,
    scope: &Scope,
    before: Option<&FtpSettings>,
    input: Validated<FtpSettingsInput>,
) -> Result<(ActiveModel, EnteredSecrets)> {
    let (input, mut wrong) = input.parts();
    check(installation, scope, before, &input, &mut wrong).await?;
    wrong.check()?;
    let port = input.port_or_default();
    let row = ActiveModel {
        protocol: Set(input.protocol),
        host: Set(input.host),
        port: Set(port),
        username: Set(input.username),
        ca_certificate: Set(input.ca_certificate),
        base_path: Set(input.base_path),
        price_file: Set(input.price_file),
        price_profile_id: Set(input.price_profile_id),
        stock_file: Set(input.stock_file),
        stock_profile_id: Set(input.stock_profile_id),
        schedules: Set(input.schedules),
        after_reading: Set(input.after_reading),
        processed_folder: Set(input.processed_folder),
        ..Default::default()
    };
    Ok((
        row,
        EnteredSecrets {
            password: input.password,
            private_key: input.private_key,
            passphrase: input.private_key_passphrase,
        },
    ))
}

/// Adds the violations of an input, including those of the import profiles that it names.
async fn check(
    installation: FtpInstallation<'_>,
    scope: &Scope,
    before: Option<&FtpSettings>,
    input: &FtpSettingsInput,
    wrong: &mut Violations,
) -> Result<()> {
    rules::check(input, installation.allows_plain_ftp, wrong);
    let keeps_key = before.is_some_and(|before| {
        before.private_key_sealed.is_some() && !Target::from_input(input).leads_elsewhere(before)
    });
    rules::check_passphrase(input, keeps_key, wrong);
    for kind in FileKind::ALL {
        let file = input.file(kind);
        let former = before.and_then(|before| before.file(kind).profile_id);
        // a profile that the caller must not see stays
        let Some(id) = file.profile_id.filter(|id| Some(*id) != former) else { continue };
        let field = format!("{}_profile_id", kind.as_str());
        let profiles = scope.find::<ImportProfiles>().filter(import_profile::Column::Id.eq(id));
        let profiles = profiles.filter(import_profile::Column::TenantId.eq(scope.tenant()?));
        match profiles.one(installation.db).await? {
            None => wrong.add(field, codes::UNKNOWN_REFERENCE),
            Some(profile) if profile.r#type != file.import_type => wrong.add(field, codes::NOT_FOR_THIS_TYPE),
            Some(_) => {}
        }
    }
    Ok(())
}

async fn finish(tx: Write, scope: &Scope, settings: FtpSettings) -> Result<FtpSettingsDetail> {
    let detail = FtpSettingsTable::detailed(&tx, scope, vec![settings]).await?.remove(0);
    tx.commit().await?;
    Ok(detail)
}

#[cfg(test)]
mod tests;
