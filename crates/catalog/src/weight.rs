//! Weights of sections and sheets from nominal dimensions and density: exact, without floats.
//!
//! Lengths are millimetres, densities kg/dm³. A decimal of millimetres has six places, so areas are whole
//! square nanometres; only π, √3 and the areas of fillets are rounded, at the fifteenth digit.

use values::Decimal;

/// Cross section of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// I and H sections with parallel flanges (EN 10365): IPE, HEA, HEB.
    Beam { height: Decimal, width: Decimal, web: Decimal, flange: Decimal, radius: Decimal },
    /// Channels with parallel flanges (DIN 1026-2, EN 10365): UPE. Their toes are sharp.
    Channel { height: Decimal, width: Decimal, web: Decimal, flange: Decimal, radius: Decimal },
    /// Channels with tapered flanges (DIN 1026-1, EN 10365): UPN and small U. Slope and radii are those of
    /// the standard.
    ChannelTapered { height: Decimal, width: Decimal, web: Decimal, flange: Decimal },
    /// Tees of one nominal thickness (EN 10055), whose flange and web are tapered and rounded according to
    /// the standard.
    Tee { height: Decimal, width: Decimal, thickness: Decimal },
    /// Flat bars (EN 10058).
    Flat { width: Decimal, thickness: Decimal },
    /// Square bars (EN 10059).
    Square { side: Decimal },
    /// Round bars (EN 10060). Reinforcing bars too (EN 10080, DIN 488-2): their nominal mass is that of a
    /// plain bar of the nominal diameter.
    Round { diameter: Decimal },
    /// Hexagon bars (EN 10061).
    Hexagon { across_flats: Decimal },
    /// Angles with equal or unequal legs (EN 10056-1); `radius` is that of the root, the toes have half of
    /// it.
    Angle { height: Decimal, width: Decimal, thickness: Decimal, radius: Decimal },
    /// Square and rectangular hollow sections; wall and forming determine the corner radii.
    Hollow { height: Decimal, width: Decimal, wall: Decimal, forming: Forming },
    /// Round tubes.
    Tube { diameter: Decimal, wall: Decimal },
}

/// Forming of a hollow section, which determines the corner radii.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forming {
    /// Hot finished (EN 10210-2).
    Hot,
    /// Cold formed and welded (EN 10219-2).
    Cold,
}

impl Section {
    /// Weight in kilograms per metre; `None` if such a section is impossible.
    pub fn kg_per_metre(self, density: Decimal) -> Option<Decimal> {
        // 1 nm² over 1 m is 10⁻¹⁵ dm³
        let millionths = rounded(self.area()?.checked_mul(positive(density)?)?, 10_i128.pow(15));
        weight(i64::try_from(millionths).ok()?)
    }

