//! Import of shipping nodes. A row identifies a node by its name. Empty cells leave values unchanged, and the
//! rules are those of the form.

use std::collections::HashSet;

use imports::{
    cells::{CellChange, Line, content, referred},
    columns::Template,
    import_type::ImportType,
    importer::{FileColumns, Importer, KeyOf},
    revert::reversible::{RestoredRecord, Reversible},
};
use lists::Detailed;
use sea_orm::{ActiveValue::Set, ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use sheets::{
    RowFault,
    header::{Headings, Title},
    visible,
};
use store::{Database, Keyed, Scope, Write};
use values::{Decimal, Language, Message, Result, fold};

use self::{
    headings::{FIELDS, HEADINGS},
    warehouses::{NamedWarehouses, WarehouseKey},
};
use super::{
    ActiveModel, Column, Draft, ShippingNode, ShippingNodeDetail, ShippingNodeInput, ShippingNodes,
    closure::{self, NodeClosures},
};
use crate::{
    calendar::region::Region,
    codes,
    shipping::import_columns::ImportColumns,
    template::{self, text},
};

mod headings;
#[cfg(test)]
mod tests;
mod warehouses;

impl Keyed for ShippingNodes {
    const KEY: &'static [Column] = &[Column::NameFold];
}

/// Number of decimal places of coordinates.
const PLACES: usize = 6;

/// Positions of the columns of a running import, and the warehouses that the rows of its batch name.
pub struct ShippingNodeImporter {
    columns: ImportColumns<7>,
    warehouses: NamedWarehouses,
}

impl FileColumns for ShippingNodeImporter {
    const TYPE: ImportType = ImportType::ShippingNode;
    const HEADINGS: &'static Headings = &HEADINGS;

    async fn prepare(
        _: &Database,
        _: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let columns = ImportColumns::read(Self::HEADINGS, &FIELDS, header, language);
        Ok(columns.map(|columns| Self { columns, warehouses: NamedWarehouses::default() }))
    }

    async fn template(db: &Database, scope: &Scope, language: Language) -> Result<Template> {
        let nodes = scope.find::<ShippingNodes>().order_by_asc(Column::Id).limit(template::EXAMPLES);
        let nodes = ShippingNodes::detailed(db, scope, nodes.all(db).await?).await?;
        let mut examples: Vec<_> = nodes
            .into_iter()
            .map(|ShippingNodeDetail { node, warehouse, .. }| {
                (ShippingNodeInput::from(node), warehouse.map(|warehouse| warehouse.short_code))
            })
            .collect();
        if examples.is_empty() {
            examples.push((possible_node(), None));
        }
        let rows = examples.into_iter().map(|(node, warehouse)| {
            let region = node.region.map(|region| region.name(language));
            vec![
                text(&node.name),
                node.address.as_deref().map(text).unwrap_or_default(),
                node.latitude.into(),
                node.longitude.into(),
                yes_no(node.active, language).into(),
                warehouse.as_deref().map(text).unwrap_or_default(),
                region.into(),
            ]
        });
        Ok(Template::new(&FIELDS.each_ref().map(|(heading, _)| *heading), language, rows.collect()))
    }

    fn numbers(&self) -> Vec<usize> {
        let [_, _, latitude, longitude, ..] = self.columns.positions;
        [latitude, longitude].into_iter().flatten().collect()
    }

    fn key_column(&self) -> Option<usize> {
        self.columns.positions[0]
    }
}

impl Importer for ShippingNodeImporter {
    type Record = ShippingNodes;
    type Aim = ();
    type Staging = ();
    type UnderReview = ();
    type Parts = ();

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        let [name, _, _, _, _, warehouse, _] = self.columns.positions;
        let node_and_code = |line: &Line<'_>| {
            let code = line.name(warehouse).ok().flatten()?;
            Some((line.name(name).ok().flatten().unwrap_or_default().to_owned(), code.to_owned()))
        };
        self.warehouses = NamedWarehouses::load(tx, scope, lines.iter().filter_map(node_and_code)).await?;
        Ok(())
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        match line.name(self.key_column()) {
            Ok(Some(name)) => Ok(KeyOf::from_name(name)),
            Ok(None) => Err(vec![RowFault { column: self.key_column(), message: codes::REQUIRED.into() }]),
            Err(fault) => Err(vec![fault]),
        }
    }

    fn draft(&self, line: Line<'_>, existing: Option<&ShippingNode>) -> Result<ActiveModel, Vec<RowFault>> {
        let mut faults = self.columns.nameless(line);
        let [name, address, latitude, longitude, active, warehouse, region] = self.columns.positions;
        let mut input = existing.cloned().map_or_else(new_node, ShippingNodeInput::from);
        // The spelling of an existing node stays.
        if existing.is_none() {
            let node_name = line.name(name).unwrap_or_default().unwrap_or_default();
            input.name = visible(node_name).into_owned();
        }
        let text = |cell| Ok(visible(content(cell)).into_owned());
        input.address = line.read_optional(address, &mut faults, text).over(input.address);
        let mut degrees =
            |column| line.read_optional(column, &mut faults, |cell| line.number_to(cell, PLACES));
        input.latitude = degrees(latitude).over(input.latitude);
        input.longitude = degrees(longitude).over(input.longitude);
        match line.read_optional(active, &mut faults, |cell| read_yes_no(content(cell))) {
            CellChange::Keep => {}
            CellChange::Set(is_active) => input.active = is_active,
            CellChange::Clear => {
                faults.push(RowFault { column: active, message: codes::NOT_CLEARABLE.into() });
            }
        }
        let parse_region = |cell| read_region(content(cell));
        input.region = line.read_optional(region, &mut faults, parse_region).over(input.region);
        let find = |cell| referred(content(cell), |code| self.warehouses.find(code, existing));
        let current_warehouse = existing.and_then(WarehouseKey::at);
        let warehouse = line.read_optional(warehouse, &mut faults, find).over(current_warehouse);
        let Draft { row, violations, .. } = Draft::new(input.into());
        if faults.is_empty() && violations.is_empty() {
            return Ok(with_warehouse(row, warehouse));
        }
        Err(self.columns.faults(faults, violations))
    }
}

