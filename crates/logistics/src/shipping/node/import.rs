//! Shipping nodes from files: a row names a node by its name; empty cells leave what is there, and the rules are those of the form. The
//! warehouse at a node is not read: its short code is unique within its tenant only.

use std::collections::HashSet;

use imports::{
    cells::{Line, Wanted, all_faults, content},
    columns::Template,
    import_type::ImportType,
    importer::{Importer, KeyOf},
    revert::reversible::{Former, Reversible},
};
use kernel::{Code, Database, Decimal, Keyed, Language, Message, Phrase, Result, Scope, Write, fold};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use sheets::{
    RowFault,
    header::{Heading, Headings, Layout, Title},
    visible,
};

use super::{
    ActiveModel, Column, Draft, ShippingNode, ShippingNodeInput, ShippingNodes,
    closure::{self, NodeClosures},
};
use crate::{
    calendar::region::Region,
    template::{self, text},
};

#[cfg(test)]
mod tests;

impl Keyed for ShippingNodes {
    const KEY: &'static [Column] = &[Column::NameFold];
}

static NAME: Heading = Heading {
    de: "Name",
    en: "Name",
    synonyms: &["Versandknoten", "Shipping node", "Knoten", "Node", "Standort", "Depot"],
    help: None,
};
static ADDRESS: Heading =
    Heading { de: "Adresse", en: "Address", synonyms: &["Anschrift", "Postal address"], help: None };
static LATITUDE: Heading = Heading {
    de: "Breitengrad",
    en: "Latitude",
    synonyms: &["Breite", "Geografische Breite", "Lat"],
    help: Some(Phrase {
        de: "Grad nördlich des Äquators, zum Beispiel 48,316667; nur zusammen mit dem Längengrad",
        en: "Degrees north of the equator, for example 48.316667; only together with the longitude",
    }),
};
static LONGITUDE: Heading = Heading {
    de: "Längengrad",
    en: "Longitude",
    synonyms: &["Länge", "Geografische Länge", "Lon", "Lng"],
    help: Some(Phrase {
        de: "Grad östlich von Greenwich, zum Beispiel 14,316667; nur zusammen mit dem Breitengrad",
        en: "Degrees east of Greenwich, for example 14.316667; only together with the latitude",
    }),
};
static ACTIVE: Heading = Heading {
    de: "Aktiv",
    en: "Active",
    synonyms: &["Ist aktiv", "Is active", "Enabled"],
    help: Some(Phrase {
        de: "Ja oder Nein; ohne Angabe ist ein neuer Versandknoten aktiv",
        en: "Yes or No; a new shipping node is active if left empty",
    }),
};
static REGION: Heading = Heading {
    de: "Feiertage nach",
    en: "Holidays of",
    synonyms: &["Region", "Bundesland", "Feiertage", "Public holidays of"],
    help: Some(Phrase {
        de: "Das Bundesland oder Österreich, beim Namen oder als Kürzel wie DE-NW und AT",
        en: "The German state or Austria, by its name or as a code such as DE-NW and AT",
    }),
};
/// Columns of the list's export, so that what was exported can be imported.
static WAREHOUSE: Heading = Heading { de: "Lager", en: "Warehouse", synonyms: &[], help: None };
static CHANGED: Heading = Heading { de: "Geändert", en: "Changed", synonyms: &[], help: None };

const HEADINGS: Headings = Headings {
    known: &[&NAME, &ADDRESS, &LATITUDE, &LONGITUDE, &ACTIVE, &REGION, &WAREHOUSE, &CHANGED],
    required: &[&[&NAME]],
    units: &[],
    together: &[&[&LATITUDE, &LONGITUDE]],
    unread: &[&WAREHOUSE, &CHANGED],
};

/// The columns that are read, and the fields of the rules.
const FIELDS: [(&Heading, &str); 6] = [
    (&NAME, "name"),
    (&ADDRESS, "address"),
    (&LATITUDE, "latitude"),
    (&LONGITUDE, "longitude"),
    (&ACTIVE, "active"),
    (&REGION, "region"),
];

/// Decimal places of coordinates.
const PLACES: usize = 6;

/// The positions of the columns of a running import.
pub struct ShippingNodeImporter {
    columns: [Option<usize>; FIELDS.len()],
    nameless: Vec<usize>,
}

impl Importer for ShippingNodeImporter {
    const TYPE: ImportType = ImportType::ShippingNode;
    const HEADINGS: &'static Headings = &HEADINGS;
    type Record = ShippingNodes;
    type Held = ();
    type Parts = ();

    async fn prepare(
        _: &Database,
        _: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let layout = Layout::read(Self::HEADINGS, header, language, |_, _| None);
        Ok(layout.map(|layout| Self {
            columns: FIELDS.map(|(heading, _)| layout.position(heading)),
            nameless: layout.nameless().collect(),
        }))
    }

    async fn template(db: &Database, scope: &Scope, language: Language) -> Result<Template> {
        let nodes = scope.find::<ShippingNodes>().order_by_asc(Column::Id).limit(template::EXAMPLES);
        let mut nodes: Vec<_> = nodes.all(db).await?.into_iter().map(ShippingNodeInput::from).collect();
        if nodes.is_empty() {
            nodes.push(possible_node());
        }
        let rows = nodes.into_iter().map(|node| {
            let region = node.region.map(|region| region.name(language));
            vec![
                text(&node.name),
                node.address.as_deref().map(text).unwrap_or_default(),
                node.latitude.into(),
                node.longitude.into(),
                yes_no(node.active, language).into(),
                region.into(),
            ]
        });
        Ok(Template::of(&FIELDS.map(|(heading, _)| heading), language, rows.collect()))
    }

