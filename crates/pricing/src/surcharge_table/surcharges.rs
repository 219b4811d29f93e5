//! Surcharges by month for the calculation: the values of a table, including those of its base tables.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
    sync::Arc,
};

use chrono::{Datelike, Days, NaiveDate};
use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;
use values::{Decimal, Language};

use crate::quote::article::Article;

/// Subject of a surcharge table.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum SurchargeKind {
    Alloy,
    Scrap,
    Energy,
    Other,
}

impl SurchargeKind {
    pub const NAMES: &'static [&'static str] = &["alloy", "scrap", "energy", "other"];
}

/// Kind of the rows of a table.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    EnumIter,
    DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = SurchargeKeyedBy)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum KeyedBy {
    #[default]
    Material,
    ArticleType,
}

impl KeyedBy {
    pub const NAMES: &'static [&'static str] = &["material", "article_type"];

    /// Field of an input that names a row.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Material => "material_id",
            Self::ArticleType => "article_type_id",
        }
    }
}

/// Calendar month, as the number of months since the year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(i32);

const MONTHS: i32 = 12;

const MONTH_NAMES_DE: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];
const MONTH_NAMES_EN: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Month {
    /// Month of a date.
    pub fn from_date(date: NaiveDate) -> Self {
        Self(date.year() * MONTHS + date.month0().cast_signed())
    }

    /// Parses a month of this century, such as `2026-12`.
    pub fn parse(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-')?;
        let digits = |text: &str, count: usize| {
            (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| text.parse::<i32>().ok())
                .flatten()
        };
        let (year, month) = (digits(year, 4)?, digits(month, 2)?);
        ((2_000..2_100).contains(&year) && (1..=MONTHS).contains(&month))
            .then_some(Self(year * MONTHS + month - 1))
    }

    /// Returns the month that is a number of months later, or earlier if it is negative.
    #[must_use]
    pub fn plus(self, months: i32) -> Self {
        Self(self.0 + months)
    }

    /// Text in a language: `November 2026`.
    pub fn text(self, language: Language) -> String {
        let names = match language {
            Language::De => MONTH_NAMES_DE,
            Language::En => MONTH_NAMES_EN,
        };
        let year = self.0.div_euclid(MONTHS);
        let name = usize::try_from(self.0.rem_euclid(MONTHS)).ok().and_then(|month| names.get(month));
        name.map_or_else(|| self.to_string(), |name| format!("{name} {year}"))
    }

    /// First day of the month; `None` beyond the calendar.
    pub fn first_day(self) -> Option<NaiveDate> {
        let month = u32::try_from(self.0.rem_euclid(MONTHS)).ok()?;
        NaiveDate::from_ymd_opt(self.0.div_euclid(MONTHS), month + 1, 1)
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0.div_euclid(MONTHS), self.0.rem_euclid(MONTHS) + 1)
    }
}

impl Serialize for Month {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Values by material or article type, and month.
pub type Cells = BTreeMap<(i64, Month), Decimal>;

/// Table with its own values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableRecord {
    pub id: i64,
    pub name: String,
    pub keyed_by: KeyedBy,
    pub base: Option<i64>,
    pub cells: Cells,
}

/// Compiled table, including the values of its base tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompiledTable {
    pub id: i64,
    pub name: String,
    pub keyed_by: KeyedBy,
    values: HashMap<(i64, Month), Decimal>,
}

impl CompiledTable {
    /// Row of an article in the table: its material or its article type.
    pub fn article_key(&self, article: &Article) -> Option<i64> {
        match self.keyed_by {
            KeyedBy::Material => article.material_id,
            KeyedBy::ArticleType => Some(article.article_type_id),
        }
    }

    /// Surcharge in EUR per tonne of an article in a month; `None` if there is no value.
    pub fn at(&self, article: &Article, month: Month) -> Option<Decimal> {
        self.values.get(&(self.article_key(article)?, month)).copied()
    }