    /// Area in square nanometres.
    fn area(self) -> Option<i128> {
        Some(match self {
            Self::Beam { height, width, web, flange, radius } => {
                let [height, width, web, flange] = lengths([height, width, web, flange])?;
                let radius = or_zero(radius)?;
                let inner = height - 2 * flange;
                possible(inner >= 2 * radius && width >= web + 2 * radius && inner > 0 && width > web)?;
                2 * width * flange + inner * web + 4 * radius * radius - times_pi(radius * radius)
            }
            Self::Channel { height, width, web, flange, radius } => {
                let [height, width, web, flange] = lengths([height, width, web, flange])?;
                let radius = or_zero(radius)?;
                let inner = height - 2 * flange;
                possible(inner >= 2 * radius && width >= web + radius && inner > 0 && width > web)?;
                height * web + 2 * (width - web) * flange + fillets(2 * radius * radius, FILLET)
            }
            Self::ChannelTapered { height, width, web, flange } => {
                let [height, width, web, flange] = lengths([height, width, web, flange])?;
                tapered_channel(height, width, web, flange)?
            }
            Self::Tee { height, width, thickness } => {
                let [height, width, thickness] = lengths([height, width, thickness])?;
                tee(height, width, thickness)?
            }
            Self::Flat { width, thickness } => {
                let [width, thickness] = lengths([width, thickness])?;
                width * thickness
            }
            Self::Square { side } => {
                let [side] = lengths([side])?;
                side * side
            }
            Self::Round { diameter } => {
                let [diameter] = lengths([diameter])?;
                rounded(times_pi(diameter * diameter), 4)
            }
            Self::Hexagon { across_flats } => {
                let [across_flats] = lengths([across_flats])?;
                rounded(across_flats * across_flats * HALF_ROOT_OF_THREE, PLACES)
            }
            Self::Angle { height, width, thickness, radius } => {
                let [height, width, thickness] = lengths([height, width, thickness])?;
                let radius = or_zero(radius)?;
                let shorter = height.min(width);
                possible(thickness < shorter && radius <= shorter - thickness && radius <= 2 * thickness)?;
                // (1 - π/4) (r1² - 2 r2²) with r2 = r1 / 2
                let fillets = rounded(4 * radius * radius - times_pi(radius * radius), 8);
                thickness * (height + width - thickness) + fillets
            }
            Self::Hollow { height, width, wall, forming } => {
                let [height, width, wall] = lengths([height, width, wall])?;
                let (outer, inner) = forming.radii(wall);
                possible(height.min(width) > 2 * wall && 4 * height.min(width) >= 2 * outer)?;
                let corners = rounded((outer * outer - inner * inner) * (4 * PLACES - PI), 16 * PLACES);
                2 * wall * (height + width - 2 * wall) - corners
            }
            Self::Tube { diameter, wall } => {
                let [diameter, wall] = lengths([diameter, wall])?;
                possible(diameter > 2 * wall)?;
                times_pi((diameter - wall) * wall)
            }
        })
    }
}

/// Area of a tapered channel. Flanges slope by 8 % up to a height of 300 mm, where their thickness is
/// measured at half the width of the channel, and by 5 % above, where it is measured in the middle between
/// web and toe (DIN 1026-1). The radius of the root equals the flange thickness, that of the toes half of it.
fn tapered_channel(height: i128, width: i128, web: i128, flange: i128) -> Option<i128> {
    possible(width > web)?;
    let free = width - web;
    let (slope, outside, inside, fillet) = if height <= 300 * MILLIMETRE {
        (8, width, width - 2 * web, FILLET_8)
    } else {
        (5, free, free, FILLET_5)
    };
    // in two hundredths
    let (toe, root) = (200 * flange - slope * outside, 200 * flange + slope * inside);
    possible(toe >= 100 * flange && 2 * free >= 3 * flange && 100 * height >= root + 200 * flange)?;
    // two trapezoids, two fillets of r² and two toes of (r / 2)²
    Some(height * web + rounded(free * (toe + root), 200) + fillets(3 * flange * flange, fillet) / 2)
}

/// Area of a tee. Flange and web slope by 2 %; their thickness is measured at a quarter of the width and at
/// half the height. The radius of the root equals the thickness, that of the flange's toes half of it, that
/// of the web's end a quarter (EN 10055).
fn tee(height: i128, width: i128, thickness: i128) -> Option<i128> {
    possible(100 * thickness >= width && 25 * thickness >= height)?;
    // Half the web at the top, in hundredths, and the flange in the middle, in two hundredths.
    let (web, flange) = (50 * thickness + height, 200 * thickness + width);
    // Point where they would meet without a fillet: from the middle in 9996ths, from above in 499,800ths.
    let across = 4_800 * thickness + 100 * height - width;
    let down = 2_499 * flange - across;
    possible(4_998 * width >= across + 14_994 * thickness && 499_800 * height >= down + 624_750 * thickness)?;
    let shared = rounded(web * down + 25 * across * flange, 100 * 499_800);
    // r², r² / 4 at the flange's toes and r² / 16 at the web's end, two of each
    let rounding = thickness * thickness * (16 * FILLET_2_2 - 5 * FILLET_2);
    Some((width + height) * thickness - shared + rounded(rounding, 8 * PLACES))
}

