//! Articles of the demo: the usual ones of a stockist, with computed weights.

use api::steel_catalogue::assortment::{
    ANGLES, COLD_HOLLOW, FLATS, HEA, HEB, HEXAGONS, HOT_HOLLOW, IPE, REBARS, ROUNDS, SHEETS, SQUARES,
    TEAR_PLATES, TEES, TUBES, U, UNEQUAL_ANGLES, UPE, UPN,
};
use catalog::{
    article::{self, Articles, Draft},
    attribute::AttributeType,
    blueprint::BlueprintAttribute,
    catalogue::Catalogue,
    value::{AttributeValues, Value},
};
use sea_orm::PaginatorTrait;
use store::{Database, Scope};
use values::{Error, Message, Result};

/// Article of the demo: a text for each attribute of its type.
struct Piece {
    kind: &'static str,
    material: &'static str,
    values: Vec<String>,
}

/// Creates the articles, unless there are some.
pub(super) async fn fill(db: &Database) -> Result<()> {
    let scope = Scope::platform();
    if scope.find::<Articles>().count(db).await? > 0 {
        return Ok(());
    }
    let (catalogue, version) = db.compiled_now::<Catalogue>().await?;
    let rows: Result<Vec<_>> = pieces().iter().map(|piece| piece.row(&catalogue)).collect();
    article::create_all(db, &scope, version, rows?).await
}

impl Piece {
    fn row(&self, catalogue: &Catalogue) -> Result<article::ActiveModel> {
        let unknown = |what: &str| Error::internal(format!("the demo does not know {what}"));
        let blueprint = catalogue.blueprint_named(self.kind).ok_or_else(|| unknown(self.kind))?;
        let material = catalogue.materials().iter().find(|material| material.name == self.material);
        let material = material.ok_or_else(|| unknown(self.material))?;
        let values = blueprint.attributes().iter().zip(&self.values);
        let values: Result<AttributeValues, Message> =
            values.map(|(attribute, text)| Ok((attribute.id, value(attribute, text)?))).collect();
        let draft = Draft { material_id: Some(material.id), values: values?, ..Draft::default() };
        Ok(draft.row(blueprint, Some(material))?)
    }
}

fn value(attribute: &BlueprintAttribute, text: &str) -> Result<Value, Message> {
    match attribute.r#type {
        AttributeType::Categorial => attribute.option_named(text),
        AttributeType::Metric => attribute.measure(text.parse().expect("a number of the assortment"), None),
        AttributeType::Custom => attribute.text(text.to_owned()),
    }
}

/// Articles in stock.
fn pieces() -> Vec<Piece> {
    let kinds = [
        beams(),
        channels(),
        flats(),
        bars(),
        angles(),
        small_sections(),
        rebars(),
        hollow_sections(),
        tubes(),
        sheets(),
        tear_plates(),
    ];
    kinds.into_iter().flatten().collect()
}

fn beams() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (kind, profiles) in [("IPE", IPE), ("HEA", HEA), ("HEB", HEB)] {
        for (height, _) in profiles {
            for (material, lengths) in
                [("S235JR", &["6.1", "12.1", "15.1", "18.1"][..]), ("S355J2", &["12.1", "15.1"])]
            {
                pieces.extend(lengths.iter().map(|length| piece(kind, material, &[height, length])));
            }
        }
    }
    pieces
}

fn channels() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (kind, profiles) in [("UPE", UPE), ("UPN", UPN)] {
        for (height, _) in profiles {
            pieces.extend(["6.1", "12.1"].map(|length| piece(kind, "S235JR", &[height, length])));
        }
    }
    pieces
}

fn flats() -> Vec<Piece> {
    let sizes = FLATS.split_whitespace();
    let materials = ["S235JR", "S355J2", "X5CrNi18-10"];
    sizes
        .flat_map(|size| materials.map(|material| piece("Flachstahl", material, &with(size, &["6"]))))
        .collect()
}

