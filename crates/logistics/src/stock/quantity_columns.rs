//! Columns of a stock's quantity side: availability, quantity with its unit, lead time.

use imports::cells::{CellChange, Line};
use sheets::{
    Cell, RowFault,
    header::{Heading, Layout, UnitKind, WithUnit},
    number::PLACES,
    visible,
};
use values::{
    Decimal, Message, Minutes, Phrase, Unit, duration::minutes_of_unit, fold, reader::BasisReading,
};

use super::{Availability, Dimensions, StockDraft};
use crate::codes;

/// Heading of the kind of availability.
pub static AVAILABILITY: Heading = Heading {
    de: "Verfügbarkeit",
    en: "Availability",
    synonyms: &["Availability type", "Verfügbarkeitsart"],
    help: Some(Phrase {
        de: "Menge, immer oder api; ohne Angabe zählt die Menge",
        en: "quantity, always or api; without it the quantity counts",
    }),
};
/// Heading of the quantity, which may contain its unit.
pub static QUANTITY: Heading = Heading {
    de: "Menge",
    en: "Quantity",
    synonyms: &[
        "Bestand",
        "Lagerbestand",
        "Stock",
        "Qty",
        "Frei verwendbar",
        "Freier Bestand",
        "Bestandsmenge",
        "Lagermenge",
        "Istbestand",
        "Unrestricted",
    ],
    help: None,
};
/// Heading of the quantity's unit; the article's base unit if empty.
pub static QUANTITY_UNIT: Heading = Heading {
    de: "Mengeneinheit",
    en: "Quantity unit",
    synonyms: &[
        "Einheit",
        "ME",
        "Unit",
        "BME",
        "Basismengeneinheit",
        "Mengeneinh.",
        "Einh.",
        "Lagereinheit",
        "UoM",
    ],
    help: Some(Phrase {
        de: "Ohne Angabe die Basiseinheit des Artikels",
        en: "Without it the base unit of the article",
    }),
};
/// Heading of the lead time; in working days unless heading or cell has another unit.
pub static LEAD_TIME: Heading = Heading {
    de: "Lieferzeit",
    en: "Lead time",
    synonyms: &["Lieferfrist", "Delivery time"],
    help: Some(Phrase {
        de: "In Arbeitstagen; auch 2 Wochen oder 48h",
        en: "In working days; 2 weeks or 48h as well",
    }),
};

/// Columns whose headings may contain a unit.
pub const QUANTITY_UNITS: &[WithUnit] = &[(&QUANTITY, UnitKind::Quantity), (&LEAD_TIME, UnitKind::Other)];

/// Positions of the columns of a stock's quantity side.
#[derive(Debug, Default)]
pub struct QuantityColumns {
    availability: Option<usize>,
    quantity: Option<usize>,
    quantity_unit: Option<usize>,
    /// Unit in the heading: `Menge [t]`.
    unit_of_column: Option<Unit>,
    lead_time: Option<usize>,
    /// Minutes per unit of the heading (`Lieferzeit [Std]`), for cells that contain only a number.
    lead_time_unit: Option<i64>,
}

/// Quantity side of an existing stock.
#[derive(Debug, Clone, Copy)]
pub struct QuantitySide {
    pub availability: Availability,
    pub quantity: Option<Decimal>,
    pub lead_time: Option<Minutes>,
}

