//! Shapes of an article type's section and the dimensions that its attributes measure. Together with the
//! density of the material they give the weight and the quantities of an article.

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{
    Decimal, Message, Unit, UnitCategory,
    code::Word,
    unit::{convert, convert_exactly},
};

use crate::{
    codes,
    weight::{Forming, Section, sheet_kg_per_square_metre, tear_plate_kg_per_square_metre},
    words,
};

/// Shape of a section. Its weight is calculated from the nominal dimensions, with the radii of the standard.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum Shape {
    /// I and H sections with parallel flanges (EN 10365).
    Beam,
    /// Channels with parallel flanges (DIN 1026-2, EN 10365): UPE.
    Channel,
    /// Channels with tapered flanges (DIN 1026-1, EN 10365): UPN and small U.
    ChannelTapered,
    /// Tees (EN 10055).
    Tee,
    /// Flat bars (EN 10058).
    Flat,
    /// Square bars (EN 10059).
    Square,
    /// Round bars (EN 10060).
    Round,
    /// Ribbed reinforcing bars by their nominal diameter (EN 10080, DIN 488-2).
    Rebar,
    /// Hexagon bars (EN 10061).
    Hexagon,
    /// Angles with equal or unequal legs (EN 10056-1).
    Angle,
    /// Square and rectangular hollow sections, hot finished (EN 10210-2).
    HollowHot,
    /// Square and rectangular hollow sections, cold formed (EN 10219-2).
    HollowCold,
    Tube,
    Sheet,
    /// Chequered plate with a pattern of tears (DIN 59220, EN 10363); the thickness excludes the tears.
    TearPlate,
}

/// Dimension of an article that an attribute measures.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(24))", rename_all = "snake_case")]
pub enum Dimension {
    /// Length of a piece. An article type with it is sold by length.
    Length,
    Width,
    Height,
    /// Thickness of a flat, a sheet or an angle's legs, or wall of a tube or hollow section.
    Thickness,
    WebThickness,
    FlangeThickness,
    /// Radius of a root: between web and flange, or between an angle's legs.
    Radius,
    Diameter,
    /// Side of a square.
    Side,
    AcrossFlats,
    /// Length and width of a piece in one option, as `1000x2000`; the larger one is the length.
    Format,
    /// Area of a piece whose length and width are not given separately.
    PieceArea,
    /// Weight of a piece for which no other dimension gives a size.
    PieceWeight,
}

impl Dimension {
    /// Translatable name of the dimension.
    pub fn word(self) -> Word {
        match self {
            Self::Length => words::LENGTH,
            Self::Width => words::WIDTH,
            Self::Height => words::HEIGHT,
            Self::Thickness => words::THICKNESS,
            Self::WebThickness => words::WEB_THICKNESS,
            Self::FlangeThickness => words::FLANGE_THICKNESS,
            Self::Radius => words::RADIUS,
            Self::Diameter => words::DIAMETER,
            Self::Side => words::SIDE,
            Self::AcrossFlats => words::ACROSS_FLATS,
            Self::Format => words::FORMAT,
            Self::PieceArea => words::PIECE_AREA,
            Self::PieceWeight => words::PIECE_WEIGHT,
        }
    }

    /// Category of its measures, which are stored in the category's base unit: millimetres, m² or kg.
    pub fn category(self) -> UnitCategory {
        match self {
            Self::PieceArea => UnitCategory::Area,
            Self::PieceWeight => UnitCategory::Mass,
            _ => UnitCategory::Length,
        }
    }

    /// Dimensions that an attribute with this meaning gives; a format gives two.
    pub(crate) fn measured(self) -> &'static [Self] {
        match self {
            Self::Length => &[Self::Length],
            Self::Width => &[Self::Width],
            Self::Height => &[Self::Height],
            Self::Thickness => &[Self::Thickness],
            Self::WebThickness => &[Self::WebThickness],
            Self::FlangeThickness => &[Self::FlangeThickness],
            Self::Radius => &[Self::Radius],
            Self::Diameter => &[Self::Diameter],
            Self::Side => &[Self::Side],
            Self::AcrossFlats => &[Self::AcrossFlats],
            Self::Format => &[Self::Length, Self::Width],
            Self::PieceArea => &[Self::PieceArea],
            Self::PieceWeight => &[Self::PieceWeight],
        }
    }
}

/// Checks that a measure is not negative and, for all dimensions except a radius, not zero.
pub(crate) fn check(dimension: Option<Dimension>, measure: Decimal) -> Result<(), Message> {
    match dimension {
        None | Some(Dimension::Radius) if measure < Decimal::ZERO => Err(codes::TOO_SMALL.with("min", 0)),
        None | Some(Dimension::Radius) => Ok(()),
        Some(_) if measure <= Decimal::ZERO => Err(codes::NOT_GREATER.with("bound", 0)),
        Some(_) => Ok(()),
    }
}

