//! Choices and groups of fields of FTP settings, as they are stored and as the contract has them.

use sea_orm::{DeriveActiveEnum, EnumIter, FromJsonQueryResult, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};
use values::{
    ClockTime,
    input::{Text, broken, trim_or_none},
    rule::printable,
    tidy,
};

use crate::{
    codes,
    timetable::{ScheduleFields, ScheduleType},
    transformer::PriceFormat,
};

/// Protocol of a server. FTPS starts unencrypted and switches to TLS before the sign-in, except on port 990,
/// where it is encrypted from the start.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum FtpProtocol {
    Ftp,
    Ftps,
    Sftp,
}

impl FtpProtocol {
    pub const NAMES: &'static [&'static str] = &["ftp", "ftps", "sftp"];

    /// The port of a server that names none.
    pub const fn default_port(self) -> i64 {
        match self {
            Self::Ftp | Self::Ftps => 21,
            Self::Sftp => 22,
        }
    }
}

/// The treatment of a file on the server once it was imported.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = FtpAfterReading)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum AfterReading {
    Leave,
    Move,
    Delete,
}

/// Reader of a file: by the standard headings, by an import profile, or as a price file of another format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FtpTransformer)]
pub enum Transformer {
    Standard,
    ImportProfile,
    Datanorm,
    Bmecat,
}

impl Transformer {
    pub const ALL: &'static [Self] = &[Self::Standard, Self::ImportProfile, Self::Datanorm, Self::Bmecat];

    /// The format that files are converted from before an import reads them.
    pub const fn price_format(self) -> Option<PriceFormat> {
        match self {
            Self::Standard | Self::ImportProfile => None,
            Self::Datanorm => Some(PriceFormat::Datanorm),
            Self::Bmecat => Some(PriceFormat::Bmecat),
        }
    }
}

/// The two kinds of files that are fetched.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = FtpFileKind)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum FileKind {
    Price,
    Stock,
}

impl FileKind {
    pub const ALL: [Self; 2] = [Self::Price, Self::Stock];

    /// The kind of schedule by which its files are fetched (`background::schedule`).
    pub const fn schedule_kind(self) -> &'static str {
        match self {
            Self::Price => "ftp_price",
            Self::Stock => "ftp_stock",
        }
    }

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Price => "price",
            Self::Stock => "stock",
        }
    }
}

/// A file of prices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = FtpPriceFile)]
pub struct PriceFile {
    /// Fetches the file; needs a name and a schedule.
    #[schema(example = true)]
    pub enabled: bool,
    /// Name on the server; `*` stands for any characters, `{yyyyMMdd}` for the date.
    #[schema(max_length = 255, example = "preise_{yyyyMMdd}.csv")]
    #[validate(length(max = 255), custom(function = printable))]
    pub file_name: Option<String>,
    pub transformer: Transformer,
    /// Makes each file the next version of a price list; otherwise it changes the prices of stocks.
    #[schema(example = false)]
    pub as_price_list: bool,
    /// The name of that price list.
    #[schema(max_length = 255, example = "Werkspreise")]
    #[validate(length(max = 255), custom(function = printable))]
    pub price_list_name: Option<String>,
}

/// A file of stocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = FtpStockFile)]
pub struct StockFile {
    /// Fetches the file; needs a name and a schedule.
    #[schema(example = true)]
    pub enabled: bool,
    /// Name on the server; `*` stands for any characters, `{yyyyMMdd}` for the date.
    #[schema(max_length = 255, example = "bestand_*.csv")]
    #[validate(length(max = 255), custom(function = printable))]
    pub file_name: Option<String>,
    pub transformer: Transformer,
    /// Element of a BMEcat file with the quantity, below `USER_DEFINED_EXTENSIONS`; for BMEcat only.
    #[serde(default)]
    #[schema(max_length = 100, example = "UDX.LIEFERANT.BESTAND")]
    #[validate(length(max = 100), custom(function = element_name))]
    pub quantity_element: Option<String>,
}