impl QuantityColumns {
    /// Finds the columns in a layout; the error lists unknown units of headings.
    pub fn read(layout: &Layout) -> Result<Self, Vec<Message>> {
        let mut problems = Vec::new();
        let refused = |column: &Heading, reason: Message| {
            codes::COLUMN_REFUSED.with("column", layout.name(column)).message("reason", reason)
        };
        let unit_of_column = layout.measured(&QUANTITY).and_then(|(_, unit)| {
            let parsed_unit = Unit::parse(unit?);
            if parsed_unit.is_none() {
                let reason =
                    codes::UNKNOWN_UNIT.with("unit", unit?).units("known", Unit::ALL.iter().copied());
                problems.push(refused(&QUANTITY, reason));
            }
            parsed_unit
        });
        let lead_time_unit = match layout.measured(&LEAD_TIME) {
            Some((_, Some(unit))) => {
                let minutes = minutes_of_unit(unit);
                if minutes.is_none() {
                    let reason = codes::INVALID_PARAMETER.with("expected", "Tage, Wochen, Std, min");
                    problems.push(refused(&LEAD_TIME, reason));
                }
                minutes
            }
            _ => None,
        };
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Self {
            availability: layout.position(&AVAILABILITY),
            quantity: layout.position(&QUANTITY),
            quantity_unit: layout.position(&QUANTITY_UNIT),
            unit_of_column,
            lead_time: layout.position(&LEAD_TIME),
            lead_time_unit,
        })
    }

    /// Columns that contain numbers.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.quantity.into_iter()
    }

    /// Columns of the quantity and of its unit.
    pub fn quantity(&self) -> (Option<usize>, Option<usize>) {
        (self.quantity, self.quantity_unit)
    }

    /// Column of a field of the quantity side.
    pub fn column_of(&self, path: &str) -> Option<usize> {
        match path {
            "availability_type" => self.availability,
            "quantity" => self.quantity.or(self.availability),
            "quantity_unit" => self.quantity_unit.or(self.quantity),
            "lead_time" => self.lead_time,
            _ => None,
        }
    }

    /// Combines a row with the existing quantity side.
    pub fn draft(
        &self,
        line: Line<'_>,
        existing: Option<QuantitySide>,
        dimensions: Dimensions,
        faults: &mut Vec<RowFault>,
    ) -> StockDraft {
        let availability = line.read_optional(self.availability, faults, |cell| availability(cell.as_str()));
        let multiple =
            line.read_optional(self.quantity_unit, faults, |cell| unit_multiple(line, cell)).over(None);
        let unit = multiple.map(|(_, unit)| unit);
        let (mut quantity, of_cell) = quantity(line, self.quantity, unit.or(self.unit_of_column), faults);
        if let (CellChange::Set(count), Some((times, _)), None) = (&quantity, multiple, of_cell) {
            if let Some(product) = count.times(times) {
                quantity = CellChange::Set(product);
            } else {
                let message = codes::INVALID_DECIMAL.with("before", 12).with("after", 6);
                faults.push(RowFault { column: self.quantity, message });
            }
        }
        let lead_time = line.read_optional(self.lead_time, faults, |cell| self.lead_time(line, cell));
        if availability == CellChange::Clear {
            faults.push(RowFault { column: self.availability, message: codes::NOT_CLEARABLE.into() });
        }
        let has_quantity = matches!(quantity, CellChange::Set(_));
        let kind = match (&availability, existing) {
            (CellChange::Set(kind), _) => *kind,
            // A quantity implies the kind of availability.
            _ if has_quantity => Availability::Quantity,
            (_, Some(existing)) => existing.availability,
            (_, None) => Availability::Quantity,
        };
        let current_quantity =
            existing.and_then(|existing| existing.quantity).filter(|_| kind == Availability::Quantity);
        StockDraft {
            availability: kind,
            quantity_unit: of_cell.or(unit).or(self.unit_of_column).filter(|_| has_quantity),
            quantity: quantity.over(current_quantity),
            lead_time: lead_time.over(existing.and_then(|existing| existing.lead_time.map(Minutes::minutes))),
            dimensions,
        }
    }

    /// Notes that the unit of a row takes precedence over another one in the heading, and that a calculated
    /// quantity was rounded.
    pub fn notes(&self, line: Line<'_>) -> Vec<RowFault> {
        let quantity_column = self.quantity.filter(|index| !line.text(*index).is_empty());
        let row_unit = line.read_optional(self.quantity_unit, &mut Vec::new(), |cell| unit(cell.as_str()));
        let of_unit = unit_note(quantity_column, row_unit, self.unit_of_column);
        of_unit.into_iter().chain(line.rounding_note(quantity_column, PLACES)).collect()
    }

    /// Reads a lead time. A number without a unit is in the heading's unit, or in working days; otherwise the
    /// syntax is that of forms. Errors name the column's unit.
    fn lead_time(&self, line: Line<'_>, cell: &Cell) -> Result<i64, Message> {
        let code = if self.lead_time_unit == Some(1) {
            codes::INVALID_LEAD_MINUTES
        } else {
            codes::INVALID_LEAD_TIME
        };
        let lead_time = match (self.lead_time_unit, line.number(cell)) {
            (Some(unit), Ok(number)) => Minutes::from_count(number, unit),
            (None, Ok(days)) => Minutes::read_lead_time(&days.to_string()).ok(),
            (_, Err(_)) => Minutes::read_lead_time(cell.as_str()).ok(),
        };
        lead_time.map(Minutes::minutes).ok_or_else(|| code.into())
    }
}

