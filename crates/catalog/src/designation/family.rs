//! Families of sections and shapes: the names that the trade uses and the order of their dimensions.

use std::cmp::Ordering;

use values::{Decimal, fold_written_umlauts};

/// Family of sections or shapes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Family {
    /// Codes that people type, and that articles and their types may contain.
    pub(crate) codes: &'static [&'static str],
    /// Further names in articles.
    pub(crate) also: &'static [&'static str],
    /// Letter after the size, as in `HE 200 B`.
    pub(crate) suffix: Option<&'static str>,
    measured: SizeRule,
    /// Standard sizes, if a standard lists them.
    series: &'static str,
}

/// Notation of a family's sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SizeRule {
    Plainly,
    /// Equal legs may be written once: `50x5` is `50x50x5`.
    Legs,
    /// One number gives both sides.
    Square,
    /// Equal sides may be written once: `100x5` is `100x100x5`.
    Sides,
    /// Thickness, width and length in any order.
    Sheet,
    /// Like a sheet; the thickness may be followed by the one including tears: `5/7`.
    TearSheet,
}

const fn family(codes: &'static [&'static str]) -> Family {
    Family { codes, also: &[], suffix: None, measured: SizeRule::Plainly, series: "" }
}

const fn series(series: &'static str, family: Family) -> Family {
    Family { series, ..family }
}

const fn measured(measured: SizeRule, codes: &'static [&'static str]) -> Family {
    Family { measured, ..family(codes) }
}

const fn wide_flange(codes: &'static [&'static str], suffix: &'static str) -> Family {
    Family { suffix: Some(suffix), series: HE, ..family(codes) }
}

/// Heights of HE, IPE, UPE and IPN sections (EN 10365).
const HE: &str =
    "100 120 140 160 180 200 220 240 260 280 300 320 340 360 400 450 500 550 600 650 700 800 900 1000";
const IPE: &str = "80 100 120 140 160 180 200 220 240 270 300 330 360 400 450 500 550 600 750";
const UPE: &str = "80 100 120 140 160 180 200 220 240 270 300 330 360 400";
const IPN: &str = "80 100 120 140 160 180 200 220 240 260 280 300 320 340 360 380 400 450 500 550 600";
/// Heights of UPN sections and of small channels (EN 10365 and DIN 1026-1).
const UPN: &str = "30 40 50 60 65 80 100 120 140 160 180 200 220 240 260 280 300 320 350 380 400";
/// Outer diameters of tubes (EN 10220).
const TUBE: &str = "10.2 12 12.7 13.5 14 16 17.2 18 19 20 21.3 22 25 25.4 26.9 30 31.8 32 33.7 35 38 40 42.4 44.5 48.3 51 54 \
    57 60.3 63.5 70 73 76.1 82.5 88.9 101.6 108 114.3 127 133 139.7 141.3 152.4 159 168.3 177.8 193.7 219.1 244.5 273 323.9 \
    355.6 406.4 457 508 559 610 660 711 762 813 864 914 1016";

const HOLLOW: &[&str] = &["hohlprofil", "hp", "hpk", "hpw", "msh"];
const WIDE: &[&str] = &["hea", "heb", "hem", "he-a", "he-b", "he-m", "ipb", "ipbl", "ipbv"];
const BEAMS: &[&str] =
    &["ipe", "hea", "heb", "hem", "he-a", "he-b", "he-m", "ipb", "ipbl", "ipbv", "inp", "ipn"];
const BARS: &[&str] = &["flachstahl", "rundstahl", "vierkantstahl", "sechskantstahl", "winkelstahl"];

