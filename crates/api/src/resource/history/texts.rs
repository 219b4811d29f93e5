//! Entries as text, for files: names of fields and values like on the record's own screen.

use std::collections::{HashMap, HashSet};

use http_api::{export::Labels, screen_texts};
use serde::Deserialize;
use serde_json::Value as Json;
use values::{Error, Language, Minutes, Money, Result, Unit};

use super::changes::ChangeView;
use crate::resource;

const GROUPS: [&str; 3] = ["all", "any", "not"];
/// Field names that differ in forms, and columns with a number as text, minutes or a unit; the list is the
/// frontend's own.
#[derive(Deserialize)]
struct Fields {
    forms: HashMap<String, String>,
    decimals: HashSet<String>,
    durations: HashSet<String>,
    units: HashSet<String>,
}

impl Fields {
    fn read() -> Result<Self> {
        let text = include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../frontend/src/features/shared/history/fields.json"
        ));
        serde_json::from_str(text).map_err(Error::internal)
    }
}

/// Texts for entries.
pub(in crate::resource) struct HistoryTexts {
    pub(in crate::resource) language: Language,
    own: Labels,
    pub(super) conditions: Labels,
    pub(super) why_price: Labels,
    screens: HashMap<&'static str, Labels>,
    fields: Fields,
}

impl HistoryTexts {
    pub(in crate::resource) fn new(language: Language) -> Result<Self> {
        let screens = resource::ALL
            .iter()
            .filter_map(|published| Some((published.resource.table(), published.texts?)))
            .map(|(table, texts)| Ok((table, Labels::new(texts, language)?)));
        let screens = screens.collect::<Result<_>>()?;
        let load_labels = |texts| Labels::new(texts, language);
        let (own, conditions, why_price) = (
            load_labels(screen_texts!("audit"))?,
            load_labels(screen_texts!("conditions"))?,
            load_labels(screen_texts!("whyPrice"))?,
        );
        Ok(Self { language, own, conditions, why_price, screens, fields: Fields::read()? })
    }

    /// Returns the name of a kind of records: from its own screen, or from the audit log's texts if it has
    /// none.
    pub(in crate::resource) fn record(&self, record: &str) -> String {
        let own = self.own.text(&["enums", "record", record]);
        let on_screen = self.screens.get(record).map(|labels| labels.text(&["title", "one"]));
        let texts = [own, on_screen.unwrap_or_default()];
        texts.into_iter().find(|text| !text.is_empty()).unwrap_or(record).to_owned()
    }

    /// Prints the changes of all fields: `Dichte: 7,85 → 7,9; Name: → S235`.
    pub(in crate::resource) fn changes(&self, record: &str, changes: &[ChangeView]) -> String {
        changes.iter().map(|change| self.change(record, change)).collect::<Vec<_>>().join("; ")
    }

    /// Returns the name of the changed field.
    pub(in crate::resource) fn name(
        &self,
        record: &str,
        ChangeView { field, of: reference, .. }: &ChangeView,
    ) -> String {
        let name = reference.as_ref().and_then(|reference| reference.name.clone());
        name.unwrap_or_else(|| self.field(record, field).to_owned())
    }

    fn change(&self, record: &str, change: &ChangeView) -> String {
        let ChangeView { field, unit, from, to, .. } = change;
        let name = self.name(record, change);
        let unit = unit.map(|unit| format!(" {}", unit.symbol(self.language))).unwrap_or_default();
        let value = |value: &Json| match self.value(record, field, value) {
            text if text.is_empty() => text,
            text => format!("{text}{unit}"),
        };
        if let (Json::Array(removed), Json::Array(added)) = (from, to) {
            let part =
                |sign: &'static str| move |part: &Json| format!("{sign}{}", self.value(record, field, part));
            let parts: Vec<_> = removed.iter().map(part("−")).chain(added.iter().map(part("+"))).collect();
            return format!("{name}: {}", parts.join(", "));
        }
        match from {
            Json::Null => format!("{name}: {}", value(to)),
            from if from == to => format!("{name}: {}", value(to)),
            from => format!("{name}: {} → {}", value(from), value(to)),
        }
    }

