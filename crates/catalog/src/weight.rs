//! What sections and sheets weigh, from nominal dimensions and density: exact, without floats.
//!
//! Lengths are millimetres, densities kg/dm³. A decimal of millimetres has six places, so areas are whole square
//! nanometres; only π and √3 are rounded, at the fifteenth digit.

use kernel::Decimal;

/// The cross-section of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// I and H sections with parallel flanges (EN 10365): IPE, HEA, HEB.
    Beam { height: Decimal, width: Decimal, web: Decimal, flange: Decimal, radius: Decimal },
    /// Flat bars (EN 10058).
    Flat { width: Decimal, thickness: Decimal },
    /// Square bars (EN 10059).
    Square { side: Decimal },
    /// Round bars (EN 10060).
    Round { diameter: Decimal },
    /// Hexagon bars (EN 10061).
    Hexagon { across_flats: Decimal },
    /// Angles (EN 10056-1); the radius is the one at the root, at the toes it is half of that.
    Angle { height: Decimal, width: Decimal, thickness: Decimal, radius: Decimal },
    /// Square and rectangular hollow sections, whose corners follow from wall and forming.
    Hollow { height: Decimal, width: Decimal, wall: Decimal, forming: Forming },
    /// Round tubes.
    Tube { diameter: Decimal, wall: Decimal },
}

/// How a hollow section is made: it decides the corner radii.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forming {
    /// Hot finished (EN 10210-2).
    Hot,
    /// Cold formed and welded (EN 10219-2).
    Cold,
}

impl Section {
    /// Kilograms per metre; `None` when there can be no such section.
    pub fn kg_per_metre(self, density: Decimal) -> Option<Decimal> {
        // 1 nm² over 1 m is 10⁻¹⁵ dm³
        let millionths = rounded(self.area()?.checked_mul(positive(density)?)?, 10_i128.pow(15));
        weight(i64::try_from(millionths).ok()?)
    }

    /// Square nanometres.
    fn area(self) -> Option<i128> {
        Some(match self {
            Self::Beam { height, width, web, flange, radius } => {
                let [height, width, web, flange] = lengths([height, width, web, flange])?;
                let radius = or_zero(radius)?;
                let inner = height - 2 * flange;
                possible(inner >= 2 * radius && width >= web + 2 * radius && inner > 0 && width > web)?;
                2 * width * flange + inner * web + 4 * radius * radius - times_pi(radius * radius)
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

impl Forming {
    /// Four times the outer and the inner corner radius.
    fn radii(self, wall: i128) -> (i128, i128) {
        let millimetre = i128::from(Decimal::ONE.millionths());
        let (outer, inner) = match self {
            Self::Hot => (6, 4),
            Self::Cold if wall <= 6 * millimetre => (8, 4),
            Self::Cold if wall <= 10 * millimetre => (10, 6),
            Self::Cold => (12, 8),
        };
        (outer * wall, inner * wall)
    }
}

/// Kilograms per square metre of a sheet; `None` when there can be no such sheet.
pub fn sheet_kg_per_square_metre(thickness: Decimal, density: Decimal) -> Option<Decimal> {
    lengths([thickness])?;
    positive(density)?;
    weight(thickness.times(density)?.millionths())
}

const PLACES: i128 = 10_i128.pow(14);
const PI: i128 = 314_159_265_358_979;
const HALF_ROOT_OF_THREE: i128 = 86_602_540_378_444;

/// 100 m: longer than any section is wide, and short enough that no product overflows.
const LONGEST: i128 = 100_000_000_000;

/// Nanometres, all of them above zero.
fn lengths<const N: usize>(millimetres: [Decimal; N]) -> Option<[i128; N]> {
    let nanometres = millimetres.map(|length| i128::from(length.millionths()));
    nanometres.iter().all(|length| (1..=LONGEST).contains(length)).then_some(nanometres)
}

/// Nanometres of a radius, which may be missing.
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

/// A quotient of numbers above zero, rounded half up.
fn rounded(dividend: i128, divisor: i128) -> i128 {
    (dividend + divisor / 2) / divisor
}

/// A weight that can be told at all.
fn weight(millionths: i64) -> Option<Decimal> {
    Some(Decimal::from_millionths(millionths))
        .filter(|weight| (Decimal::from_millionths(1)..=Decimal::MAX).contains(weight))
}

#[cfg(test)]
mod tests;
