//! What was changed, by whom and by which way. [`Scope`](crate::Scope) notes every write of a record in the transaction
//! that makes it; committing stores what is noted, so that there is neither a change without its entry nor the other way
//! round.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta};
use sea_orm::{EntityTrait, Value, sea_query::ValueType};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{
    clock::Instant,
    id::{ExternalApiId, FeedId, TenantId, UserId},
};

/// By which way somebody acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Signed in with a password.
    Session,
    /// With a personal access token.
    Token(i64),
    /// Through the rows of an uploaded file.
    Import(i64),
    /// A feed, which fetches files on a schedule.
    Feed(FeedId),
    /// An external API, whose lists are fetched on a schedule.
    ExternalApi(ExternalApiId),
    /// Nobody: start-up, the command line, demo data.
    System,
}

impl Channel {
    pub const NAMES: &'static [&'static str] =
        &["session", "token", "import", "feed", "external_api", "system"];

    pub fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Token(_) => "token",
            Self::Import(_) => "import",
            Self::Feed(_) => "feed",
            Self::ExternalApi(_) => "external_api",
            Self::System => "system",
        }
    }

    /// The id of the token, the import, the feed or the external API.
    pub fn id(self) -> Option<i64> {
        match self {
            Self::Token(id)
            | Self::Import(id)
            | Self::Feed(FeedId(id))
            | Self::ExternalApi(ExternalApiId(id)) => Some(id),
            Self::Session | Self::System => None,
        }
    }
}

/// A request, as its answer names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestId(pub u128);

impl RequestId {
    /// None of what names no request.
    pub fn parse(text: &str) -> Option<Self> {
        let is_one = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u128::from_str_radix(text, 16).ok().filter(|_| is_one).map(Self)
    }

    pub fn text(self) -> String {
        format!("{:032x}", self.0)
    }

    /// The time within which the request has written what it has, as its id tells; none of an id that is out of range.
    pub fn span(self) -> Option<(Instant, Instant)> {
        let begun = DateTime::from_timestamp_millis((self.0 >> 80).try_into().ok()?)?;
        // clocks of several servers differ
        Some((begun - TimeDelta::minutes(1), begun + TimeDelta::minutes(10)))
    }
}

/// What is being taken back: a record is written as it was before an entry of its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undoing {
    /// Its table and id, which it has again where it is made anew.
    pub record: &'static str,
    pub record_id: i64,
    pub entry: i64,
}

macro_rules! actions {
    ($($name:ident $text:literal)*) => {
        /// What happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action { $($name),* }

        impl Action {
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }
    };
}

actions! {
    Created "created"
    Changed "changed"
    Deleted "deleted"
    SignedIn "signed_in"
    SignInFailed "sign_in_failed"
    SignedOut "signed_out"
    SessionsEnded "sessions_ended"
    PasswordChanged "password_changed"
    ResetRequested "reset_requested"
    Invited "invited"
    InvitationRevoked "invitation_revoked"
    Verified "verified"
    Cancelled "cancelled"
    Finished "finished"
    DataExported "data_exported"
    PricesChanged "prices_changed"
}

/// What happened to a record.
#[derive(Debug, Clone)]
pub struct HistoryEntry {
    pub action: Action,
    /// The record's table, its id, and what it was called then.
    pub record: &'static str,
    pub record_id: Option<i64>,
    pub name: Option<String>,
    /// Whose the record is; nothing where it is the platform's.
    pub tenant: Option<TenantId>,
    pub user: Option<UserId>,
    pub channel: Channel,
    /// Where somebody signed in from.
    pub address: Option<String>,
    /// The request that did it: all that it wrote belongs together.
    pub request: Option<RequestId>,
    /// The entry that it takes back.
    pub undoes: Option<i64>,
    fields: BTreeMap<String, (Json, Json)>,
    parts: BTreeMap<&'static str, (Vec<Json>, Vec<Json>)>,
}

/// What became of a field; `null` where there was nothing or is nothing any more. Of parts, both are lists: those that
/// have gone, those that have come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub field: String,
    pub from: Json,
    pub to: Json,
}

impl HistoryEntry {
    /// Something that happened to a record beside a change of its fields.
    pub fn new(action: Action, record: &'static str, record_id: Option<i64>) -> Self {
        Self {
            action,
            record,
            record_id,
            name: None,
            tenant: None,
            user: None,
            channel: Channel::System,
            address: None,
            request: None,
            undoes: None,
            fields: BTreeMap::new(),
            parts: BTreeMap::new(),
        }
    }

    /// What is told of it, where that is no change of a field.
    pub fn tell(&mut self, field: &str, value: impl Into<Json>) {
        self.fields.insert(field.to_owned(), (Json::Null, value.into()));
    }

    /// Counts what a summary tells of.
    pub fn count(&mut self, field: &str, number: u64) {
        if number > 0 {
            let (_, counted) = self.fields.entry(field.to_owned()).or_insert((Json::Null, 0.into()));
            *counted = (counted.as_u64().unwrap_or_default() + number).into();
        }
    }