fn bars() -> Vec<Piece> {
    let rounds: &[_] = &[
        ("S235JR", "WG", "6"),
        ("S355J2", "WG", "6"),
        ("C45", "WG", "6"),
        ("C45", "H9", "3"),
        ("16MnCr5", "WG", "6"),
        ("42CrMo4", "WG", "6"),
        ("11SMn30", "H9", "3"),
        ("X5CrNi18-10", "H9", "3"),
        ("X6CrNiMoTi17-12-2", "H9", "3"),
    ];
    let squares: &[_] =
        &[("S235JR", "WG", "6"), ("C45", "H11", "3"), ("11SMn30", "H11", "3"), ("X5CrNi18-10", "H11", "3")];
    let hexagons: &[_] = &[("11SMn30", "H11", "3"), ("X8CrNiS18-9", "H11", "3"), ("C45", "H11", "3")];
    let mut pieces = Vec::new();
    for (kind, sizes, stocked) in [
        ("Rundstahl", ROUNDS, rounds),
        ("Vierkantstahl", SQUARES, squares),
        ("Sechskantstahl", HEXAGONS, hexagons),
    ] {
        for size in sizes.split_whitespace() {
            let of_size = |(material, finish, length): &(&'static str, &str, &str)| {
                piece(kind, material, &[size, finish, length])
            };
            pieces.extend(stocked.iter().map(of_size));
        }
    }
    pieces
}

fn angles() -> Vec<Piece> {
    let stocked = [("S235JR", "6"), ("S235JR", "12"), ("S355J2", "12")];
    let sizes = ANGLES.iter();
    sizes
        .flat_map(|(size, _)| {
            stocked.map(|(material, length)| piece("Winkelstahl", material, &[size, length]))
        })
        .collect()
}

/// Small sections with their derived values; all are bars of six metres.
fn small_sections() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (kind, sizes) in
        [("Winkelstahl ungleichschenklig", UNEQUAL_ANGLES), ("U-Profil", U), ("T-Profil", TEES)]
    {
        pieces.extend(sizes.split_whitespace().map(|size| piece(kind, "S235JR", &with(size, &["6"]))));
    }
    pieces
}

fn rebars() -> Vec<Piece> {
    let sizes = REBARS.split_whitespace();
    sizes
        .flat_map(|size| ["6", "12", "14"].map(|length| piece("Betonstahl", "B500B", &[size, length])))
        .collect()
}

fn hollow_sections() -> Vec<Piece> {
    let cold: &[_] = &[("S235JRH", "6"), ("S355J2H", "6"), ("S355J2H", "12")];
    let hot: &[_] = &[("S355J2H", "6"), ("S355J2H", "12")];
    let mut pieces = Vec::new();
    for (kind, sizes, stocked) in
        [("Hohlprofil kaltgefertigt", COLD_HOLLOW, cold), ("Hohlprofil warmgefertigt", HOT_HOLLOW, hot)]
    {
        for size in sizes.split_whitespace() {
            pieces.extend(
                stocked.iter().map(|(material, length)| piece(kind, material, &with(size, &[length]))),
            );
        }
    }
    pieces
}

fn tubes() -> Vec<Piece> {
    let stocked = [
        ("S235JRH", "GE", "EN 10219-1"),
        ("S355J2H", "NL", "EN 10210-1"),
        ("X5CrNi18-10", "GE", "EN 10217-7"),
        ("X6CrNiMoTi17-12-2", "NL", "EN 10216-5"),
    ];
    let sizes = TUBES.split_whitespace();
    sizes
        .flat_map(|size| {
            stocked.map(|(material, making, norm)| piece("Rohr", material, &with(size, &[making, "6", norm])))
        })
        .collect()
}

fn sheets() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (material, thicknesses, formats) in SHEETS {
        for thickness in thicknesses.split_whitespace() {
            pieces.extend(formats.iter().map(|format| piece("Blech", material, &[thickness, format])));
        }
    }
    pieces
}

fn tear_plates() -> Vec<Piece> {
    let formats = ["1000x2000", "1250x2500", "1500x3000"];
    let thicknesses = TEAR_PLATES.split_whitespace();
    thicknesses
        .flat_map(|thickness| formats.map(|format| piece("Tränenblech", "S235JR", &[thickness, format])))
        .collect()
}

fn piece(kind: &'static str, material: &'static str, values: &[&str]) -> Piece {
    Piece { kind, material, values: values.iter().map(ToString::to_string).collect() }
}

/// Splits a size into its dimensions and appends further values.
fn with<'a>(size: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    size.split('x').chain(rest.iter().copied()).collect()
}
