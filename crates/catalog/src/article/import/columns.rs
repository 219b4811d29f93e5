//! Columns of an article file and the values that a row has in them.

use imports::cells::{CLEAR, CLEAR_ENGLISH, CellChange, Line, content, decode_literal, referred};
use sheets::{
    Cell, RowFault,
    header::{Column, Heading, Headings, Layout, Title, UnitKind},
    visible,
};
use values::{
    Decimal, Language, Message, Phrase, Unit, UnitCategory, reader::QuantityReading, unit::convert,
};

use super::{
    other_numbers::{DRAWING, FREE, GTIN, KINDS, NumbersColumn},
    vocabulary::Vocabulary,
};
use crate::{
    attribute::AttributeType,
    blueprint::{Blueprint, BlueprintAttribute},
    codes,
    material::Material,
    value::Value,
};

pub(super) static TYPE: Heading = Heading {
    de: "Artikeltyp",
    en: "Article type",
    synonyms: &["Typ", "Type"],
    help: Some(Phrase { de: "Nur bei neuen Artikeln nötig", en: "Needed for new articles only" }),
};
pub(super) static NUMBER: Heading = Heading {
    de: "Artikelnummer",
    en: "Article number",
    synonyms: &["Art.-Nr.", "Artikel-Nr.", "Artikel Nr", "Art. No.", "Article no"],
    help: Some(Phrase {
        de: "Ohne Angabe bildet sie die Vorlage des Artikeltyps",
        en: "Without it the template of the article type makes it",
    }),
};
pub(super) static NAME: Heading = Heading {
    de: "Bezeichnung",
    en: "Article name",
    synonyms: &["Artikelbezeichnung", "Artikelname", "Benennung", "Name", "Description"],
    help: Some(Phrase {
        de: "Ohne Angabe bildet sie die Vorlage des Artikeltyps",
        en: "Without it the template of the article type makes it",
    }),
};
pub(super) static MATERIAL: Heading = Heading {
    de: "Werkstoff",
    en: "Material",
    synonyms: &["W.-Nr.", "Werkstoffnummer", "Werkstoff-Nr.", "Güte", "Material number", "Grade"],
    help: Some(Phrase { de: "Name oder Werkstoffnummer", en: "Name or material number" }),
};
pub(super) static WEIGHT: Heading = Heading {
    de: "Gewicht",
    en: "Weight",
    synonyms: &["Gewicht je Basiseinheit", "Metergewicht", "Masse", "weight_per_base_unit", "Mass"],
    help: Some(Phrase {
        de: "In kg je Basiseinheit, oder mit Einheit wie „Gewicht [kg/m]“",
        en: "In kg per base unit, or with a unit as in “Weight [kg/m]”",
    }),
};

pub(super) const HEADINGS: Headings = Headings {
    all: &[&TYPE, &NUMBER, &NAME, &MATERIAL, &WEIGHT, &GTIN, &DRAWING, &FREE],
    required: &[&[&TYPE, &NUMBER]],
    together: &[],
    unread: &[],
    units: &[&[(&WEIGHT, UnitKind::Other)]],
};

/// Columns of an article file.
pub(super) struct Columns {
    r#type: Option<usize>,
    number: Option<usize>,
    name: Option<usize>,
    material: Option<usize>,
    weight: Option<(usize, WeightUnit)>,
    attributes: Vec<AttributeColumn>,
    other_numbers: Vec<NumbersColumn>,
    /// Indexes of columns without a name, which must be empty.
    nameless: Vec<usize>,
}

struct AttributeColumn {
    index: usize,
    attribute: i64,
    /// Unit of a metric attribute; without it numbers are in the attribute's default unit.
    unit: Option<Unit>,
    is_number: bool,
}

/// Unit of the weight column: `kg`, or `kg/m`.
#[derive(Clone, Copy)]
struct WeightUnit {
    mass: Unit,
    /// Unit that the weight is per; without it, the base unit of the article type.
    per: Option<Unit>,
}

/// Values of a row.
#[derive(Default)]
pub(super) struct RowValues<'c> {
    pub number: CellChange<String>,
    pub name: CellChange<String>,
    pub material: CellChange<&'c Material>,
    pub weight: CellChange<Decimal>,
    pub values: Vec<(i64, Value)>,
}