pub(crate) const FAMILIES: &[Family] = &[
    series(IPE, family(&["ipe"])),
    wide_flange(&["hea", "he-a", "ipbl"], "a"),
    wide_flange(&["heb", "he-b", "ipb"], "b"),
    wide_flange(&["hem", "he-m", "ipbv"], "m"),
    Family { also: WIDE, ..family(&["breitflanschtrager", "breitflansch"]) },
    Family {
        also: BEAMS,
        ..family(&["trager", "stahltrager", "doppel-t-trager", "doppel-t", "h-trager", "i-trager"])
    },
    series(UPE, family(&["upe"])),
    series(UPN, family(&["u", "unp", "upn", "u-stahl", "u-profil"])),
    series(IPN, family(&["i", "inp", "ipn"])),
    measured(SizeRule::Legs, &["l", "winkel", "winkelstahl", "winkelprofil", "winkeleisen"]),
    measured(SizeRule::Legs, &["t", "t-stahl", "t-profil"]),
    family(&["fl", "fla", "flach", "flachstahl", "flacheisen"]),
    family(&["bfl", "brfl", "breitflach", "breitflachstahl"]),
    family(&["rd", "rnd", "rund", "rundstahl", "rundeisen", "rundmaterial", "ø"]),
    family(&["vkt", "vk", "4kt", "vierkant", "vierkantstahl", "vierkanteisen", "quadratstahl"]),
    family(&["skt", "sk", "6kt", "sechskant", "sechskantstahl"]),
    Family { also: BARS, ..family(&["stabstahl"]) },
    Family {
        also: HOLLOW,
        ..measured(
            SizeRule::Square,
            &["qro", "qr", "qhp", "quadratrohr", "quadratrohre", "vierkantrohr", "vierkantrohre", "shs"],
        )
    },
    Family { also: HOLLOW, ..family(&["rro", "rr", "rhp", "rechteckrohr", "rechteckrohre", "rhs"]) },
    Family {
        also: &["qro", "rro", "quadratrohr", "rechteckrohr", "hpk", "hpw", "msh"],
        ..measured(
            SizeRule::Sides,
            &[
                "hohlprofil",
                "hohlprofile",
                "hp",
                "formrohr",
                "formrohre",
                "kantrohr",
                "kantrohre",
                "profilrohr",
                "profilrohre",
            ],
        )
    },
    // Cold formed and hot finished ones are different products.
    measured(SizeRule::Sides, &["hpk"]),
    measured(SizeRule::Sides, &["hpw", "msh"]),
    series(TUBE, family(&["ro", "rohr", "rohre", "rundrohr", "rundrohre", "stahlrohr", "stahlrohre", "chs"])),
    family(&[
        "bst",
        "betonstahl",
        "betonstabstahl",
        "rippenstahl",
        "bewehrungsstahl",
        "monierstahl",
        "moniereisen",
    ]),
    measured(
        SizeRule::TearSheet,
        &["tr", "tranenblech", "tranenbleche", "riffelblech", "riffelbleche", "warzenblech", "warzenbleche"],
    ),
    measured(
        SizeRule::Sheet,
        &["bl", "blech", "bleche", "tafel", "tafeln", "stahlblech", "feinblech", "grobblech"],
    ),
];

/// Suffixes that people add to a code: `HEB-Träger`.
const ADDED: &[&str] = &["-trager", "-profil", "-stahl"];

/// Finds the family with a folded code; umlauts may be written as two letters.
pub(crate) fn find_family(code: &str) -> Option<&'static Family> {
    let exactly = |code: &str| FAMILIES.iter().find(|family| family.codes.contains(&code));
    let bare = || ADDED.iter().find_map(|added| exactly(code.strip_suffix(added)?));
    exactly(code).or_else(bare).or_else(|| find_family(&fold_written_umlauts(code)?))
}

/// Splits a piece before its first digit, except one that belongs to the code: `4kt20`.
pub(crate) fn head(piece: &str) -> Option<(&str, &str)> {
    let from = if piece.starts_with("4kt") || piece.starts_with("6kt") { 3 } else { 0 };
    let at = from + piece.get(from..)?.find(|c: char| c.is_ascii_digit())?;
    piece.split_at_checked(at).filter(|(head, _)| !head.is_empty())
}

pub(crate) fn suffixed(letter: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.suffix == Some(letter))
}

impl Family {
    /// All names that articles and their types may have for the family.
    pub(crate) fn names(&'static self) -> impl Iterator<Item = &'static str> + Clone {
        self.codes.iter().chain(self.also).copied()
    }

    /// Possible notations of the size, and the length in millimetres typed after it: `50x10x6000`.
    pub(crate) fn sizes(&self, typed: &[String]) -> (Vec<Vec<String>>, Option<String>) {
        let (measures, length) = match typed {
            [measures @ .., length] if !measures.is_empty() && !self.is_sheet() && is_length(length) => {
                (measures, Some(length.clone()))
            }
            all => (all, None),
        };
        let mut dimensions = measures.to_vec();
        if let ([first, _, ..], Some(diameter)) =
            (measures, measures.first().and_then(|first| self.completed(first)))
            && first != diameter
            && let Some(number) = dimensions.first_mut()
        {
            diameter.clone_into(number);
        }

        let further = match (self.measured, measures) {
            (SizeRule::Square, [side]) => return (vec![vec![side.clone(), side.clone()]], length),
            (SizeRule::Square | SizeRule::Sides | SizeRule::Legs, [side, thickness]) if side != thickness => {
                Some(vec![side.clone(), side.clone(), thickness.clone()])
            }
            (SizeRule::Legs, [leg, other, thickness]) if leg == other => {
                Some(vec![leg.clone(), thickness.clone()])
            }
            (SizeRule::TearSheet, [thickness, over_tears]) if is_over_tears(thickness, over_tears) => {
                return (vec![vec![thickness.clone()]], length);
            }
            (SizeRule::Sheet | SizeRule::TearSheet, [_, _, _]) => {
                let mut sorted = dimensions.clone();
                sorted.sort_by(|a, b| compare(a, b));
                Some(sorted)
            }
            _ => None,
        };
        let further = further.filter(|further| *further != dimensions);
        ([dimensions].into_iter().chain(further).collect(), length)
    }
}

impl Family {
    fn is_sheet(&self) -> bool {
        matches!(self.measured, SizeRule::Sheet | SizeRule::TearSheet)
    }