/// The name of an element of XML, without a prefix.
fn element_name(name: &str) -> Result<(), ValidationError> {
    let is_start = |c: char| c.is_alphabetic() || c == '_';
    let is_name = name.starts_with(is_start)
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if is_name || name.is_empty() { Ok(()) } else { Err(broken(codes::INVALID_ELEMENT_NAME)) }
}

/// The times of day and the days on which a file is fetched, in the installation's time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = FtpSchedule)]
pub struct Schedule {
    pub r#type: ScheduleType,
    /// Day of the week, 1 for Monday to 7 for Sunday, if weekly; day of the month if monthly, or the last one of a
    /// shorter month. Otherwise `null`.
    #[schema(minimum = 1, maximum = 31, example = 1)]
    #[validate(range(min = 1, max = 31))]
    pub day: Option<i64>,
    /// The second day, twice a month only.
    #[schema(minimum = 1, maximum = 31)]
    #[validate(range(min = 1, max = 31))]
    pub day_2: Option<i64>,
    #[schema(value_type = ClockTime)]
    #[validate(custom(function = clock))]
    pub time: String,
    /// The second time, needed twice daily; twice a month that of the second day, if it differs.
    #[schema(value_type = Option<ClockTime>)]
    #[validate(custom(function = clock))]
    pub time_2: Option<String>,
    /// Fetches nothing until it is resumed.
    #[serde(default)]
    #[schema(example = false)]
    pub paused: bool,
}

/// A time of day that clocks show.
fn clock(text: &str) -> Result<(), ValidationError> {
    match text.parse::<ClockTime>() {
        Ok(_) => Ok(()),
        Err(_) if text.is_empty() => Err(broken(codes::REQUIRED)),
        Err(_) => Err(broken(codes::INVALID_CLOCK_TIME)),
    }
}

impl Schedule {
    /// Trims the times.
    pub(crate) fn tidy(&mut self) {
        self.time.trim_in_place();
        trim_or_none(&mut self.time_2);
    }

    /// The fields, with the times that can be read.
    pub fn fields(&self) -> ScheduleFields {
        let time = |text: &str| text.trim().parse::<ClockTime>().ok();
        ScheduleFields {
            schedule_type: self.r#type,
            day: self.day,
            day_2: self.day_2,
            time: time(&self.time),
            time_2: self.time_2.as_deref().and_then(time),
        }
    }
}

/// A schedule for each kind of files.
#[derive(
    Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, ToSchema, Validate,
)]
#[serde(deny_unknown_fields)]
#[schema(as = FtpSchedules)]
pub struct Schedules {
    /// The schedule of the price file.
    #[validate(nested)]
    pub price: Option<Schedule>,
    /// The schedule of the stock file.
    #[validate(nested)]
    pub stock: Option<Schedule>,
}

impl Schedules {
    /// Returns the schedule of one kind of file.
    pub fn get(&self, kind: FileKind) -> Option<&Schedule> {
        match kind {
            FileKind::Price => self.price.as_ref(),
            FileKind::Stock => self.stock.as_ref(),
        }
    }

    /// Returns the schedule of one kind of file, to change it.
    pub fn get_mut(&mut self, kind: FileKind) -> Option<&mut Schedule> {
        match kind {
            FileKind::Price => self.price.as_mut(),
            FileKind::Stock => self.stock.as_mut(),
        }
    }
}

/// A schedule that is not saved yet.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = FtpScheduleInput)]
pub struct ScheduleInput {
    #[validate(nested)]
    pub schedule: Schedule,
}

tidy!(ScheduleInput:);

/// The key of an SFTP server that is trusted.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = FtpHostKeyInput)]
pub struct HostKeyInput {
    /// Its algorithm and the fingerprint that OpenSSH shows.
    #[schema(
        min_length = 1,
        max_length = 255,
        example = "ssh-ed25519 SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"
    )]
    #[validate(length(min = 1, max = 255))]
    pub host_key: String,
    /// The version that was seen; an older one than the current is refused.
    pub version: Option<i64>,
}

tidy!(HostKeyInput: trim host_key;);