    /// Returns the name of a field on its screen.
    pub(in crate::resource) fn field<'t>(&'t self, record: &str, field: &'t str) -> &'t str {
        let form = self.fields.forms.get(field).map_or(field, String::as_str);
        let on_screen = self.screens.get(record).map(|labels| labels.text(&["fields", form]));
        let texts = [on_screen.unwrap_or_default(), self.own.text(&["columns", field])];
        texts.into_iter().find(|text| !text.is_empty()).unwrap_or(field)
    }

    pub(super) fn value(&self, record: &str, field: &str, value: &Json) -> String {
        match value {
            Json::Null => String::new(),
            Json::Bool(yes) => self.own.yes_no_text(*yes).to_owned(),
            Json::Number(number) => {
                let minutes = number.as_i64().filter(|_| self.fields.durations.contains(field));
                minutes
                    .and_then(Minutes::from_minutes)
                    .map_or_else(|| number.to_string(), |span| span.to_string())
            }
            Json::String(text) if self.fields.decimals.contains(field) && self.language == Language::De => {
                text.replace('.', ",")
            }
            Json::String(text) if self.fields.units.contains(field) => {
                let unit: Option<Unit> = serde_json::from_value(value.clone()).ok();
                unit.map_or(text.as_str(), |unit| unit.symbol(self.language)).to_owned()
            }
            Json::String(text) => {
                let on_screen = self.screens.get(record).map(|labels| labels.text(&["enums", field, text]));
                let texts = [on_screen.unwrap_or_default(), self.own.text(&["enums", field, text])];
                texts.into_iter().find(|name| !name.is_empty()).unwrap_or(text).to_owned()
            }
            Json::Array(parts) => {
                parts.iter().map(|part| self.value(record, field, part)).collect::<Vec<_>>().join(", ")
            }
            Json::Object(reference) if reference.contains_key("platform") => {
                match reference.get("name").and_then(Json::as_str) {
                    Some(name) => name.to_owned(),
                    None if reference["platform"] == true => self.own.text(&["platform"]).to_owned(),
                    None => format!("#{}", reference.get("id").unwrap_or(&Json::Null)),
                }
            }
            value if is_condition(value) => self.condition(value, false),
            Json::Object(part) if part.contains_key("time") => {
                // a departure, or an exception on a date
                let parts = ["weekday", "date", "time", "type"].into_iter();
                let parts = parts.filter_map(|name| Some(self.value(record, name, part.get(name)?)));
                parts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
            }
            Json::Object(part) => {
                if let Ok(money) = serde_json::from_value::<Money>(value.clone()) {
                    return money.text(self.language);
                }
                // the unit of a quantity break is printed behind its quantity
                let behind = |name: &str| match part.get("from_unit").filter(|_| name == "from") {
                    Some(unit) => format!(" {}", self.value(record, "quantity_unit", unit)),
                    None => String::new(),
                };
                let is_visible = |name: &str, part: &Json| {
                    !matches!(name, "id" | "position" | "from_unit")
                        && !part.is_null()
                        && part.as_array().is_none_or(|parts| !parts.is_empty())
                };
                let fields = part.iter().filter(|(name, part)| is_visible(name, part));
                let fields = fields.map(|(name, part)| {
                    format!("{} {}{}", self.field(record, name), self.value(record, name, part), behind(name))
                });
                fields.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// True if the value is a tree of conditions.
fn is_condition(value: &Json) -> bool {
    group_of(value).is_some() || (value["type"].is_string() && value["op"].is_string())
}

pub(super) fn group_of(value: &Json) -> Option<(&'static str, &[Json])> {
    GROUPS.iter().find_map(|group| Some((*group, value[group].as_array()?.as_slice())))
}
