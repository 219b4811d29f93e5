//! Import of shipping legs. A row identifies a leg by its two nodes. Empty cells leave values unchanged, and
//! the rules are those of the form. One cell has all departures of a leg, another one its exceptions.

use std::collections::HashMap;

use imports::{
    cells::{CellChange, Line, content, referred},
    columns::Template,
    import_type::ImportType,
    importer::{FileColumns, Importer, Key, KeyOf, KeyPart},
    revert::reversible::{RestoredRecord, Reversible},
};
use lists::Detailed;
use sea_orm::{QueryOrder, QuerySelect};
use sheets::{
    Cell, RowFault,
    header::{Headings, Title},
    visible,
};
use store::{Database, Keyed, Scope, Write};
use values::{Language, Message, Minutes, Result, Weekday, fold};

use self::headings::{FIELDS, HEADINGS};
use super::{
    ActiveModel, Column, Draft, ShippingLeg, ShippingLegInput, ShippingLegs,
    departure_text::{clock_time, format_departures, format_exceptions, read_departures, read_exceptions},
    timetable::{Departure, DepartureInput, ExceptionInput},
};
use crate::{
    codes,
    shipping::{
        import_columns::ImportColumns,
        node::{
            entity::{Column as NodeColumn, Entity as ShippingNodes},
            name::{NodeName, lock_nodes, lock_nodes_by_name},
        },
    },
    template::{self, text},
};

mod headings;
#[cfg(test)]
mod tests;

impl Keyed for ShippingLegs {
    const KEY: &'static [Column] = &[Column::SendingNodeId, Column::ReceivingNodeId];
}

/// Positions of the columns of a running import, and the nodes that the rows of its batch name.
pub struct ShippingLegImporter {
    columns: ImportColumns<9>,
    /// Nodes by their folded names.
    nodes: HashMap<String, NodeName>,
}

impl FileColumns for ShippingLegImporter {
    const TYPE: ImportType = ImportType::ShippingLeg;
    const HEADINGS: &'static Headings = &HEADINGS;

    async fn prepare(
        _: &Database,
        _: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let columns = ImportColumns::read(Self::HEADINGS, &FIELDS, header, language);
        Ok(columns.map(|columns| Self { columns, nodes: HashMap::new() }))
    }

    async fn template(db: &Database, scope: &Scope, language: Language) -> Result<Template> {
        let legs = scope.find::<ShippingLegs>().order_by_asc(Column::Id).limit(template::EXAMPLES);
        let legs = ShippingLegs::detailed(db, scope, legs.all(db).await?).await?;
        let mut examples: Vec<_> = legs
            .into_iter()
            .map(|leg| ([leg.sending_node.name, leg.receiving_node.name], ShippingLegInput::from(leg.leg)))
            .collect();
        if examples.is_empty() {
            // An example between the first two nodes, if there are two.
            let nodes = scope.find::<ShippingNodes>().order_by_asc(NodeColumn::Id).limit(2);
            let names: Vec<_> = nodes.all(db).await?.into_iter().map(|node| node.name).collect();
            examples.extend(<[String; 2]>::try_from(names).ok().map(|names| (names, possible_leg())));
        }
        let duration =
            |minutes| Minutes::from_minutes(minutes).unwrap_or_default().to_string().as_str().into();
        let rows = examples.into_iter().map(|([sender, receiver], leg)| {
            let Draft { row, .. } = Draft::new(leg.clone().into());
            let departures = row.departures.try_as_ref().map_or(&[][..], |departures| &departures.0);
            let exceptions = row.exceptions.try_as_ref().map_or(&[][..], |exceptions| &exceptions.0);
            vec![
                text(&sender),
                text(&receiver),
                duration(leg.preparation_duration),
                duration(leg.loading_duration),
                duration(leg.travel_duration),
                duration(leg.unloading_duration),
                leg.order_time.as_deref().into(),
                format_departures(departures, language).as_str().into(),
                format_exceptions(exceptions, language).as_str().into(),
            ]
        });
        Ok(Template::new(&FIELDS.each_ref().map(|(heading, _)| *heading), language, rows.collect()))
    }

    fn key_column(&self) -> Option<usize> {
        self.columns.positions[1]
    }
}