impl Shape {
    /// Dimensions without which there is no weight. The radius of beams, channels and angles is optional and
    /// then zero; those of tapered channels and tees follow from their thickness.
    pub fn needs(self) -> &'static [Dimension] {
        use Dimension::{
            AcrossFlats, Diameter, FlangeThickness, Height, Side, Thickness, WebThickness, Width,
        };
        match self {
            Self::Beam | Self::Channel | Self::ChannelTapered => {
                &[Height, Width, WebThickness, FlangeThickness]
            }
            Self::Flat => &[Width, Thickness],
            Self::Square => &[Side],
            Self::Round | Self::Rebar => &[Diameter],
            Self::Hexagon => &[AcrossFlats],
            Self::Tee | Self::Angle | Self::HollowHot | Self::HollowCold => &[Height, Width, Thickness],
            Self::Tube => &[Diameter, Thickness],
            Self::Sheet | Self::TearPlate => &[Thickness],
        }
    }

    /// Category of the extent: bars have a length, sheets and plates an area.
    pub fn extends_in(self) -> UnitCategory {
        if matches!(self, Self::Sheet | Self::TearPlate) { UnitCategory::Area } else { UnitCategory::Length }
    }

    /// Weight in kg per metre of a bar or per square metre of a sheet; `None` if a dimension is missing or
    /// impossible.
    fn weight(self, size: impl Fn(Dimension) -> Option<Decimal>, density: Decimal) -> Option<Decimal> {
        use Dimension::{
            AcrossFlats, Diameter, FlangeThickness, Height, Radius, Side, Thickness, WebThickness, Width,
        };
        let radius = || size(Radius).unwrap_or(Decimal::ZERO);
        let hollow = |forming| {
            Some(Section::Hollow {
                height: size(Height)?,
                width: size(Width)?,
                wall: size(Thickness)?,
                forming,
            })
        };
        let section = match self {
            Self::Beam => Section::Beam {
                height: size(Height)?,
                width: size(Width)?,
                web: size(WebThickness)?,
                flange: size(FlangeThickness)?,
                radius: radius(),
            },
            Self::Channel => Section::Channel {
                height: size(Height)?,
                width: size(Width)?,
                web: size(WebThickness)?,
                flange: size(FlangeThickness)?,
                radius: radius(),
            },
            Self::ChannelTapered => Section::ChannelTapered {
                height: size(Height)?,
                width: size(Width)?,
                web: size(WebThickness)?,
                flange: size(FlangeThickness)?,
            },
            Self::Tee => {
                Section::Tee { height: size(Height)?, width: size(Width)?, thickness: size(Thickness)? }
            }
            Self::Flat => Section::Flat { width: size(Width)?, thickness: size(Thickness)? },
            Self::Square => Section::Square { side: size(Side)? },
            Self::Round | Self::Rebar => Section::Round { diameter: size(Diameter)? },
            Self::Hexagon => Section::Hexagon { across_flats: size(AcrossFlats)? },
            Self::Angle => Section::Angle {
                height: size(Height)?,
                width: size(Width)?,
                thickness: size(Thickness)?,
                radius: radius(),
            },
            Self::HollowHot => hollow(Forming::Hot)?,
            Self::HollowCold => hollow(Forming::Cold)?,
            Self::Tube => Section::Tube { diameter: size(Diameter)?, wall: size(Thickness)? },
            Self::Sheet => return sheet_kg_per_square_metre(size(Thickness)?, density),
            Self::TearPlate => return tear_plate_kg_per_square_metre(size(Thickness)?, density),
        };
        section.kg_per_metre(density)
    }

    /// Weight in kg per `base` unit of an article with these dimensions in millimetres; `None` if they or the
    /// unit do not give one. Per piece it is that of one piece.
    pub fn weight_per(
        self,
        base: Unit,
        size: impl Fn(Dimension) -> Option<Decimal>,
        density: Option<Decimal>,
    ) -> Option<Decimal> {
        if base.category() == UnitCategory::Mass {
            return convert(Decimal::ONE, base, Unit::Kilogram);
        }
        let density = density?;
        if base.category() == UnitCategory::Volume {
            return convert(Decimal::ONE, base, UnitCategory::Volume.base())?.times(density);
        }
        let extent = self.extends_in();
        let in_extent = match base.category() {
            UnitCategory::Pieces => {
                let (extent_of_piece, unit) = piece(extent, &size)?;
                convert(extent_of_piece, unit, extent.base())?
            }
            category if category == extent => base.in_base_units(),
            _ => return None,
        };
        let (weighed, per) = (self.weight(&size, density)?, weighed_per(extent));
        // The weight is per metre or square metre, an extent in millimetres or square metres.
        let weight = weighed.scaled(in_extent.millionths(), per.in_base_units().millionths());
        weight.filter(|weight| *weight > Decimal::ZERO)
    }
}