    fn numbers(&self) -> Vec<usize> {
        let [_, _, latitude, longitude, ..] = self.columns;
        [latitude, longitude].into_iter().flatten().collect()
    }

    /// A row refers to nothing.
    async fn resolve(&mut self, _: &Write, _: &Scope, _: &[Line<'_>]) -> Result<()> {
        Ok(())
    }

    fn key_column(&self) -> Option<usize> {
        self.columns[0]
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        match line.name(self.key_column()) {
            Ok(Some(name)) => Ok(KeyOf::named(name)),
            Ok(None) => Err(vec![RowFault { column: self.key_column(), message: Code::Required.into() }]),
            Err(fault) => Err(vec![fault]),
        }
    }

    fn draft(&self, line: Line<'_>, existing: Option<&ShippingNode>) -> Result<ActiveModel, Vec<RowFault>> {
        let mut faults: Vec<_> = line.nameless(&self.nameless).collect();
        let [name, address, latitude, longitude, active, region] = self.columns;
        let mut input = existing.cloned().map_or_else(new_node, ShippingNodeInput::from);
        // the spelling of a node that there is stays
        if existing.is_none() {
            let named = line.name(name).unwrap_or_default().unwrap_or_default();
            input.name = visible(named).into_owned();
        }
        let text = |cell| Ok(visible(content(cell)).into_owned());
        input.address = line.wanted_of(address, &mut faults, text).over(input.address);
        let mut degrees = |column| line.wanted_of(column, &mut faults, |cell| line.number_to(cell, PLACES));
        input.latitude = degrees(latitude).over(input.latitude);
        input.longitude = degrees(longitude).over(input.longitude);
        match line.wanted_of(active, &mut faults, |cell| read_yes_no(content(cell))) {
            Wanted::Keep => {}
            Wanted::Set(is_active) => input.active = is_active,
            Wanted::Clear => faults.push(RowFault { column: active, message: Code::NotClearable.into() }),
        }
        let known = |cell| read_region(content(cell));
        input.region = line.wanted_of(region, &mut faults, known).over(input.region);
        let Draft { row, violations, .. } = Draft::new(input.into());
        if faults.is_empty() && violations.is_empty() {
            return Ok(row);
        }
        let column_of = |path: &str| {
            let mut columns = FIELDS.iter().zip(self.columns);
            columns.find(|((_, field), _)| *field == path)?.1
        };
        Err(all_faults(faults, violations, column_of))
    }
}

impl Reversible for ShippingNodeImporter {
    async fn drafts(
        _: &Write,
        _: &Scope,
        former: &[Former<Self>],
    ) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
        let drafts = former.iter().map(|Former { was, .. }| {
            let Draft { row, violations, .. } = Draft::new(ShippingNodeInput::from(was.clone()).into());
            if violations.is_empty() { Ok(row) } else { Err(violations.into_messages()) }
        });
        Ok(drafts.collect())
    }

    /// Closures go with a node.
    async fn grown(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<HashSet<i64>> {
        let closures = scope.find::<NodeClosures>().select_only().column(closure::Column::ShippingNodeId);
        let closures = closures.filter(closure::Column::ShippingNodeId.is_in(ids.iter().copied()));
        Ok(closures.into_tuple::<i64>().all(tx).await?.into_iter().collect())
    }
}

impl From<ShippingNode> for ShippingNodeInput {
    fn from(node: ShippingNode) -> Self {
        let ShippingNode {
            name, address, latitude, longitude, active, warehouse_id, region, version, ..
        } = node;
        let version = Some(version);
        Self { name, address, latitude, longitude, active, warehouse_id, region, version }
    }
}

fn new_node() -> ShippingNodeInput {
    ShippingNodeInput {
        name: String::new(),
        address: None,
        latitude: None,
        longitude: None,
        active: true,
        warehouse_id: None,
        region: None,
        version: None,
    }
}

/// A node that a template shows where there is none yet.
fn possible_node() -> ShippingNodeInput {
    ShippingNodeInput {
        name: "Depot Linz".to_owned(),
        address: Some("Hafenstraße 61, 4020 Linz".to_owned()),
        latitude: Some(Decimal::from_millionths(48_316_667)),
        longitude: Some(Decimal::from_millionths(14_316_667)),
        region: Some(Region::Austria),
        ..new_node()
    }
}

fn yes_no(yes: bool, language: Language) -> &'static str {
    match (yes, language) {
        (true, Language::De) => "Ja",
        (true, Language::En) => "Yes",
        (false, Language::De) => "Nein",
        (false, Language::En) => "No",
    }
}

fn read_yes_no(text: &str) -> Result<bool, Message> {
    match &*fold(text) {
        "ja" | "j" | "yes" | "y" | "true" | "wahr" | "1" | "x" => Ok(true),
        "nein" | "n" | "no" | "false" | "falsch" | "0" => Ok(false),
        _ => Err(Code::NotYesNo.with("value", text)),
    }
}

/// A region by its name in either language, or by its code.
fn read_region(text: &str) -> Result<Region, Message> {
    let wanted = fold(text);
    let is_meant = |region: &&Region| {
        let names = [Language::De, Language::En].map(|language| region.name(language));
        names.iter().chain([&region.as_str()]).any(|name| fold(name) == wanted)
    };
    let found = Region::ALL.iter().find(is_meant).copied();
    found.ok_or_else(|| Code::UnknownName.with("value", text))
}