/// Reads the quantity in a cell, and its unit if the cell names one: `12 St`, `12,1 m`. Rejects a unit that
/// contradicts that of the heading or of another column.
pub fn quantity(
    line: Line<'_>,
    column: Option<usize>,
    expected: Option<Unit>,
    faults: &mut Vec<RowFault>,
) -> (CellChange<Decimal>, Option<Unit>) {
    let parse = |cell: &Cell| {
        let reading = line.quantity(cell, None)?;
        match (reading.unit, expected) {
            (Some(unit), Some(other)) if unit != other => {
                Err(codes::CELL_UNIT_DIFFERS.with("text", cell.as_str().trim()).unit("value", other))
            }
            _ => Ok((reading.amount.value, reading.unit)),
        }
    };
    match line.read_optional(column, faults, parse) {
        CellChange::Set((quantity, unit)) => (CellChange::Set(quantity), unit),
        CellChange::Clear => (CellChange::Clear, None),
        CellChange::Keep => (CellChange::Keep, None),
    }
}

/// Notes that the unit of a row takes precedence over another one in the heading.
pub fn unit_note(
    column: Option<usize>,
    row_unit: CellChange<Unit>,
    of_heading: Option<Unit>,
) -> Option<RowFault> {
    let (CellChange::Set(used), Some(heading)) = (row_unit, of_heading) else { return None };
    let message = Message::from(codes::HEADING_OVERRULED).unit("value", used);
    column.filter(|_| used != heading).map(|column| RowFault::in_cell(column, message))
}

/// Reads a quantity of a unit: `kg`, `DTN` and `100kg`.
fn unit_multiple(line: Line<'_>, cell: &Cell) -> Result<(Decimal, Unit), Message> {
    match line.basis(cell) {
        Ok(BasisReading { quantity, unit: Some(unit) }) => {
            Ok((quantity.map_or(Decimal::ONE, |quantity| quantity.value), unit))
        }
        _ => unit(cell.as_str()).map(|unit| (Decimal::ONE, unit)),
    }
}

/// Reads a unit in a cell.
pub fn unit(text: &str) -> Result<Unit, Message> {
    Unit::parse(text)
        .ok_or_else(|| codes::UNKNOWN_UNIT.with("unit", text).units("known", Unit::ALL.iter().copied()))
}

fn availability(text: &str) -> Result<Availability, Message> {
    match fold(&visible(text.trim())).as_str() {
        "always" | "immer" | "immer verfugbar" | "always available" => Ok(Availability::Always),
        "quantity" | "menge" => Ok(Availability::Quantity),
        "external-api" | "api" | "externe api" | "external api" => Ok(Availability::ExternalApi),
        _ => Err(codes::INVALID_PARAMETER.with("expected", "immer, Menge, api")),
    }
}