/// Sets the warehouse of a row, which is locked until the transaction ends.
fn with_warehouse(mut row: ActiveModel, warehouse: Option<WarehouseKey>) -> ActiveModel {
    row.warehouse_tenant_id = Set(warehouse.map(|warehouse| warehouse.tenant_id));
    row.warehouse_id = Set(warehouse.map(|warehouse| warehouse.id));
    row
}

impl Reversible for ShippingNodeImporter {
    async fn drafts(
        tx: &Write,
        scope: &Scope,
        former: &[RestoredRecord<Self>],
    ) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
        let ids = former.iter().filter_map(|former| former.was.warehouse_id);
        let warehouses = NamedWarehouses::load_by_id(tx, scope, ids).await?;
        let drafts = former.iter().map(|RestoredRecord { was, .. }| {
            let Draft { row, violations, .. } = Draft::new(ShippingNodeInput::from(was.clone()).into());
            let mut wrong = violations.into_messages();
            match warehouses.restore(was) {
                Ok(warehouse) if wrong.is_empty() => return Ok(with_warehouse(row, warehouse)),
                Ok(_) => {}
                Err(message) => wrong.push(message),
            }
            Err(wrong)
        });
        Ok(drafts.collect())
    }

    /// Nodes with closures are not deleted, because the closures would be deleted too.
    async fn with_unrecorded_content(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<HashSet<i64>> {
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

/// Example of a node for the template, if there is none yet.
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
        _ => Err(codes::NOT_YES_NO.with("value", text)),
    }
}

/// Finds a region by its name in either language, or by its code.
fn read_region(text: &str) -> Result<Region, Message> {
    let folded = fold(text);
    let has_name = |region: &&Region| {
        let names = [Language::De, Language::En].map(|language| region.name(language));
        names.iter().chain([&region.as_str()]).any(|name| fold(name) == folded)
    };
    let region = Region::ALL.iter().find(has_name).copied();
    region.ok_or_else(|| codes::UNKNOWN_NAME.with("value", text))
}