    /// Months for which values are due but missing.
    pub fn missing_months(&self, today: NaiveDate) -> BTreeSet<Month> {
        let watched = watched(today);
        let cells = self.values.keys().filter(|(_, month)| watched.contains(month)).copied().collect();
        missing(&cells, today)
            .into_iter()
            .map(|(_, month)| month)
            .filter(|month| is_due(*month, today))
            .collect()
    }

    /// Months for which the values of another table differ.
    pub fn months_other_than(&self, other: &Self) -> BTreeSet<Month> {
        let places = self.values.keys().chain(other.values.keys());
        let differing = places.filter(|place| self.values.get(place) != other.values.get(place));
        differing.map(|(_, month)| *month).collect()
    }

    /// Months with at least one value.
    pub fn months(&self) -> impl Iterator<Item = Month> {
        let months: BTreeSet<Month> = self.values.keys().map(|(_, month)| *month).collect();
        months.into_iter()
    }
}

/// Compiles tables, by id, including the values of their base tables.
pub fn compile(records: &[TableRecord]) -> HashMap<i64, Arc<CompiledTable>> {
    let by_id: HashMap<i64, &TableRecord> = records.iter().map(|table| (table.id, table)).collect();
    let bases = |id| by_id.get(&id).and_then(|table| table.base);
    let whole = |table: &TableRecord| {
        let mut values = HashMap::new();
        for id in chain(table.id, bases) {
            let cells = by_id.get(&id).into_iter().flat_map(|table| &table.cells);
            for (place, value) in cells {
                values.entry(*place).or_insert(*value);
            }
        }
        CompiledTable { id: table.id, name: table.name.clone(), keyed_by: table.keyed_by, values }
    };
    records.iter().map(|table| (table.id, Arc::new(whole(table)))).collect()
}

/// Returns a table and its base tables, the nearest first. A cycle, which validation prevents, ends where it
/// closes.
pub fn chain(id: i64, base: impl Fn(i64) -> Option<i64>) -> Vec<i64> {
    let mut chain = vec![id];
    while let Some(next) = chain.last().and_then(|last| base(*last)).filter(|next| !chain.contains(next)) {
        chain.push(next);
    }
    chain
}

/// Number of months without a value after which a row is no longer expected to have one.
const RESTING: i32 = 12;
/// Number of days before the beginning of a month at which its values are due.
const DUE: Days = Days::new(7);

/// Months that decide about missing values: those whose rows are expected to go on, the current one and the
/// next.
pub fn watched(today: NaiveDate) -> std::ops::RangeInclusive<Month> {
    Month::from_date(today).plus(-RESTING)..=Month::from_date(today).plus(1)
}

/// Returns the missing values for this month and the next, for the rows that the table or its base tables had
/// within the last year. `cells`: those of [`watched`] months, of the table and its base tables.
pub fn missing(cells: &BTreeSet<(i64, Month)>, today: NaiveDate) -> Vec<(i64, Month)> {
    let this = Month::from_date(today);
    let rows: BTreeSet<i64> = cells.iter().map(|(row, _)| *row).collect();
    let of_months = |row: i64| [this, this.plus(1)].map(|month| (row, month));
    rows.into_iter().flat_map(of_months).filter(|place| !cells.contains(place)).collect()
}