fn weighed_per(extent: UnitCategory) -> Unit {
    if extent == UnitCategory::Area { Unit::SquareMetre } else { Unit::Metre }
}

/// Extent of one piece: its length in metres, or its area in square metres if that has at most six places,
/// otherwise in square millimetres.
pub fn piece(extent: UnitCategory, size: impl Fn(Dimension) -> Option<Decimal>) -> Option<(Decimal, Unit)> {
    let extent = match extent {
        UnitCategory::Length => {
            (convert(size(Dimension::Length)?, Unit::Millimetre, Unit::Metre)?, Unit::Metre)
        }
        UnitCategory::Area => match size(Dimension::Length).zip(size(Dimension::Width)) {
            Some((length, width)) => area(length, width)?,
            None => (size(Dimension::PieceArea)?, Unit::SquareMetre),
        },
        _ => return None,
    };
    Some(extent).filter(|(size, _)| *size > Decimal::ZERO)
}

/// Area of a rectangle with sides in millimetres.
fn area(length: Decimal, width: Decimal) -> Option<(Decimal, Unit)> {
    let millimetres = length.times(width)?;
    let metres = convert_exactly(millimetres, Unit::SquareMillimetre, Unit::SquareMetre);
    Some(metres.map_or((millimetres, Unit::SquareMillimetre), |metres| (metres, Unit::SquareMetre)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    /// Parses dimensions such as `"height 200, width 200"`.
    fn dimensions(text: &str) -> impl Fn(Dimension) -> Option<Decimal> {
        let sizes: Vec<(Dimension, Decimal)> = text
            .split(", ")
            .filter_map(|one| one.split_once(' '))
            .map(|(name, value)| (serde_json::from_value(name.into()).unwrap(), decimal(value)))
            .collect();
        move |dimension| sizes.iter().find(|(name, _)| *name == dimension).map(|(_, value)| *value)
    }

    #[test]
    fn weights_follow_from_shape_dimensions_density_and_base_unit() {
        use Shape::{
            Angle, Beam, Channel, ChannelTapered, Flat, Hexagon, HollowCold, HollowHot, Rebar, Round, Sheet,
            Square, TearPlate, Tee, Tube,
        };
        let heb200 = "height 200, width 200, web_thickness 9, flange_thickness 15, radius 18, length 12100";
        for (shape, measures, base, density, expected) in [
            (Beam, heb200, "m", "7.85", Some("61.29")),
            (Beam, heb200, "mm", "7.85", Some("0.06")),
            (Beam, heb200, "piece", "7.85", Some("741.65")),
            (
                Channel,
                "height 200, width 80, web_thickness 6, flange_thickness 11, radius 13",
                "m",
                "7.85",
                Some("22.77"),
            ),
            (
                ChannelTapered,
                "height 200, width 75, web_thickness 8.5, flange_thickness 11.5",
                "m",
                "7.85",
                Some("25.27"),
            ),
            (Tee, "height 60, width 60, thickness 7", "m", "7.85", Some("6.24")),
            (Rebar, "diameter 12", "m", "7.85", Some("0.89")),
            (Rebar, "diameter 12, length 6000", "piece", "7.85", Some("5.33")),
            (TearPlate, "thickness 4", "m2", "7.85", Some("33.40")),
            (TearPlate, "thickness 4", "m2", "7.9", Some("33.61")),
            (TearPlate, "thickness 4, length 2000, width 1000", "piece", "7.85", Some("66.80")),
            (Angle, "height 100, width 50, thickness 6, radius 8", "m", "7.85", Some("6.84")),
            (Flat, "width 50, thickness 10", "m", "7.85", Some("3.93")),
            (Flat, "width 50, thickness 10", "m", "8", Some("4.00")),
            (Square, "side 20", "m", "7.85", Some("3.14")),
            (Round, "diameter 20", "m", "7.85", Some("2.47")),
            (Hexagon, "across_flats 24", "m", "7.85", Some("3.92")),
            (Angle, "height 50, width 50, thickness 5, radius 7", "m", "7.85", Some("3.77")),
            (HollowCold, "height 100, width 100, thickness 5", "m", "7.85", Some("14.41")),
            (HollowHot, "height 100, width 100, thickness 5", "m", "7.85", Some("14.70")),
            (Tube, "diameter 60.3, thickness 3.6", "m", "7.85", Some("5.03")),
            (Sheet, "thickness 3", "m2", "7.85", Some("23.55")),
            (Sheet, "thickness 3, length 2000, width 1000", "piece", "7.85", Some("47.10")),
            (Flat, "width 50, thickness 10", "kg", "7.85", Some("1.00")),
            (Flat, "width 50, thickness 10", "t", "7.85", Some("1000.00")),
            (Flat, "width 50, thickness 10", "l", "7.85", Some("7.85")),
            // Dimensions, density or a fitting unit are missing.
            (Flat, "width 50", "m", "7.85", None),
            (Flat, "width 50, thickness 10", "m2", "7.85", None),
            (Flat, "width 50, thickness 10", "piece", "7.85", None),
            (Sheet, "thickness 3", "m", "7.85", None),
            (Sheet, "thickness 3, length 2000", "piece", "7.85", None),
            (TearPlate, "thickness 3", "m", "7.85", None),
            (Tube, "diameter 10, thickness 5", "m", "7.85", None),
        ] {
            let base = Unit::parse(base).unwrap();
            let weight = shape.weight_per(base, dimensions(measures), Some(decimal(density)));
            assert_eq!(
                weight.map(|weight| weight.fixed(2)).as_deref(),
                expected,
                "{shape:?} {measures} per {base:?}"
            );
        }
    }

    #[test]
    fn only_mass_units_have_a_weight_if_the_density_is_missing() {
        let size = dimensions("width 50, thickness 10");
        assert_eq!(Shape::Flat.weight_per(Unit::Metre, &size, None), None);
        assert_eq!(Shape::Flat.weight_per(Unit::Tonne, &size, None), Some(Decimal::from(1000)));
    }

    #[test]
    fn every_shape_has_a_weight_exactly_if_all_needed_dimensions_are_set() {
        use sea_orm::Iterable;
        for shape in Shape::iter() {
            let size = |dimension: Dimension| {
                let size = match dimension {
                    Dimension::Thickness | Dimension::WebThickness | Dimension::FlangeThickness => "10",
                    _ => "100",
                };
                (shape.needs().contains(&dimension)).then(|| decimal(size))
            };
            let base = weighed_per(shape.extends_in());
            assert!(shape.weight_per(base, size, Some(decimal("7.85"))).is_some(), "{shape:?}");
            for missing in shape.needs() {
                let without = |dimension| size(dimension).filter(|_| dimension != *missing);
                assert_eq!(
                    shape.weight_per(base, without, Some(decimal("7.85"))),
                    None,
                    "{shape:?} {missing:?}"
                );
            }
        }
    }

    #[test]
    fn dimensions_must_be_positive_and_measures_not_negative() {
        #[derive(Deserialize)]
        struct Measures {
            cases: Vec<Measure>,
        }
        #[derive(Deserialize)]
        struct Measure {
            dimension: Option<Dimension>,
            number: Decimal,
            error: Option<String>,
        }
        for Measure { dimension, number, error } in crate::testdata::read::<Measures>("measure.json").cases {
            let code = check(dimension, number).err().map(|fault| fault.code.as_str());
            assert_eq!(code, error.as_deref(), "{dimension:?} {number}");
        }
    }

    /// The frontend forms are tested with the same table.
    #[test]
    fn needed_dimensions_and_units_without_weight_match_the_shared_table() {
        #[derive(Deserialize)]
        struct Table {
            shapes: Vec<ShapeCase>,
        }
        #[derive(Deserialize)]
        struct ShapeCase {
            shape: Shape,
            needs: Vec<Dimension>,
            unweighed: Vec<Unit>,
        }
        let Table { shapes } = crate::testdata::read("shape.json");
        let actual: Vec<Shape> = shapes.iter().map(|case| case.shape).collect();
        assert_eq!(actual, <Shape as sea_orm::Iterable>::iter().collect::<Vec<_>>());
        for ShapeCase { shape, needs, unweighed } in shapes {
            assert_eq!(shape.needs(), needs, "{shape:?}");
            let all = |dimension| {
                use Dimension::{FlangeThickness, Radius, Thickness, WebThickness};
                let thin = [Thickness, WebThickness, FlangeThickness, Radius];
                Some(decimal(if thin.contains(&dimension) { "10" } else { "100" }))
            };
            for unit in Unit::ALL {
                let weight = shape.weight_per(*unit, all, Some(decimal("7.85")));
                assert_eq!(weight.is_none(), unweighed.contains(unit), "{shape:?} {unit:?}");
            }
        }
    }
}