impl Columns {
    /// Reads a header; returns everything that is wrong with it otherwise.
    pub(super) fn read(
        header: &[Title],
        language: Language,
        vocabulary: &Vocabulary,
    ) -> Result<Self, Vec<Message>> {
        let layout =
            Layout::read(&HEADINGS, header, language, |name, unit| vocabulary.column_named(name, unit))?;
        let mut problems = Vec::new();
        let mut attributes = Vec::new();
        for (index, column) in layout.columns.iter().enumerate() {
            if let Column::Further { id, unit } = column {
                match attribute_column(index, *id, unit.as_deref(), vocabulary) {
                    Ok(column) => attributes.push(column),
                    Err(problem) => problems.push(column_message(header, index, problem)),
                }
            }
        }
        let weight = layout.measured(&WEIGHT).map(|(index, unit)| (index, weight_unit(unit)));
        let weight = match weight {
            Some((index, Ok(unit))) => Some((index, unit)),
            Some((index, Err(problem))) => {
                problems.push(column_message(header, index, problem));
                None
            }
            None => None,
        };
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Self {
            r#type: layout.position(&TYPE),
            number: layout.position(&NUMBER),
            name: layout.position(&NAME),
            material: layout.position(&MATERIAL),
            weight,
            attributes,
            other_numbers: KINDS
                .into_iter()
                .filter_map(|(kind, heading)| Some(NumbersColumn { kind, index: layout.position(heading)? }))
                .collect(),
            nameless: layout.nameless().collect(),
        })
    }

    /// Indexes of columns that are read as numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        let metric = self.attributes.iter().filter(|column| column.is_number).map(|column| column.index);
        metric.chain(self.weight.map(|(index, _)| index))
    }

    /// Finds the article type that a row names, if it names one.
    pub(super) fn blueprint<'c>(
        &self,
        line: Line<'_>,
        vocabulary: &'c Vocabulary,
    ) -> Result<Option<&'c Blueprint>, RowFault> {
        match self.r#type.map_or("", |index| line.text(index)) {
            "" => Ok(None),
            CLEAR | CLEAR_ENGLISH => Err(self.type_fault(codes::NOT_CLEARABLE)),
            name => {
                let blueprint = referred(decode_literal(name), |name| vocabulary.blueprint_named(name));
                blueprint.map(Some).map_err(|message| self.type_fault(message))
            }
        }
    }

    /// Finds the material that a row names; reports unreadable values.
    pub(super) fn material<'c>(
        &self,
        line: Line<'_>,
        vocabulary: &'c Vocabulary,
        faults: &mut Vec<RowFault>,
    ) -> CellChange<&'c Material> {
        let Some(index) = self.material else { return CellChange::Keep };
        line.read_change(index, faults, |cell| Ok(named_material(cell, vocabulary)?.0))
    }

    /// Warnings about the material of a valid row.
    pub(super) fn warnings(&self, line: Line<'_>, vocabulary: &Vocabulary) -> Vec<RowFault> {
        let Some(index) = self.material else { return Vec::new() };
        let note = match line.read_change(index, &mut Vec::new(), |cell| named_material(cell, vocabulary)) {
            CellChange::Set((_, note)) => note,
            CellChange::Keep | CellChange::Clear => None,
        };
        note.map(|note| RowFault::in_cell(index, note)).into_iter().collect()
    }

    /// Returns the article number in a row, if there is one.
    pub(super) fn number<'r>(&self, line: Line<'r>) -> Result<Option<&'r str>, RowFault> {
        line.name(self.number)
    }

    /// Columns with other numbers.
    pub(super) fn numbers_of_kinds(&self) -> &[NumbersColumn] {
        &self.other_numbers
    }

    pub(super) fn number_column(&self) -> Option<usize> {
        self.number
    }

    /// Reads the values of a row for an article of this type; returns those that are readable, and the errors
    /// of the others.
    pub(super) fn read_row<'c>(
        &self,
        line: Line<'_>,
        blueprint: &Blueprint,
        vocabulary: &'c Vocabulary,
    ) -> (RowValues<'c>, Vec<RowFault>) {
        let mut values = RowValues::default();
        let mut faults = Vec::new();
        if let Ok(Some(number)) = self.number(line) {
            values.number = CellChange::Set(visible(number).into_owned());
        }
        if let Some(index) = self.name {
            values.name = line.read_change(index, &mut faults, |cell| Ok(content(cell).to_owned()));
        }
        values.material = self.material(line, vocabulary, &mut faults);
        if let Some((index, unit)) = self.weight {
            values.weight = line.read_change(index, &mut faults, |cell| {
                unit.per_base_unit(line.number(cell)?, blueprint.article_type.base_unit_of_measure)
            });
        }
        for column in &self.attributes {
            let value =
                line.read_change(column.index, &mut faults, |cell| column.value(cell, blueprint, line));
            match value {
                CellChange::Set(value) => values.values.push((column.attribute, value)),
                CellChange::Clear => faults.push(RowFault::in_cell(column.index, codes::NOT_CLEARABLE)),
                CellChange::Keep => {}
            }
        }
        faults.extend(line.nameless(&self.nameless));
        (values, faults)
    }

    pub(super) fn type_fault(&self, message: impl Into<Message>) -> RowFault {
        RowFault { column: self.r#type, message: message.into() }
    }

    /// Returns the error of a row that names no type, which is allowed only for existing articles.
    pub(super) fn typeless(&self, line: Line<'_>) -> RowFault {
        match (self.r#type, self.number) {
            (None, Some(index)) => RowFault::in_cell(
                index,
                match line.text(index) {
                    "" | CLEAR | CLEAR_ENGLISH => codes::REQUIRED.into(),
                    number => codes::UNKNOWN_NAME.with("value", number),
                },
            ),
            _ => self.type_fault(codes::REQUIRED),
        }
    }

    /// Finds the column for a path that a violation names.
    pub(super) fn column_of(&self, path: &str) -> Option<usize> {
        match path {
            "article_number" => self.number,
            "article_name" => self.name,
            "material_id" => self.material,
            "weight_per_base_unit" => self.weight.map(|(index, _)| index),
            path => {
                let attribute: i64 = path.strip_prefix("values.")?.split('.').next()?.parse().ok()?;
                self.attributes.iter().find(|column| column.attribute == attribute).map(|column| column.index)
            }
        }
    }
}

