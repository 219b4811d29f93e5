//! Assortment of the demo: nominal dimensions in millimetres, materials with their density in kg/dm³. Single
//! nominal dimensions are facts; weights are computed from them.

/// Name, names in article names and numbers, number after EN 10027-2, density.
pub(super) type Steel = (&'static str, &'static str, &'static str, &'static str, &'static str);

pub(super) const MATERIALS: &[Steel] = &[
    ("S235JR", "S235JR", "S235JR", "1.0038", "7.85"),
    ("S275JR", "S275JR", "S275JR", "1.0044", "7.85"),
    ("S355JR", "S355JR", "S355JR", "1.0045", "7.85"),
    ("S355J2", "S355J2", "S355J2", "1.0577", "7.85"),
    ("S355K2", "S355K2", "S355K2", "1.0596", "7.85"),
    ("S235JRH", "S235JRH", "S235JRH", "1.0039", "7.85"),
    ("S355J2H", "S355J2H", "S355J2H", "1.0576", "7.85"),
    ("S235JRC", "S235JRC", "S235JRC", "1.0122", "7.85"),
    ("DC01", "DC01", "DC01", "1.0330", "7.85"),
    ("DX51D+Z", "DX51D+Z", "DX51D+Z", "1.0226", "7.85"),
    ("S355MC", "S355MC", "S355MC", "1.0976", "7.85"),
    ("B500B", "B500B", "B500B", "1.0439", "7.85"),
    ("C45", "C45", "C45", "1.0503", "7.85"),
    ("C45E", "C45E", "C45E", "1.1191", "7.85"),
    ("16MnCr5", "16MnCr5", "16MNCR5", "1.7131", "7.85"),
    ("42CrMo4", "42CrMo4", "42CRMO4", "1.7225", "7.85"),
    ("11SMn30", "11SMn30", "11SMN30", "1.0715", "7.85"),
    ("11SMnPb30", "11SMnPb30", "11SMNPB30", "1.0718", "7.85"),
    ("X5CrNi18-10", "1.4301", "1.4301", "1.4301", "7.9"),
    ("X8CrNiS18-9", "1.4305", "1.4305", "1.4305", "7.9"),
    ("X2CrNi18-9", "1.4307", "1.4307", "1.4307", "7.9"),
    ("X2CrNiMo17-12-2", "1.4404", "1.4404", "1.4404", "8.0"),
    ("X6CrNiMoTi17-12-2", "1.4571", "1.4571", "1.4571", "8.0"),
    ("X6CrNiTi18-10", "1.4541", "1.4541", "1.4541", "7.9"),
    ("X2CrNiMoN22-5-3", "1.4462", "1.4462", "1.4462", "7.8"),
    ("X6Cr17", "1.4016", "1.4016", "1.4016", "7.7"),
    ("EN AW-1050A (Al99,5)", "EN AW-1050A", "AW1050A", "3.0255", "2.70"),
    ("EN AW-6060 (AlMgSi)", "EN AW-6060", "AW6060", "3.3206", "2.70"),
    ("EN AW-6082 (AlSi1MgMn)", "EN AW-6082", "AW6082", "3.2315", "2.70"),
    ("EN AW-5754 (AlMg3)", "EN AW-5754", "AW5754", "3.3535", "2.67"),
    ("EN AW-5083", "EN AW-5083", "AW5083", "3.3547", "2.66"),
    ("EN AW-2007", "EN AW-2007", "AW2007", "3.1645", "2.85"),
    ("EN AW-7075", "EN AW-7075", "AW7075", "3.4365", "2.80"),
    ("CuZn39Pb3", "CuZn39Pb3", "CUZN39PB3", "2.0401", "8.47"),
    ("E-Cu (Cu-ETP)", "Cu-ETP", "CU-ETP", "2.0065", "8.94"),
];

/// Nominal height, and height x width x web x flange x root radius.
pub const IPE: &[(&str, &str)] = &[
    ("80", "80x46x3.8x5.2x5"),
    ("100", "100x55x4.1x5.7x7"),
    ("120", "120x64x4.4x6.3x7"),
    ("140", "140x73x4.7x6.9x7"),
    ("160", "160x82x5x7.4x9"),
    ("180", "180x91x5.3x8x9"),
    ("200", "200x100x5.6x8.5x12"),
    ("220", "220x110x5.9x9.2x12"),
    ("240", "240x120x6.2x9.8x15"),
    ("270", "270x135x6.6x10.2x15"),
    ("300", "300x150x7.1x10.7x15"),
    ("330", "330x160x7.5x11.5x18"),
    ("360", "360x170x8x12.7x18"),
    ("400", "400x180x8.6x13.5x21"),
    ("450", "450x190x9.4x14.6x21"),
    ("500", "500x200x10.2x16x21"),
    ("600", "600x220x12x19x24"),
];

/// Nominal height, and height x width x web x flange x root radius.
pub const HEA: &[(&str, &str)] = &[
    ("100", "96x100x5x8x12"),
    ("120", "114x120x5x8x12"),
    ("140", "133x140x5.5x8.5x12"),
    ("160", "152x160x6x9x15"),
    ("180", "171x180x6x9.5x15"),
    ("200", "190x200x6.5x10x18"),
    ("220", "210x220x7x11x18"),
    ("240", "230x240x7.5x12x21"),
    ("260", "250x260x7.5x12.5x24"),
    ("280", "270x280x8x13x24"),
    ("300", "290x300x8.5x14x27"),
    ("320", "310x300x9x15.5x27"),
    ("340", "330x300x9.5x16.5x27"),
    ("360", "350x300x10x17.5x27"),
    ("400", "390x300x11x19x27"),
];

/// Nominal height, and height x width x web x flange x root radius.
pub const HEB: &[(&str, &str)] = &[
    ("100", "100x100x6x10x12"),
    ("120", "120x120x6.5x11x12"),
    ("140", "140x140x7x12x12"),
    ("160", "160x160x8x13x15"),
    ("180", "180x180x8.5x14x15"),
    ("200", "200x200x9x15x18"),
    ("220", "220x220x9.5x16x18"),
    ("240", "240x240x10x17x21"),
    ("260", "260x260x10x17.5x24"),
    ("280", "280x280x10.5x18x24"),
    ("300", "300x300x11x19x27"),
    ("320", "320x300x11.5x20.5x27"),
    ("340", "340x300x12x21.5x27"),
    ("360", "360x300x12.5x22.5x27"),
    ("400", "400x300x13.5x24x27"),
];

/// Channels with parallel flanges: nominal height, and height x width x web x flange x root radius.
pub const UPE: &[(&str, &str)] = &[
    ("80", "80x50x4x7x10"),
    ("100", "100x55x4.5x7.5x10"),
    ("120", "120x60x5x8x12"),
    ("140", "140x65x5x9x12"),
    ("160", "160x70x5.5x9.5x12"),
    ("180", "180x75x5.5x10.5x12"),
    ("200", "200x80x6x11x13"),
    ("220", "220x85x6.5x12x13"),
    ("240", "240x90x7x12.5x15"),
    ("270", "270x95x7.5x13.5x15"),
    ("300", "300x100x9.5x15x15"),
];

/// Channels with tapered flanges: nominal height, and kg/m as DIN 1026-1 prints it, from an area that was
/// rounded first.
pub const UPN: &[(&str, &str)] = &[
    ("80", "8.64"),
    ("100", "10.6"),
    ("120", "13.4"),
    ("140", "16.0"),
    ("160", "18.8"),
    ("180", "22.0"),
    ("200", "25.3"),
    ("220", "29.4"),
    ("240", "33.2"),
    ("260", "37.9"),
    ("280", "41.8"),
    ("300", "46.2"),
];

/// Small channels with tapered flanges: height x width x web x flange.
pub const U: &str = "30x15x4x4.5 30x33x5x7 40x20x5x5.5 40x35x5x7 50x25x5x6 50x38x5x7 60x30x6x6 65x42x5.5x7.5";

/// Height x width x thickness.
pub const TEES: &str = "30x30x4 35x35x4.5 40x40x5 50x50x6 60x60x7 70x70x8 80x80x9 100x100x11";

/// Diameters of reinforcing bars.
pub const REBARS: &str = "8 10 12 14 16 20 25 28";

/// Legs x thickness x root radius.
pub const UNEQUAL_ANGLES: &str = "30x20x3x4 40x20x4x4 45x30x4x4.5 60x30x5x5 60x40x5x6 60x40x6x6 65x50x5x6 \
    70x50x6x7 80x40x6x7 80x60x7x8 100x50x6x8 100x50x8x8 100x65x7x10 100x75x8x10 120x80x8x11 120x80x10x11 150x75x9x12 \
    150x100x10x12 150x100x12x12 200x100x10x15 200x100x12x15";

/// Legs x thickness, and the root radius.
pub const ANGLES: &[(&str, &str)] = &[
    ("20x3", "3.5"),
    ("25x3", "3.5"),
    ("30x3", "5"),
    ("35x4", "5"),
    ("40x4", "6"),
    ("50x5", "7"),
    ("60x6", "8"),
    ("65x7", "9"),
    ("70x7", "9"),
    ("80x8", "10"),
    ("90x9", "11"),
    ("100x10", "12"),
    ("120x12", "13"),
    ("150x15", "16"),
    ("200x20", "18"),
];

/// Width x thickness.
pub const FLATS: &str = "20x3 20x5 20x8 20x10 25x3 25x5 25x6 25x8 25x10 30x3 30x5 30x6 30x8 30x10 30x15 \
    35x5 35x6 35x8 35x10 40x5 40x6 40x8 40x10 40x12 40x15 40x20 45x5 45x10 50x5 50x6 50x8 50x10 50x12 50x15 50x20 \
    50x25 60x5 60x6 60x8 60x10 60x12 60x15 60x20 60x30 70x5 70x8 70x10 70x12 70x15 70x20 80x5 80x6 80x8 80x10 80x12 \
    80x15 80x20 80x30 90x8 90x10 90x15 100x5 100x6 100x8 100x10 100x12 100x15 100x20 100x25 100x30 120x8 120x10 \
    120x12 120x15 120x20 150x8 150x10 150x12 150x15 150x20 150x25";

/// Diameters of round bars.
pub const ROUNDS: &str = "8 10 12 14 16 18 20 22 25 28 30 32 35 36 40 45 50 55 60 65 70 75 80 85 90 100 110 \
    120 130 140 150 160 180 200";

/// Edges of square bars.
pub const SQUARES: &str = "8 10 12 14 15 16 18 20 22 25 30 35 40 45 50 60 70 80 100";

/// Widths across the flats of hexagonal bars.
pub const HEXAGONS: &str = "8 10 11 12 13 14 17 19 22 24 27 30 32 36 41 46 50 55";

/// Height x width x wall.
pub const COLD_HOLLOW: &str = "20x20x2 25x25x2 30x30x2 30x30x3 40x40x2 40x40x3 40x40x4 50x50x2 50x50x3 \
    50x50x4 50x50x5 60x60x3 60x60x4 60x60x5 70x70x3 70x70x4 70x70x5 80x80x3 80x80x4 80x80x5 80x80x6 90x90x4 90x90x5 \
    100x100x3 100x100x4 100x100x5 100x100x6 100x100x8 120x120x4 120x120x5 120x120x6 120x120x8 140x140x5 140x140x6 \
    140x140x8 150x150x5 150x150x6 150x150x8 150x150x10 180x180x6 180x180x8 200x200x6 200x200x8 200x200x10 40x20x2 \
    50x30x2 50x30x3 60x30x3 60x40x2 60x40x3 60x40x4 80x40x3 80x40x4 80x60x4 100x40x3 100x50x3 100x50x4 100x50x5 \
    100x60x4 120x60x4 120x60x5 120x80x4 120x80x5 140x80x5 150x100x5 150x100x6 160x80x5 180x100x5 180x100x6 200x100x5 \
    200x100x6 200x100x8 200x120x8 250x150x8";

/// Height x width x wall.
pub const HOT_HOLLOW: &str = "40x40x3 40x40x4 50x50x4 50x50x5 60x60x4 60x60x5 70x70x5 80x80x5 80x80x6.3 \
    90x90x6.3 100x100x5 100x100x6.3 100x100x8 100x100x10 120x120x6.3 120x120x8 140x140x8 150x150x8 150x150x10 \
    160x160x10 180x180x10 200x200x8 200x200x10 200x200x12.5 250x250x10 100x50x4 100x60x5 120x60x5 120x80x5 140x80x6.3 \
    150x100x6.3 160x80x6.3 180x100x8 200x100x8 200x120x8 250x150x10 300x200x10";

/// Diameter x wall.
pub const TUBES: &str = "21.3x2.3 21.3x2.6 26.9x2.3 26.9x2.6 33.7x2.6 33.7x3.2 42.4x2.6 42.4x3.2 48.3x2.6 \
    48.3x3.2 60.3x2.9 60.3x3.6 76.1x2.9 76.1x3.6 88.9x3.2 88.9x4 101.6x3.6 114.3x3.6 114.3x5 139.7x4 139.7x5 \
    168.3x4.5 168.3x6.3 219.1x6.3 273x6.3 323.9x7.1";

/// Width x length.
pub(super) const SHEET_FORMATS: &[&str] = &["1000x2000", "1250x2500", "1500x3000", "2000x6000"];

/// Material, thicknesses, and the formats in stock.
pub const SHEETS: &[(&str, &str, &[&str])] = &[
    ("DC01", "0.75 0.88 1 1.25 1.5 2 2.5 3", &["1000x2000", "1250x2500", "1500x3000"]),
    ("DX51D+Z", "0.75 0.88 1 1.25 1.5 2 2.5 3", &["1000x2000", "1250x2500", "1500x3000"]),
    ("S235JR", "3 4 5 6 8 10 12 15 20 25 30 40", &["1000x2000", "1250x2500", "1500x3000", "2000x6000"]),
    ("S355J2", "5 6 8 10 12 15 20 25 30 40", &["1500x3000", "2000x6000"]),
    ("S355MC", "2 3 4 5 6 8 10", &["1250x2500", "1500x3000"]),
    ("X5CrNi18-10", "1 1.5 2 3 4 5 6 8 10", &["1000x2000", "1250x2500", "1500x3000"]),
    ("X6CrNiMoTi17-12-2", "1.5 2 3 4 5 6 8 10", &["1000x2000", "1500x3000"]),
    ("EN AW-5754 (AlMg3)", "1 1.5 2 3 4 5 6 8", &["1000x2000", "1250x2500", "1500x3000"]),
    ("EN AW-5083", "6 8 10 12 15 20", &["1500x3000"]),
];

/// Thickness without the tears.
pub const TEAR_PLATES: &str = "3 4 5 6 8 10";

/// Length range: short code, from, to, the length that is charged; in metres.
type Range = (&'static str, Option<&'static str>, Option<&'static str>, &'static str);

/// Commercial lengths. Bars are rolled up to 100 mm longer than ordered: a limit ends in `.11`, so that a bar
/// of 12.1 m still counts as 12.
pub(super) const TRADE_DIMENSIONS: &[(&str, &[Range])] = &[
    (
        "Handelslängen Träger",
        &[
            ("L06", None, Some("6.11"), "6.1"),
            ("L08", Some("6.11"), Some("8.11"), "8.1"),
            ("L10", Some("8.11"), Some("10.11"), "10.1"),
            ("L12", Some("10.11"), Some("12.11"), "12.1"),
            ("L15", Some("12.11"), Some("15.11"), "15.1"),
            ("L18", Some("15.11"), None, "18.1"),
        ],
    ),
    (
        "Handelslängen Stabstahl",
        &[
            ("L03", None, Some("3.01"), "3"),
            ("L06", Some("3.01"), Some("6.01"), "6"),
            ("L12", Some("6.01"), Some("12.1"), "12"),
        ],
    ),
    (
        "Handelslängen Betonstahl",
        &[
            ("L06", None, Some("6.01"), "6"),
            ("L12", Some("6.01"), Some("12.01"), "12"),
            ("L14", Some("12.01"), Some("14.01"), "14"),
        ],
    ),
];