    /// Notes a field of which nothing is left.
    pub fn lose(&mut self, field: &str, value: impl Into<Json>) {
        self.fields.insert(field.to_owned(), (value.into(), Json::Null));
    }

    /// Fields that have changed, from all before to all after.
    pub(crate) fn fields(&mut self, before: &Fields, after: &Fields) {
        let nothing = Json::Null;
        for field in before.keys().chain(after.keys().filter(|field| !before.contains_key(*field))) {
            let (from, to) = (before.get(field).unwrap_or(&nothing), after.get(field).unwrap_or(&nothing));
            self.fields.entry(field.clone()).or_insert_with(|| (from.clone(), from.clone())).1 = to.clone();
        }
    }

    /// Leaves out what the record was called, and these fields.
    pub(crate) fn forget<'a>(&mut self, fields: impl Iterator<Item = &'a str>) {
        self.name = None;
        for field in fields {
            self.fields.remove(field);
        }
    }

    /// Parts that have gone and parts that have come.
    pub(crate) fn parts(&mut self, table: &'static str, gone: Vec<Json>, come: Vec<Json>) {
        let (before, after) = self.parts.entry(table).or_default();
        before.extend(gone);
        after.extend(come);
    }

    /// What remains once everything that was put back is left out. The amount of a price, what that is for and in which unit are told
    /// together.
    pub fn changes(&self) -> Vec<Change> {
        let has_changed = |field: &str| self.fields.get(field).is_some_and(|(from, to)| from != to);
        let is_told = |field: &str| {
            let of_price = price_columns(field);
            let is_whole = of_price.iter().all(|field| self.fields.contains_key(field));
            has_changed(field) || is_whole && of_price.iter().any(|field| has_changed(field))
        };
        let fields = self.fields.iter().filter(|(field, _)| is_told(field));
        let fields = fields.map(|(field, (from, to))| Change {
            field: field.clone(),
            from: from.clone(),
            to: to.clone(),
        });
        let parts = self.parts.iter().filter_map(|(table, (gone, come))| {
            let mut come = come.clone();
            let mut gone = gone.clone();
            gone.retain(|part| match come.iter().position(|other| other == part) {
                Some(index) => {
                    come.remove(index);
                    false
                }
                None => true,
            });
            let changed = !gone.is_empty() || !come.is_empty();
            changed.then(|| Change { field: (*table).to_owned(), from: gone.into(), to: come.into() })
        });
        fields.chain(parts).collect()
    }
}

/// The columns of the price that a column would be of, by their names: an amount, what that is for and in which unit.
fn price_columns(field: &str) -> [String; 3] {
    let price =
        ["_quantity", "_unit"].into_iter().find_map(|suffix| field.strip_suffix(suffix)).unwrap_or(field);
    [price.to_owned(), format!("{price}_quantity"), format!("{price}_unit")]
}

/// The fields of a record as they are noted.
pub type Fields = BTreeMap<String, Json>;

/// A column that refers to a row, or its id.
pub(crate) fn id(value: Value) -> Option<i64> {
    <Option<i64> as ValueType>::try_from(value).ok().flatten()
}

/// A column that holds text.
pub(crate) fn text(value: Value) -> Option<String> {
    <Option<String> as ValueType>::try_from(value).ok().flatten()
}

/// What a transaction has noted so far.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    pub(crate) noted: Vec<HistoryEntry>,
    /// Entries with numbers, one for each record and action, stored with the end of the transaction.
    pub(crate) summaries: Vec<HistoryEntry>,
}

impl Journal {
    /// Notes an entry; one record has one entry in a transaction.
    pub(crate) fn note(&mut self, entry: HistoryEntry) {
        match self.of(&entry) {
            Some(known) => known.take_up(entry),
            None => self.noted.push(entry),
        }
    }

    /// Adds to the numbers of a summary; without any there is none.
    pub(crate) fn summarise(&mut self, entry: HistoryEntry) {
        if entry.fields.is_empty() {
            return;
        }
        let of = |entry: &HistoryEntry| (entry.action, entry.record, entry.record_id);
        match self.summaries.iter_mut().find(|known| of(known) == of(&entry)) {
            Some(known) => {
                for (field, (_, number)) in entry.fields {
                    known.count(&field, number.as_u64().unwrap_or_default());
                }
            }
            None => self.summaries.push(entry),
        }
    }

    /// Takes out what was noted of records, without the summaries.
    pub(crate) fn take_noted(&mut self) -> Self {
        Self { noted: std::mem::take(&mut self.noted), summaries: Vec::new() }
    }

    fn of(&mut self, entry: &HistoryEntry) -> Option<&mut HistoryEntry> {
        let follows = |known: &&mut HistoryEntry| {
            known.record == entry.record
                && known.record_id == entry.record_id
                && known.record_id.is_some()
                && match (known.action, entry.action) {
                    // its parts go first
                    (Action::Created, Action::Changed) | (Action::Changed, Action::Deleted) => true,
                    (known, next) => known == next,
                }
        };
        // the last ones first: parts follow their record
        self.noted.iter_mut().rev().take(64).find(follows)
    }
}