impl AttributeColumn {
    fn value(&self, cell: &Cell, blueprint: &Blueprint, line: Line<'_>) -> Result<Value, Message> {
        let attribute = blueprint.attribute(self.attribute).ok_or(codes::FOREIGN_ATTRIBUTE)?;
        match attribute.r#type {
            AttributeType::Categorial => referred(content(cell), |name| attribute.option_named(name)),
            AttributeType::Metric => {
                let QuantityReading { amount, unit } =
                    line.quantity(cell, attribute.default_unit.map(Unit::category))?;
                attribute.measure(amount.value, unit.or(self.unit))
            }
            AttributeType::Custom => attribute.text(content(cell).to_owned()),
        }
    }
}

impl WeightUnit {
    /// Converts a weight in this unit to kg per base unit.
    fn per_base_unit(self, weight: Decimal, base_unit: Unit) -> Result<Decimal, Message> {
        let out_of_range = || codes::INVALID_DECIMAL.with("before", 12).with("after", 6);
        let kilograms = convert(weight, self.mass, Unit::Kilogram).ok_or_else(out_of_range)?;
        let Some(per) = self.per else { return Ok(kilograms) };
        if per.category() != base_unit.category() {
            let possible_units = base_unit.category().units();
            return Err(Message::from(codes::WRONG_UNIT_CATEGORY)
                .unit("unit", per)
                .units("known", possible_units));
        }
        // One base unit is `units` of the column's units and weighs that many times the given weight.
        convert(Decimal::ONE, base_unit, per)
            .and_then(|units| kilograms.times(units))
            .ok_or_else(out_of_range)
    }
}

fn named_material<'c>(
    cell: &Cell,
    vocabulary: &'c Vocabulary,
) -> Result<(&'c Material, Option<Message>), Message> {
    referred(content(cell), |name| vocabulary.material_named(name))
}

fn attribute_column(
    index: usize,
    attribute: i64,
    unit: Option<&str>,
    vocabulary: &Vocabulary,
) -> Result<AttributeColumn, Message> {
    let definition: Option<&BlueprintAttribute> =
        vocabulary.blueprints().iter().find_map(|blueprint| blueprint.attribute(attribute));
    let is_number = definition.is_some_and(|definition| definition.r#type == AttributeType::Metric);
    let unit = match (unit, definition.and_then(|definition| definition.unit_category)) {
        (Some(unit), Some(category)) => Some(Unit::parse_in(unit, category)?),
        _ => None,
    };
    Ok(AttributeColumn { index, attribute, unit, is_number })
}

fn weight_unit(unit: Option<&str>) -> Result<WeightUnit, Message> {
    let Some(unit) = unit else { return Ok(WeightUnit { mass: Unit::Kilogram, per: None }) };
    let (mass, per) = unit.split_once('/').map_or((unit, None), |(mass, per)| (mass, Some(per)));
    let unknown = |per: &str| codes::UNKNOWN_UNIT.with("unit", per).with("known", "kg, kg/m, kg/m², kg/St");
    Ok(WeightUnit {
        mass: Unit::parse_in(mass.trim(), UnitCategory::Mass)?,
        per: per.map(|per| Unit::parse(per.trim()).ok_or_else(|| unknown(per))).transpose()?,
    })
}

/// Wraps an error of a column together with its name.
fn column_message(header: &[Title], index: usize, problem: Message) -> Message {
    let name = header.get(index).map(|title| title.name.trim()).unwrap_or_default();
    codes::COLUMN_REFUSED.with("column", name).message("reason", problem)
}
