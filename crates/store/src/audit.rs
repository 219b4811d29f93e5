//! History of changes: which record was changed, by which user and through which channel.
//!
//! [`Scope`](crate::Scope) notes every write of a record within its transaction, and the commit stores the
//! notes. So there is neither a change without its entry nor an entry without its change.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta};
use sea_orm::{EntityTrait, Value, sea_query::ValueType};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use values::{
    clock::Instant,
    id::{ExternalApiId, FeedId, TenantId, UserId},
};

/// Channel through which a change was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Signed in with a password.
    Session,
    /// Personal access token.
    Token(i64),
    /// Row of an uploaded file.
    Import(i64),
    /// Feed, which fetches files on a schedule.
    Feed(FeedId),
    /// External API whose lists are fetched on a schedule.
    ExternalApi(ExternalApiId),
    /// The program itself: start-up, command line, demo data.
    System,
}

impl Channel {
    pub const NAMES: &'static [&'static str] =
        &["session", "token", "import", "feed", "external_api", "system"];

    /// Name of the channel in the history.
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

    /// Id of the token, the import, the feed or the external API.
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

/// Id of a request, as its response states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestId(pub u128);

impl RequestId {
    /// Parses 32 hexadecimal digits; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let is_one = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u128::from_str_radix(text, 16).ok().filter(|_| is_one).map(Self)
    }

    /// Returns the id as 32 hexadecimal digits.
    pub fn text(self) -> String {
        format!("{:032x}", self.0)
    }

    /// Period in which the request can have written, from the time in its id; `None` if that time is out of
    /// range.
    pub fn span(self) -> Option<(Instant, Instant)> {
        let started_at = DateTime::from_timestamp_millis((self.0 >> 80).try_into().ok()?)?;
        // the clocks of several servers differ
        Some((started_at - TimeDelta::minutes(1), started_at + TimeDelta::minutes(10)))
    }
}

/// Undo in progress: the record is restored to its state before a history entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndoInProgress {
    /// Table and id of the record; the id is used again if the record is recreated.
    pub record: &'static str,
    pub record_id: i64,
    pub entry: i64,
}

macro_rules! actions {
    ($($name:ident $text:literal)*) => {
        /// Kind of change.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action { $($name),* }

        impl Action {
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            /// Name of the action in the history.
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

/// History entry: one change of one record.
#[derive(Debug, Clone)]
pub struct HistoryEntry {
    pub action: Action,
    /// Table, id and name of the record at the time of the change.
    pub record: &'static str,
    pub record_id: Option<i64>,
    pub name: Option<String>,
    /// Tenant that owns the record; `None` for a record of the platform.
    pub tenant: Option<TenantId>,
    pub user: Option<UserId>,
    pub channel: Channel,
    /// Network address of a sign-in.
    pub address: Option<String>,
    /// Request that made the change; entries of one request belong together.
    pub request: Option<RequestId>,
    /// History entry that this one undoes.
    pub undoes: Option<i64>,
    fields: BTreeMap<String, (Json, Json)>,
    parts: BTreeMap<&'static str, (Vec<Json>, Vec<Json>)>,
}

/// Change of a field; `null` if there was or is no value. For parts, both sides are lists: the removed and
/// the added parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub field: String,
    pub from: Json,
    pub to: Json,
}

impl HistoryEntry {
    /// Entry for an action, still without changed fields.
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

    /// Adds a detail that is not a change of a field.
    pub fn add_detail(&mut self, field: &str, value: impl Into<Json>) {
        self.fields.insert(field.to_owned(), (Json::Null, value.into()));
    }

    /// Adds a number to a summary; zero is left out.
    pub fn count(&mut self, field: &str, number: u64) {
        if number > 0 {
            let (_, counted) = self.fields.entry(field.to_owned()).or_insert((Json::Null, 0.into()));
            *counted = (counted.as_u64().unwrap_or_default() + number).into();
        }
    }

    /// Notes a field whose value is removed.
    pub fn note_removed(&mut self, field: &str, value: impl Into<Json>) {
        self.fields.insert(field.to_owned(), (value.into(), Json::Null));
    }

    /// Notes the fields before and after a write.
    pub(crate) fn fields(&mut self, before: &Fields, after: &Fields) {
        let nothing = Json::Null;
        for field in before.keys().chain(after.keys().filter(|field| !before.contains_key(*field))) {
            let (from, to) = (before.get(field).unwrap_or(&nothing), after.get(field).unwrap_or(&nothing));
            self.fields.entry(field.clone()).or_insert_with(|| (from.clone(), from.clone())).1 = to.clone();
        }
    }

    /// Removes the record's name and the given fields from the entry.
    pub(crate) fn remove_fields<'a>(&mut self, fields: impl Iterator<Item = &'a str>) {
        self.name = None;
        for field in fields {
            self.fields.remove(field);
        }
    }

    /// Notes removed and added parts.
    pub(crate) fn parts(&mut self, table: &'static str, removed: Vec<Json>, added: Vec<Json>) {
        let (before, after) = self.parts.entry(table).or_default();
        before.extend(removed);
        after.extend(added);
    }

    /// Returns the changes without fields that ended at their old value. Amount, quantity and unit of a price
    /// are reported together.
    pub fn changes(&self) -> Vec<Change> {
        let has_changed = |field: &str| self.fields.get(field).is_some_and(|(from, to)| from != to);
        let is_reported = |field: &str| {
            let of_price = price_columns(field);
            let is_whole = of_price.iter().all(|field| self.fields.contains_key(field));
            has_changed(field) || is_whole && of_price.iter().any(|field| has_changed(field))
        };
        let fields = self.fields.iter().filter(|(field, _)| is_reported(field));
        let fields = fields.map(|(field, (from, to))| Change {
            field: field.clone(),
            from: from.clone(),
            to: to.clone(),
        });
        let parts = self.parts.iter().filter_map(|(table, (all_removed, all_added))| {
            let mut added = all_added.clone();
            let mut removed = all_removed.clone();
            removed.retain(|part| match added.iter().position(|other| other == part) {
                Some(index) => {
                    added.remove(index);
                    false
                }
                None => true,
            });
            let changed = !removed.is_empty() || !added.is_empty();
            changed.then(|| Change { field: (*table).to_owned(), from: removed.into(), to: added.into() })
        });
        fields.chain(parts).collect()
    }
}

/// Names of the three columns of a price (amount, quantity, unit), derived from the name of any of them.
fn price_columns(field: &str) -> [String; 3] {
    let price =
        ["_quantity", "_unit"].into_iter().find_map(|suffix| field.strip_suffix(suffix)).unwrap_or(field);
    [price.to_owned(), format!("{price}_quantity"), format!("{price}_unit")]
}

/// Fields of a record as the history stores them.
pub type Fields = BTreeMap<String, Json>;

/// Converts the value of an id column.
pub fn id(value: Value) -> Option<i64> {
    <Option<i64> as ValueType>::try_from(value).ok().flatten()
}

/// Converts the value of a text column.
pub fn text(value: Value) -> Option<String> {
    <Option<String> as ValueType>::try_from(value).ok().flatten()
}

/// History entries that a transaction has noted and not stored yet.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    pub(crate) noted: Vec<HistoryEntry>,
    /// Summaries with numbers, one for each record and action; stored at the end of the transaction.
    pub(crate) summaries: Vec<HistoryEntry>,
}

