//! Records of the steel catalogue, with computed weights.

use catalog::{
    attribute::{AttributeInput, AttributeType, OptionInput},
    material::MaterialInput,
    processing::{ProcessingInput, ProcessingType},
    trade_dimension::{ClusterInput, TradeDimensionInput},
    weight::Section,
};
use values::{Decimal, Unit, UnitCategory};

use super::{
    assortment::{ANGLES, HEA, HEB, IPE, MATERIALS, SHEET_FORMATS, TRADE_DIMENSIONS, UPE, UPN},
    kinds::{FINISH, LENGTH},
};

/// Name, name for buyers, and the end of the numbers of processed pieces.
const PROCESSINGS: &[(&str, &str, &str)] = &[("Sägen gerade", "Auf Länge gesägt (90°)", "-S{schnittlaenge}")];

pub(super) fn processings() -> impl Iterator<Item = ProcessingInput> {
    PROCESSINGS.iter().map(|&(name, display_name, template)| ProcessingInput {
        name: name.to_owned(),
        display_name: Some(display_name.to_owned()),
        r#type: ProcessingType::Sawing,
        article_number_addition_template: template.to_owned(),
        version: None,
    })
}

pub(super) fn materials() -> impl Iterator<Item = MaterialInput> {
    MATERIALS.iter().map(|&(name, display_name, article_number_name, number, density)| {
        let other = |text: &str| (text != name).then(|| text.to_owned());
        MaterialInput {
            name: name.to_owned(),
            display_name: other(display_name),
            article_number_name: other(article_number_name),
            material_number: Some(number.to_owned()),
            density: Some(decimal(density)),
            change_articles: None,
            version: None,
        }
    })
}

pub(super) fn trade_dimensions() -> impl Iterator<Item = TradeDimensionInput> {
    TRADE_DIMENSIONS.iter().map(|&(name, ladder)| {
        let clusters = ladder.iter().map(|&(short_code, minimum, maximum, calculation_value)| ClusterInput {
            short_code: short_code.to_owned(),
            minimum: minimum.map(decimal),
            maximum: maximum.map(decimal),
            calculation_value: Some(decimal(calculation_value)),
        });
        TradeDimensionInput { name: name.to_owned(), clusters: clusters.collect(), version: None }
    })
}

/// Attributes in the order of the screens.
pub(super) fn attributes() -> Vec<AttributeInput> {
    let beams = |name: &str, beams: &[(&str, &str)]| {
        let options = beams.iter().map(|(height, dimensions)| option(height, height, beam(dimensions)));
        choice(name, options.collect())
    };
    let channels = UPE.iter().map(|(height, dimensions)| option(height, height, channel(dimensions)));
    let tapered = UPN.iter().map(|(height, weight)| option(height, height, Some(decimal(weight))));
    let angles = ANGLES.iter().map(|(dimensions, radius)| {
        let [leg, thickness] = numbers(dimensions);
        let section = Section::Angle { height: leg, width: leg, thickness, radius: decimal(radius) };
        option(dimensions, &spaced(dimensions), kg_per_metre(section, "S235JR"))
    });
    let formats = SHEET_FORMATS.iter().map(|format| option(format, &spaced(format), None));
    let metric = |name: &str| length(name, Unit::Millimetre);
    let derived = |name: &str| AttributeInput { primary: false, ..metric(name) };
    let text = AttributeInput { r#type: AttributeType::Custom, primary: false, ..metric("Norm") };
    vec![
        choice("Format", formats.collect()),
        beams("IPE-Profil", IPE),
        beams("HEA-Profil", HEA),
        beams("HEB-Profil", HEB),
        choice("UPE-Profil", channels.collect()),
        choice("UPN-Profil", tapered.collect()),
        choice("Winkelprofil", angles.collect()),
        metric("Höhe"),
        metric("Breite"),
        metric("Dicke"),
        metric("Stegdicke"),
        derived("Flanschdicke"),
        derived("Wurzelradius"),
        metric("Wanddicke"),
        metric("Durchmesser"),
        metric("Außendurchmesser"),
        metric("Kantenlänge"),
        metric("Schlüsselweite"),
        metric("Blechdicke"),
        choice(
            FINISH,
            vec![
                option("WG", "warmgewalzt", None),
                option("H9", "blank h9", None),
                option("H11", "blank h11", None),
            ],
        ),
        choice("Herstellart", vec![option("GE", "geschweißt", None), option("NL", "nahtlos", None)]),
        length(LENGTH, Unit::Metre),
        AttributeInput { unit_category: None, default_unit: None, ..text },
    ]
}

fn length(name: &str, unit: Unit) -> AttributeInput {
    AttributeInput {
        name: name.to_owned(),
        r#type: AttributeType::Metric,
        primary: true,
        unit_category: Some(UnitCategory::Length),
        default_unit: Some(unit),
        options: Vec::new(),
        weight_per_base_unit: None,
        change_articles: None,
        version: None,
    }
}

fn choice(name: &str, options: Vec<OptionInput>) -> AttributeInput {
    AttributeInput {
        name: name.to_owned(),
        r#type: AttributeType::Categorial,
        primary: true,
        unit_category: None,
        default_unit: None,
        options,
        weight_per_base_unit: None,
        change_articles: None,
        version: None,
    }
}

fn option(value: &str, name: &str, weight_per_base_unit: Option<Decimal>) -> OptionInput {
    OptionInput {
        id: None,
        name: name.to_owned(),
        value: value.to_owned(),
        display_value: None,
        weight_per_base_unit,
    }
}

fn spaced(size: &str) -> String {
    size.replace('x', " x ")
}

fn beam(dimensions: &str) -> Option<Decimal> {
    let [height, width, web, flange, radius] = numbers(dimensions);
    kg_per_metre(Section::Beam { height, width, web, flange, radius }, "S235JR")
}

fn channel(dimensions: &str) -> Option<Decimal> {
    let [height, width, web, flange, radius] = numbers(dimensions);
    kg_per_metre(Section::Channel { height, width, web, flange, radius }, "S235JR")
}

/// Weight as printed and invoiced: with three significant digits.
fn kg_per_metre(section: Section, material: &str) -> Option<Decimal> {
    let weight = section.kg_per_metre(density(material))?;
    let places = [1, 10, 100].iter().filter(|bound| weight < Decimal::from(**bound)).count();
    Some(weight.rounded(u32::try_from(places).ok()?))
}

fn density(material: &str) -> Decimal {
    let row = MATERIALS.iter().find(|(name, ..)| *name == material);
    row.map_or(Decimal::ZERO, |(.., density)| decimal(density))
}

fn numbers<const N: usize>(dimensions: &str) -> [Decimal; N] {
    let numbers: Vec<_> = dimensions.split('x').map(decimal).collect();
    numbers.try_into().expect("as many dimensions as the section has")
}

fn decimal(text: &str) -> Decimal {
    text.parse().expect("a number of the assortment")
}
