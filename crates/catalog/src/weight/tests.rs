//! Tests of weights against published tables.

use super::*;

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// Parses a section from its kind and dimensions, as in `beam 80x46x3.8x5.2x5`.
fn section(kind: &str, dimensions: &str) -> Section {
    let numbers: Vec<Decimal> = dimensions.split('x').map(decimal).collect();
    match (kind, numbers.as_slice()) {
        ("beam", &[height, width, web, flange, radius]) => {
            Section::Beam { height, width, web, flange, radius }
        }
        ("upe", &[height, width, web, flange, radius]) => {
            Section::Channel { height, width, web, flange, radius }
        }
        ("upn", &[height, width, web, flange]) => Section::ChannelTapered { height, width, web, flange },
        ("tee", &[height, width, thickness]) => Section::Tee { height, width, thickness },
        ("flat", &[width, thickness]) => Section::Flat { width, thickness },
        ("square", &[side]) => Section::Square { side },
        ("round" | "rebar", &[diameter]) => Section::Round { diameter },
        ("hexagon", &[across_flats]) => Section::Hexagon { across_flats },
        ("angle", &[height, width, thickness, radius]) => Section::Angle { height, width, thickness, radius },
        ("hot", &[height, width, wall]) => Section::Hollow { height, width, wall, forming: Forming::Hot },
        ("cold", &[height, width, wall]) => Section::Hollow { height, width, wall, forming: Forming::Cold },
        ("tube", &[diameter, wall]) => Section::Tube { diameter, wall },
        _ => panic!("{kind} {dimensions}"),
    }
}

/// Formats the calculated weight with as many decimals as the printed one.
fn printed(weight: Option<Decimal>, like: &str) -> String {
    let places = like.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    weight.unwrap().fixed(u32::try_from(places).unwrap())
}

/// Weights agree to the last digit; those of sections with tapered flanges within half a percent, because
/// their standards use areas rounded to three digits and round some toes up to half millimetres.
#[test]
fn weights_of_steel_sections_match_published_tables() {
    for line in include_str!("published.txt").lines().filter(|line| !line.is_empty()) {
        let [kind, dimensions, weight] = line.split_whitespace().collect::<Vec<_>>().try_into().unwrap();
        let computed = section(kind, dimensions).kg_per_metre(decimal("7.85"));
        if matches!(kind, "upn" | "tee") {
            let [computed, printed] = [computed.unwrap(), decimal(weight)].map(Decimal::millionths);
            assert!((computed - printed).abs() * 200 <= printed, "{kind} {dimensions}: {computed}");
        } else {
            assert_eq!(printed(computed, weight), weight, "{kind} {dimensions}");
        }
    }
}

#[test]
fn weights_of_tear_plates_match_published_tables() {
    for (thickness, weight) in
        [("3", "25.6"), ("4", "33.4"), ("5", "41.3"), ("6", "49.1"), ("8", "64.8"), ("10", "80.5")]
    {
        let computed = tear_plate_kg_per_square_metre(decimal(thickness), decimal("7.85"));
        assert_eq!(printed(computed, weight), weight, "{thickness} mm");
    }
}

#[test]
fn weights_of_steel_sheets_match_published_tables() {
    for (thickness, weight) in [
        ("2", "15.7"),
        ("3", "23.6"),
        ("4", "31.4"),
        ("5", "39.3"),
        ("6", "47.1"),
        ("8", "62.8"),
        ("10", "78.5"),
        ("15", "118"),
        ("20", "157"),
    ] {
        let computed = sheet_kg_per_square_metre(decimal(thickness), decimal("7.85"));
        assert_eq!(printed(computed, weight), weight, "{thickness} mm");
    }
}