impl Journal {
    /// Notes an entry, merged with an earlier one for the same record.
    pub(crate) fn note(&mut self, entry: HistoryEntry) {
        match self.find_earlier(&entry) {
            Some(earlier) => earlier.take_up(entry),
            None => self.noted.push(entry),
        }
    }

    /// Adds the numbers of a summary; one without numbers is ignored.
    pub(crate) fn summarise(&mut self, entry: HistoryEntry) {
        if entry.fields.is_empty() {
            return;
        }
        let key = |entry: &HistoryEntry| (entry.action, entry.record, entry.record_id);
        match self.summaries.iter_mut().find(|summary| key(summary) == key(&entry)) {
            Some(summary) => {
                for (field, (_, number)) in entry.fields {
                    summary.count(&field, number.as_u64().unwrap_or_default());
                }
            }
            None => self.summaries.push(entry),
        }
    }

    /// Takes the entries out and leaves the summaries.
    pub(crate) fn take_noted(&mut self) -> Self {
        Self { noted: std::mem::take(&mut self.noted), summaries: Vec::new() }
    }

    fn find_earlier(&mut self, entry: &HistoryEntry) -> Option<&mut HistoryEntry> {
        let follows = |earlier: &&mut HistoryEntry| {
            earlier.record == entry.record
                && earlier.record_id == entry.record_id
                && earlier.record_id.is_some()
                && match (earlier.action, entry.action) {
                    // the parts of a record are deleted before the record itself
                    (Action::Created, Action::Changed) | (Action::Changed, Action::Deleted) => true,
                    (action, next) => action == next,
                }
        };
        // search backwards: parts are noted soon after their record
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
        for (table, (removed, added)) in later.parts {
            self.parts(table, removed, added);
        }
    }
}

/// Name of the table.
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
    fn summaries_are_added_up_until_the_transaction_ends() {
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
        let totals = json!([
            { "field": "prices_added", "from": null, "to": 3 },
            { "field": "prices_changed", "from": null, "to": 37 },
        ]);
        assert_eq!(noted(journal), [(Action::PricesChanged, totals)]);
    }

    #[test]
    fn restored_values_are_not_reported_as_changed() {
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
    fn a_price_is_reported_with_its_quantity_and_unit() {
        let price = |amount: &str, unit: &str| json!({ "price": amount, "price_quantity": "100", "price_unit": unit, "quantity": "3" });
        let changes = |before: Json, after: Json| {
            let changes = entry(Action::Changed, before, after).changes().into_iter();
            changes.map(|change| (change.field, change.from, change.to)).collect::<Vec<_>>()
        };
        let field_change = |field: &str, from: &str, to: &str| (field.to_owned(), json!(from), json!(to));
        assert_eq!(
            changes(price("92.5", "kg"), price("95", "kg")),
            [
                field_change("price", "92.5", "95"),
                field_change("price_quantity", "100", "100"),
                field_change("price_unit", "kg", "kg")
            ]
        );
        assert_eq!(
            changes(price("92.5", "kg"), price("92.5", "t")),
            [
                field_change("price", "92.5", "92.5"),
                field_change("price_quantity", "100", "100"),
                field_change("price_unit", "kg", "t")
            ]
        );
        assert_eq!(changes(price("92.5", "kg"), price("92.5", "kg")), []);
        // a quantity that belongs to no price is reported alone
        assert_eq!(
            changes(json!({ "quantity": "3", "lead": 1 }), json!({ "quantity": "4", "lead": 1 })),
            [field_change("quantity", "3", "4")]
        );
    }

    #[test]
    fn an_added_or_removed_field_is_null_on_the_other_side() {
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