impl HistoryEntry {
    fn take_up(&mut self, later: Self) {
        if later.action == Action::Deleted {
            (self.action, self.tenant) = (later.action, later.tenant);
        }
        self.name = later.name.or_else(|| self.name.take());
        for (field, (from, to)) in later.fields {
            self.fields.entry(field).or_insert((from, Json::Null)).1 = to;
        }
        for (table, (gone, come)) in later.parts {
            self.parts(table, gone, come);
        }
    }
}

/// The table's name.
pub fn table<E: EntityTrait>() -> &'static str {
    E::default().table_name()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(action: Action, before: Json, after: Json) -> HistoryEntry {
        let fields = |value: Json| match value {
            Json::Object(map) => map.into_iter().collect::<Fields>(),
            _ => Fields::new(),
        };
        let mut entry = HistoryEntry::new(action, "material", Some(1));
        entry.fields(&fields(before), &fields(after));
        entry
    }

    fn noted(journal: Journal) -> Vec<(Action, Json)> {
        let pairs =
            journal.noted.into_iter().chain(journal.summaries).map(|entry| (entry.action, entry.changes()));
        pairs.map(|(action, changes)| (action, serde_json::to_value(changes).unwrap())).collect()
    }

    #[test]
    fn a_transaction_has_one_entry_for_a_record() {
        let mut journal = Journal::default();
        journal.note(entry(
            Action::Changed,
            json!({"name": "a", "density": "1"}),
            json!({"name": "b", "density": "1"}),
        ));
        journal.note(entry(Action::Changed, json!({"name": "b"}), json!({"name": "c"})));
        assert_eq!(noted(journal), [(Action::Changed, json!([{"field": "name", "from": "a", "to": "c"}]))]);
    }

    #[test]
    fn a_summary_adds_up_what_a_transaction_does_and_stays_until_it_ends() {
        let mut journal = Journal::default();
        let summary = |changed: u64, added: u64| {
            let mut entry = HistoryEntry::new(Action::PricesChanged, "price_list", Some(1));
            entry.count("prices_changed", changed);
            entry.count("prices_added", added);
            entry
        };
        journal.summarise(summary(0, 0));
        journal.summarise(summary(30, 0));
        assert_eq!(noted(journal.take_noted()), []);
        journal.summarise(summary(7, 3));
        let told = json!([
            { "field": "prices_added", "from": null, "to": 3 },
            { "field": "prices_changed", "from": null, "to": 37 },
        ]);
        assert_eq!(noted(journal), [(Action::PricesChanged, told)]);
    }

    #[test]
    fn what_is_put_back_has_not_changed() {
        let mut journal = Journal::default();
        let mut parts = entry(Action::Changed, json!({"name": "a"}), json!({"name": "a"}));
        parts.parts("role", vec![json!(1), json!(2)], vec![]);
        journal.note(parts);
        let mut parts = entry(Action::Changed, json!({}), json!({}));
        parts.parts("role", vec![], vec![json!(2), json!(3)]);
        journal.note(parts);
        assert_eq!(noted(journal), [(Action::Changed, json!([{"field": "role", "from": [1], "to": [3]}]))]);
    }

    #[test]
    fn a_price_is_told_with_what_it_is_for() {
        let price = |amount: &str, unit: &str| json!({ "price": amount, "price_quantity": "100", "price_unit": unit, "quantity": "3" });
        let told = |before: Json, after: Json| {
            let changes = entry(Action::Changed, before, after).changes().into_iter();
            changes.map(|change| (change.field, change.from, change.to)).collect::<Vec<_>>()
        };
        let of = |field: &str, from: &str, to: &str| (field.to_owned(), json!(from), json!(to));
        assert_eq!(
            told(price("92.5", "kg"), price("95", "kg")),
            [of("price", "92.5", "95"), of("price_quantity", "100", "100"), of("price_unit", "kg", "kg")]
        );
        assert_eq!(
            told(price("92.5", "kg"), price("92.5", "t")),
            [of("price", "92.5", "92.5"), of("price_quantity", "100", "100"), of("price_unit", "kg", "t")]
        );
        assert_eq!(told(price("92.5", "kg"), price("92.5", "kg")), []);
        // a quantity that is no price stays alone
        assert_eq!(
            told(json!({ "quantity": "3", "lead": 1 }), json!({ "quantity": "4", "lead": 1 })),
            [of("quantity", "3", "4")]
        );
    }

    #[test]
    fn a_field_that_comes_or_goes_has_nothing_on_the_other_side() {
        let mut journal = Journal::default();
        journal.note(entry(Action::Created, json!({}), json!({"name": "a"})));
        journal.note(entry(Action::Deleted, json!({"name": "a"}), json!({})));
        assert_eq!(
            noted(journal),
            [
                (Action::Created, json!([{"field": "name", "from": null, "to": "a"}])),
                (Action::Deleted, json!([{"field": "name", "from": "a", "to": null}])),
            ]
        );
    }
}