impl Forming {
    /// Outer and inner corner radius, each times four.
    fn radii(self, wall: i128) -> (i128, i128) {
        let (outer, inner) = match self {
            Self::Hot => (6, 4),
            Self::Cold if wall <= 6 * MILLIMETRE => (8, 4),
            Self::Cold if wall <= 10 * MILLIMETRE => (10, 6),
            Self::Cold => (12, 8),
        };
        (outer * wall, inner * wall)
    }
}

/// Weight in kilograms per square metre of a sheet; `None` if such a sheet is impossible.
pub fn sheet_kg_per_square_metre(thickness: Decimal, density: Decimal) -> Option<Decimal> {
    lengths([thickness])?;
    positive(density)?;
    weight(thickness.times(density)?.millionths())
}

/// Weight in kilograms per square metre of a plate with a pattern of tears on one side; the thickness
/// excludes the tears. Those of steel of 7.85 kg/dm³ weigh 2 kg/m² (DIN 59220).
pub fn tear_plate_kg_per_square_metre(thickness: Decimal, density: Decimal) -> Option<Decimal> {
    let tears = density.scaled(200, 785)?;
    let weight =
        sheet_kg_per_square_metre(thickness, density)?.millionths().checked_add(tears.millionths())?;
    self::weight(weight)
}

const MILLIMETRE: i128 = 1_000_000;
const PLACES: i128 = 10_i128.pow(14);
const PI: i128 = 314_159_265_358_979;
const HALF_ROOT_OF_THREE: i128 = 86_602_540_378_444;
/// Area that a radius of one fills between two faces, or removes where they end: tan φ - φ, where φ is half
/// of the angle between them. Upright faces: 1 - π/4.
const FILLET: i128 = 21_460_183_660_255;
/// Fillet where one of the faces slopes by 8 %: tan φ is √(1 + 0.08²) - 0.08. Likewise by 5 % and by 2 %.
const FILLET_8: i128 = 17_771_172_577_743;
const FILLET_5: i128 = 19_083_025_418_856;
const FILLET_2: i128 = 20_480_048_359_313;
/// Fillet where both faces slope by 2 %: tan φ is 0.98 / 1.02.
const FILLET_2_2: i128 = 19_538_348_430_119;

/// Maximum length, 100 m: more than any section is wide, and short enough that no product overflows.
const LONGEST: i128 = 100_000_000_000;

/// Converts millimetres to nanometres; `None` unless all are above zero and at most [`LONGEST`].
fn lengths<const N: usize>(millimetres: [Decimal; N]) -> Option<[i128; N]> {
    let nanometres = millimetres.map(|length| i128::from(length.millionths()));
    nanometres.iter().all(|length| (1..=LONGEST).contains(length)).then_some(nanometres)
}

/// Converts an optional radius to nanometres.
fn or_zero(millimetres: Decimal) -> Option<i128> {
    if millimetres == Decimal::ZERO { Some(0) } else { lengths([millimetres]).map(|[radius]| radius) }
}

fn positive(density: Decimal) -> Option<i128> {
    Some(i128::from(density.millionths())).filter(|density| *density > 0)
}

fn possible(condition: bool) -> Option<()> {
    condition.then_some(())
}

fn times_pi(area: i128) -> i128 {
    rounded(area * PI, PLACES)
}

/// Total area of similar fillets, from the sum of their squared radii.
fn fillets(squares: i128, fillet: i128) -> i128 {
    rounded(squares * fillet, PLACES)
}

/// Quotient of positive numbers, rounded half up.
fn rounded(dividend: i128, divisor: i128) -> i128 {
    (dividend + divisor / 2) / divisor
}

/// Weight, if it is within the range of a positive decimal.
fn weight(millionths: i64) -> Option<Decimal> {
    Some(Decimal::from_millionths(millionths))
        .filter(|weight| (Decimal::from_millionths(1)..=Decimal::MAX).contains(weight))
}

#[cfg(test)]
mod tests;