    /// True if a number is no size of the series, but the beginning of one: the `2` of `HEB-2`.
    pub(crate) fn is_begun(&self, number: &str) -> bool {
        let mut sizes = self.series.split_whitespace();
        !sizes.clone().any(|size| size == number) && sizes.any(|size| size.starts_with(number))
    }

    /// Finds the size that was typed without its decimals: `48` for the tube of 48.3 mm.
    fn completed(&self, number: &str) -> Option<&'static str> {
        let mut sizes = self.series.split_whitespace();
        if sizes.clone().any(|size| size == number) {
            return None;
        }
        sizes.find(|size| size.split_once('.').is_some_and(|(whole, _)| whole == number))
    }
}

/// True if the second thickness may include the tears, which are 1 to 2.5 mm high.
fn is_over_tears(thickness: &str, over_tears: &str) -> bool {
    let height = decimal(over_tears).millionths() - decimal(thickness).millionths();
    (1_000_000..=2_500_000).contains(&height)
}

/// True if a number is too large for a section and must be a length.
pub(crate) fn is_length(number: &str) -> bool {
    decimal(number) >= Decimal::from(1_000)
}

fn compare(a: &str, b: &str) -> Ordering {
    decimal(a).cmp(&decimal(b))
}

fn decimal(number: &str) -> Decimal {
    number.parse().unwrap_or(Decimal::ZERO)
}

#[cfg(test)]
mod tests {
    use values::fold;

    use super::*;

    #[test]
    fn every_code_belongs_to_one_family() {
        let codes: Vec<_> = FAMILIES.iter().flat_map(|family| family.codes).collect();
        let unique: std::collections::HashSet<_> = codes.iter().collect();
        assert_eq!(unique.len(), codes.len());
        assert!(codes.iter().all(|code| fold(code) == ***code), "codes are compared with folded texts");
    }

    #[test]
    fn sizes_are_read_according_to_their_family() {
        for (code, typed, sizes, length) in [
            ("l", "50x50x5", &["50x50x5", "50x5"][..], None),
            ("l", "50x5", &["50x5", "50x50x5"], None),
            ("l", "100x50x8", &["100x50x8"], None),
            ("qro", "100x5", &["100x5", "100x100x5"], None),
            ("qro", "100", &["100x100"], None),
            ("rro", "80x40", &["80x40"], None),
            ("kantrohr", "40x2", &["40x2", "40x40x2"], None),
            ("fl", "50x10x6000", &["50x10"], Some("6000")),
            ("heb", "200x12100", &["200"], Some("12100")),
            ("bl", "1000x2000x3", &["1000x2000x3", "3x1000x2000"], None),
            ("bl", "3x2000x1000", &["3x2000x1000", "3x1000x2000"], None),
            ("bl", "3", &["3"], None),
            ("tr", "5x7", &["5"], None),
            ("tr", "5x6.5", &["5"], None),
            ("tr", "5x1000x2000", &["5x1000x2000"], None),
            ("ro", "48x3", &["48.3x3"], None),
            ("ro", "40x3", &["40x3"], None),
        ] {
            let typed: Vec<_> = typed.split('x').map(str::to_owned).collect();
            let (actual, actual_length) = find_family(code).unwrap().sizes(&typed);
            let actual: Vec<_> = actual.iter().map(|size| size.join("x")).collect();
            assert_eq!(actual, sizes, "{code} {typed:?}");
            assert_eq!(actual_length.as_deref(), length, "{code} {typed:?}");
        }
    }

    #[test]
    fn the_beginning_of_a_size_is_recognised() {
        for (code, number, expected) in [
            ("heb", "2", true),
            ("heb", "20", true),
            ("heb", "200", false),
            ("heb", "21", false),
            ("ipe", "8", true),
            ("ro", "48", true),
            ("ro", "4", true),
            ("ro", "40", false),
            ("rd", "2", false),
        ] {
            assert_eq!(find_family(code).unwrap().is_begun(number), expected, "{code} {number}");
        }
    }
}