impl Importer for ShippingLegImporter {
    type Record = ShippingLegs;
    type Aim = ();
    type Staging = ();
    type UnderReview = ();
    type Parts = ();

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        let [sender, receiver, ..] = self.columns.positions;
        let cells = lines.iter().flat_map(|line| {
            [sender, receiver].into_iter().filter_map(|column| line.name(column).ok().flatten())
        });
        let names = cells.flat_map(|name| [fold(name), fold(&visible(name))]);
        self.nodes = lock_nodes_by_name(tx, scope, names).await?;
        Ok(())
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        let (sender, receiver, faults) = self.ends(line);
        match (sender, receiver) {
            (Some(sender), Some(receiver)) => {
                Ok(KeyOf::exactly(Key([sender.id, receiver.id].map(KeyPart::Id).to_vec())))
            }
            _ => Err(faults),
        }
    }

    fn draft(&self, line: Line<'_>, existing: Option<&ShippingLeg>) -> Result<ActiveModel, Vec<RowFault>> {
        let (sender, receiver, mut faults) = self.ends(line);
        faults.extend(self.columns.nameless(line));
        let [_, _, preparation, loading, travel, unloading, order_time, departures, exceptions] =
            self.columns.positions;
        let mut input = existing.cloned().map_or_else(new_leg, ShippingLegInput::from);
        input.sending_node_id = sender.map_or(0, |node| node.id);
        input.receiving_node_id = receiver.map_or(-1, |node| node.id);
        for (column, minutes) in [
            (preparation, &mut input.preparation_duration),
            (loading, &mut input.loading_duration),
            (travel, &mut input.travel_duration),
            (unloading, &mut input.unloading_duration),
        ] {
            let parse_minutes = |cell| Minutes::read(content(cell)).map_err(Message::from);
            match line.read_optional(column, &mut faults, parse_minutes) {
                CellChange::Keep => {}
                CellChange::Set(duration) => *minutes = duration.minutes(),
                CellChange::Clear => *minutes = 0,
            }
        }
        let time = |cell: &Cell| {
            let time = clock_time(content(cell)).ok_or(codes::INVALID_CLOCK_TIME)?;
            Ok(time.to_string())
        };
        input.order_time = line.read_optional(order_time, &mut faults, time).over(input.order_time);
        let parse_departures = |cell| Ok(inputs_of_departures(&read_departures(content(cell))?));
        match line.read_optional(departures, &mut faults, parse_departures) {
            CellChange::Keep => {}
            CellChange::Set(departures) => input.departures = departures,
            CellChange::Clear => input.departures.clear(),
        }
        let parse_exceptions =
            |cell| Ok(read_exceptions(content(cell))?.into_iter().map(ExceptionInput::from).collect());
        match line.read_optional(exceptions, &mut faults, parse_exceptions) {
            CellChange::Keep => {}
            CellChange::Set(exceptions) => input.exceptions = exceptions,
            CellChange::Clear => input.exceptions.clear(),
        }
        let draft = Draft::new(input.into());
        if let (true, true, Some(sender), Some(receiver)) =
            (faults.is_empty(), draft.violations.is_empty(), sender, receiver)
        {
            return Ok(draft.between(sender, receiver));
        }
        Err(self.columns.faults(faults, draft.violations))
    }
}

impl ShippingLegImporter {
    /// Finds the nodes that a row names; returns the faults of their names too.
    fn ends(&self, line: Line<'_>) -> (Option<&NodeName>, Option<&NodeName>, Vec<RowFault>) {
        let mut faults = Vec::new();
        let [sender, receiver, ..] = self.columns.positions;
        let mut node = |column| match line.name(column) {
            Ok(Some(name)) => {
                let find = |name: &str| {
                    self.nodes.get(&fold(name)).ok_or_else(|| codes::UNKNOWN_NAME.with("value", name))
                };
                referred(name, find).map_err(|message| faults.push(RowFault { column, message })).ok()
            }
            Ok(None) => {
                faults.push(RowFault { column, message: codes::REQUIRED.into() });
                None
            }
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        let (sender, receiver) = (node(sender), node(receiver));
        (sender, receiver, faults)
    }
}

impl Reversible for ShippingLegImporter {
    async fn drafts(
        tx: &Write,
        scope: &Scope,
        former: &[RestoredRecord<Self>],
    ) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
        let ends =
            former.iter().flat_map(|former| [former.was.sending_node_id, former.was.receiving_node_id]);
        let nodes = lock_nodes(tx, scope, ends).await?;
        let drafts = former.iter().map(|RestoredRecord { was, .. }| {
            let ends = nodes.get(&was.sending_node_id).zip(nodes.get(&was.receiving_node_id));
            let (sender, receiver) = ends.ok_or_else(|| vec![codes::UNKNOWN_REFERENCE.into()])?;
            let draft = Draft::new(ShippingLegInput::from(was.clone()).into());
            if draft.violations.is_empty() {
                Ok(draft.between(sender, receiver))
            } else {
                Err(draft.violations.into_messages())
            }
        });
        Ok(drafts.collect())
    }
}

impl From<ShippingLeg> for ShippingLegInput {
    fn from(leg: ShippingLeg) -> Self {
        Self {
            sending_node_id: leg.sending_node_id,
            receiving_node_id: leg.receiving_node_id,
            preparation_duration: leg.preparation_duration.minutes(),
            loading_duration: leg.loading_duration.minutes(),
            travel_duration: leg.travel_duration.minutes(),
            unloading_duration: leg.unloading_duration.minutes(),
            order_time: leg.order_time.map(|time| time.to_string()),
            departures: inputs_of_departures(&leg.departures.0),
            exceptions: leg.exceptions.0.into_iter().map(ExceptionInput::from).collect(),
            version: Some(leg.version),
        }
    }
}

fn inputs_of_departures(departures: &[Departure]) -> Vec<DepartureInput> {
    let input = |departure: &Departure| DepartureInput {
        weekday: departure.weekday,
        time: departure.time.to_string(),
    };
    departures.iter().map(input).collect()
}

fn new_leg() -> ShippingLegInput {
    ShippingLegInput {
        sending_node_id: 0,
        receiving_node_id: 0,
        preparation_duration: 0,
        loading_duration: 0,
        travel_duration: 0,
        unloading_duration: 0,
        order_time: None,
        departures: Vec::new(),
        exceptions: Vec::new(),
        version: None,
    }
}

/// Example of a leg for the template, if there is none yet.
fn possible_leg() -> ShippingLegInput {
    let departure = |weekday| DepartureInput { weekday, time: "06:00".to_owned() };
    ShippingLegInput {
        preparation_duration: 30,
        loading_duration: 60,
        travel_duration: 420,
        unloading_duration: 45,
        departures: [Weekday::Tuesday, Weekday::Friday].map(departure).to_vec(),
        ..new_leg()
    }
}