#[test]
fn weights_are_correct_to_six_decimal_places() {
    for (section, density, weight) in [
        (section("flat", "20x5"), "7.85", "0.785"),
        (section("flat", "0.123456x0.654321"), "1000", "0.08078"), // 0.080779853376
        (section("round", "20"), "7.85", "2.46615"),               // 2.466150233…
        (section("round", "20"), "2.7", "0.84823"),                // 0.848230016…
        (section("hexagon", "100"), "8", "69.282032"),             // 69.2820323027…
        (section("tube", "60.3x3.6"), "8", "5.130095"),            // 5.130095139…
        (section("beam", "200x200x9x15x0"), "7.85", "59.1105"),
        (section("beam", "200x200x9x15x18"), "7.85", "61.293773"), // 61.293773244…
        (section("cold", "150x150x8"), "7.85", "33.945345"),       // 33.945344596…
        (section("upe", "200x80x6x11x13"), "7.85", "22.769203"),   // 22.7692031…
        (section("upn", "200x75x8.5x11.5"), "7.85", "25.273338"),  // 25.2733384…
        (section("upn", "300x100x10x16"), "7.85", "46.128494"),    // 46.1284942…
        (section("upn", "400x110x14x18"), "7.85", "71.817637"),    // 71.8176365…
        (section("upn", "30x33x5x7"), "7.85", "4.269315"),         // 4.2693152…
        (section("tee", "50x50x6"), "7.85", "4.448742"),           // 4.4487422…
        (section("tee", "140x140x15"), "7.85", "31.290628"),       // 31.2906281…
        (section("tee", "100x60x8"), "7.85", "9.54295"),           // 9.5429499…
    ] {
        assert_eq!(section.kg_per_metre(decimal(density)), Some(decimal(weight)), "{section:?}");
    }
    assert_eq!(sheet_kg_per_square_metre(decimal("1.5"), decimal("2.67")), Some(decimal("4.005")));
}

#[test]
fn impossible_sections_have_no_weight() {
    for section in [
        section("flat", "0x5"),
        section("flat", "-20x-5"),
        section("round", "100001"),          // wider than 100 m
        section("beam", "200x200x9x100x18"), // nothing left between the flanges
        section("beam", "200x9x9x15x0"),     // a web as wide as the flanges
        section("beam", "200x200x9x15x86"),  // radii that meet in the web
        section("beam", "200x200x9x15x-18"),
        section("upe", "200x80x6x100x13"), // nothing left between the flanges
        section("upe", "200x18x6x11x13"),  // a root rounder than the flange is wide
        section("upe", "200x80x6x11x90"),  // roots that meet in the web
        section("upn", "200x8x8.5x11.5"),  // no flange
        section("upn", "100x100x6x7"),     // a flange that tapers to less than its toe is round
        section("upn", "400x300x10x14"),   // likewise above 300 mm
        section("upn", "45x75x8.5x11.5"),  // roots that meet in the web
        section("tee", "50x50x1.9"),       // a web that tapers to less than its end is round
        section("tee", "50x250x2"),        // likewise the flange
        section("tee", "50x15x6"),         // a root that meets the toe
        section("tee", "12x50x6"),         // a root that meets the end of the web
        section("angle", "50x5x5x0"),
        section("angle", "50x50x5x11"), // toes rounder than thick
        section("hot", "40x40x20"),     // no hole left
        section("tube", "20x10"),
    ] {
        assert_eq!(section.kg_per_metre(decimal("7.85")), None, "{section:?}");
    }
    for density in ["0", "-7.85"] {
        assert_eq!(section("round", "20").kg_per_metre(decimal(density)), None);
        assert_eq!(sheet_kg_per_square_metre(decimal("5"), decimal(density)), None);
        assert_eq!(tear_plate_kg_per_square_metre(decimal("5"), decimal(density)), None);
    }
    assert_eq!(sheet_kg_per_square_metre(decimal("0"), decimal("7.85")), None);
    assert_eq!(tear_plate_kg_per_square_metre(decimal("0"), decimal("7.85")), None);
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let largest = "100000";
    let all = [
        section("square", largest),
        section("round", largest),
        section("hexagon", largest),
        section("beam", "100000x100000x50000x25000x10000"),
        section("upe", "100000x100000x50000x25000x10000"),
        section("upn", "100000x100000x20000x20000"),
        section("tee", "100000x100000x20000"),
        section("angle", "100000x100000x50000x50000"),
        section("hot", "100000x100000x10000"),
        section("cold", "100000x100000x10000"),
        section("tube", "100000x49999"),
    ];
    for section in all {
        assert!(section.kg_per_metre(decimal("20")).is_some(), "{section:?}");
        assert_eq!(section.kg_per_metre(Decimal::MAX), None, "{section:?}");
    }
    assert_eq!(sheet_kg_per_square_metre(Decimal::MAX, Decimal::MAX), None);
    assert_eq!(tear_plate_kg_per_square_metre(Decimal::MAX, Decimal::MAX), None);
    assert_eq!(section("round", "0.000001").kg_per_metre(decimal("1")), None, "too light to be represented");
}