/// True if a missing value is due: its month has begun, or begins within a week.
pub fn is_due(month: Month, today: NaiveDate) -> bool {
    let soon = today.checked_add_days(DUE).unwrap_or(today);
    month <= Month::from_date(soon)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(text: &str) -> Month {
        Month::parse(text).unwrap()
    }

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn months_are_parsed_printed_and_counted() {
        for text in ["2026-12", "2000-01", "2099-12"] {
            assert_eq!(month(text).to_string(), text);
        }
        for text in ["2026-00", "2026-13", "1999-12", "2100-01", "26-12", "2026-1", "2026/12", "+026-01", ""]
        {
            assert_eq!(Month::parse(text), None, "{text}");
        }
        assert_eq!(month("2026-12").plus(1), month("2027-01"));
        assert_eq!(month("2026-01").plus(-1), month("2025-12"));
        assert_eq!(month("2026-02").first_day(), NaiveDate::from_ymd_opt(2026, 2, 1));
        assert_eq!(Month::from_date(NaiveDate::from_ymd_opt(2026, 11, 30).unwrap()), month("2026-11"));
        for (text, german, english) in [
            ("2026-01", "Januar 2026", "January 2026"),
            ("2026-11", "November 2026", "November 2026"),
            ("2027-12", "Dezember 2027", "December 2027"),
        ] {
            assert_eq!(month(text).text(Language::De), german);
            assert_eq!(month(text).text(Language::En), english);
        }
    }

    #[test]
    fn missing_values_are_taken_from_the_base_table() {
        let table = |id, base, cells: &[(i64, &str, &str)]| TableRecord {
            id,
            base,
            cells: cells
                .iter()
                .map(|(key, month_text, value)| ((*key, month(month_text)), decimal(value)))
                .collect(),
            ..TableRecord::default()
        };
        let tables = [
            table(1, Some(2), &[(20, "2026-11", "0")]),
            table(2, Some(3), &[(20, "2026-11", "100"), (20, "2026-12", "120")]),
            table(3, None, &[(20, "2026-12", "90"), (21, "2026-12", "5")]),
        ];
        let compiled = compile(&tables);
        let value_at = |table: i64, material: i64, text: &str| {
            let mut article = Article::from_relations(100, values::Unit::Metre, Vec::new());
            article.material_id = Some(material);
            compiled[&table].at(&article, month(text)).map(|value| value.to_string())
        };
        assert_eq!(value_at(1, 20, "2026-11").as_deref(), Some("0"), "its own value, even if it is zero");
        assert_eq!(value_at(1, 20, "2026-12").as_deref(), Some("120"), "from the nearest base table");
        assert_eq!(value_at(1, 21, "2026-12").as_deref(), Some("5"));
        assert_eq!(value_at(1, 21, "2027-01"), None);
        assert_eq!(value_at(3, 20, "2026-11"), None, "never from a table above");
        let none = Article::from_relations(100, values::Unit::Metre, Vec::new());
        assert_eq!(compiled[&1].at(&none, month("2026-12")), None, "an article without material");
        // a cycle ends
        assert_eq!(chain(1, |id| Some(if id == 3 { 1 } else { id + 1 })), [1, 2, 3]);
    }

    #[test]
    fn months_without_a_value_are_reported_a_week_ahead() {
        let cells = [(20, "2026-11"), (21, "2026-11"), (20, "2026-12")];
        let cells =
            cells.map(|(key, month_text)| ((key, month(month_text)), decimal("1"))).into_iter().collect();
        let compiled = compile(&[TableRecord { id: 1, cells, ..TableRecord::default() }]);
        for (today, months) in [
            ("2026-11-20", vec![]),
            ("2026-11-24", vec!["2026-12"]),
            ("2026-12-03", vec!["2026-12"]),
            ("2026-12-28", vec!["2026-12", "2027-01"]),
        ] {
            let lacking = compiled[&1].missing_months(today.parse().unwrap());
            assert_eq!(lacking.iter().map(ToString::to_string).collect::<Vec<_>>(), months, "{today}");
        }
    }

    #[test]
    fn values_missing_from_rows_of_the_last_year_are_reported() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let cells = |places: &[(i64, &str)]| {
            places.iter().map(|(row, month_text)| (*row, month(month_text))).collect::<BTreeSet<_>>()
        };
        let cells = cells(&[(20, "2026-11"), (20, "2026-12"), (21, "2026-10"), (22, "2026-12")]);
        let today = day("2026-11-25");
        let actual: Vec<_> =
            missing(&cells, today).into_iter().map(|(row, month)| (row, month.to_string())).collect();
        let expected = [(21, "2026-11"), (21, "2026-12"), (22, "2026-11")];
        assert_eq!(actual, expected.map(|(row, month)| (row, month.to_owned())));
        assert!(watched(today).contains(&month("2025-11")) && !watched(today).contains(&month("2025-10")));
        for (today, due) in
            [("2026-11-23", false), ("2026-11-24", true), ("2026-12-01", true), ("2027-02-01", true)]
        {
            assert_eq!(is_due(month("2026-12"), day(today)), due, "{today}");
        }
    }
}
