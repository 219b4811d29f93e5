//! Measures that options stand for: a format such as `1000x2000`, or a number such as `6 m`.

use values::{Decimal, Unit, unit::convert_exactly};

use super::AttributeOption;
use crate::shape::Dimension;

/// Reads the measures of an option, in the order of [`Dimension::measured`] and the base unit of the
/// dimension's category: from its text in article numbers, otherwise from its name. `None` unless one of them
/// consists of positive numbers, as many as the dimension has.
pub(crate) fn read_option(option: &AttributeOption, dimension: Dimension) -> Option<Vec<Decimal>> {
    read_text(&option.value, dimension).or_else(|| read_text(&option.name, dimension))
}

/// Reads numbers separated by `x`. A number without a unit has that of the last one, or else the category's
/// base unit.
fn read_text(text: &str, dimension: Dimension) -> Option<Vec<Decimal>> {
    let base = dimension.category().base();
    let parts: Vec<&str> = text.split(['x', 'X', '×', '*']).map(str::trim).collect();
    if parts.len() != dimension.measured().len() {
        return None;
    }
    let (_, last) = read_part(parts.last()?)?;
    let mut measures = Vec::with_capacity(parts.len());
    for part in parts {
        let (number, unit) = read_part(part)?;
        let measure = convert_exactly(number, unit.or(last).unwrap_or(base), base)?;
        measures.push(Some(measure).filter(|measure| *measure > Decimal::ZERO)?);
    }
    // The length of a format is its longer side.
    measures.sort_unstable_by(|one, other| other.cmp(one));
    Some(measures)
}

/// Reads a number with or without a unit. A single separator before exactly three digits might group
/// thousands and is rejected.
fn read_part(text: &str) -> Option<(Decimal, Option<Unit>)> {
    let end =
        text.find(|sign: char| !sign.is_ascii_digit() && sign != ',' && sign != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let unit = match unit.trim() {
        "" => None,
        unit => Some(Unit::parse(unit)?),
    };
    let number = match number.split_once([',', '.']) {
        None => number.to_owned(),
        Some((whole, fraction)) if fraction.len() == 3 && whole != "0" => return None,
        Some((whole, fraction)) => format!("{whole}.{fraction}"),
    };
    Some((number.parse().ok()?, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, dimension: Dimension) -> Option<String> {
        let measures = read_text(text, dimension)?;
        Some(measures.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn formats_lengths_areas_and_weights_are_read_from_options() {
        use Dimension::{Format, Length, PieceArea, PieceWeight};
        for (text, dimension, expected) in [
            ("1000x2000", Format, Some("2000 1000")),
            ("2000 x 1000", Format, Some("2000 1000")),
            ("1250 × 2500 mm", Format, Some("2500 1250")),
            ("1 m x 2,5 m", Format, Some("2500 1000")),
            ("1234.5x2345.6", Format, Some("2345.6 1234.5")),
            ("1000x2000x3", Format, None),
            ("1000", Format, None),
            ("GF", Format, None),
            ("0x2000", Format, None),
            // Ambiguous: thousands, or three decimals.
            ("1.000x2.000", Format, None),
            ("0.125", Length, Some("0.125")),
            ("6000", Length, Some("6000")),
            ("6 m", Length, Some("6000")),
            ("12,1 m", Length, Some("12100")),
            ("1000x2000", Length, None),
            ("6 kg", Length, None),
            ("4.5", PieceArea, Some("4.5")),
            ("450 dm2", PieceArea, Some("4.5")),
            ("1,5 t", PieceWeight, Some("1500")),
            ("250", PieceWeight, Some("250")),
        ] {
            assert_eq!(read(text, dimension).as_deref(), expected, "{text} as {dimension:?}");
        }
    }
}
