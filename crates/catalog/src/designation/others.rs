//! Sections and steels that exist in the trade even if a catalogue does not have them. They are no typing
//! errors: a search for HEAA must not suggest HEA.

/// Sections of EN 10365 and of British and American standards that differ by one letter from a code of a
/// family.
const SECTIONS: &[&str] = &[
    "heaa", "hec", "hd", "hl", "hlz", "hp", "hx", "ipea", "ipeaa", "ipeo", "iper", "ipev", "uap", "upa",
    "ub", "uc", "ubp", "pfc", "ipbs", "rsj", "rsc",
];

/// Steels of EN 10083, EN 10084, EN 10087, EN 10088 and EN 10277 that differ by one character from a common
/// one.
const STEELS: &[&str] = &[
    "16mncrs5",
    "20mncr5",
    "20mncrs5",
    "42crmos4",
    "41cr4",
    "34crmo4",
    "25crmo4",
    "50crmo4",
    "30crmov9",
    "11smnpb30",
    "11smn37",
    "11smnpb37",
    "c45e",
    "c45r",
    "c35",
    "c35e",
    "c40",
    "c50",
    "c55",
    "c60",
    "c60e",
    "c22",
    "c22e",
    "c15",
    "c15e",
    "c10",
    "c10e",
    "c70",
    "dc02",
    "dc03",
    "dc04",
    "dc05",
    "dc06",
    "dx52d",
    "dx53d",
    "dx54d",
    "dx56d",
    "b500a",
    "b500c",
    "b420b",
    "b450c",
];

/// Qualities after a yield strength: EN 10025, EN 10149, EN 10210 and EN 10219.
const QUALITIES: &[&str] = &[
    "", "jr", "j0", "j2", "k2", "jrh", "j0h", "j2h", "k2h", "jrc", "j0c", "j2c", "k2c", "j0w", "j2w", "k2w",
    "j0wp", "j2wp", "n", "nl", "nh", "nlh", "m", "ml", "mh", "mlh", "mc", "nc", "q", "ql", "ql1", "jrg1",
    "jrg2", "j2g3", "j2g4", "k2g3", "k2g4", "gp",
];
const YIELD_STRENGTHS: &[&str] = &[
    "185", "235", "275", "315", "355", "420", "450", "460", "500", "550", "600", "620", "650", "690", "700",
    "890", "900", "960",
];

/// True if a folded word names something that exists, even outside the catalogue: a section, a steel, a
/// material number, or any other number.
pub(crate) fn exists(folded: &str) -> bool {
    is_section(folded.trim_end_matches('-'))
        || STEELS.contains(&folded)
        || is_structural_steel(folded)
        || folded.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
}

/// True if the code names a section that is in none of the families.
pub(super) fn is_section(code: &str) -> bool {
    SECTIONS.contains(&code)
}

fn is_structural_steel(folded: &str) -> bool {
    let Some(rest) = folded.strip_prefix('s') else { return false };
    let bare = rest.split('+').next().unwrap_or_default();
    bare.split_at_checked(3).is_some_and(|(strength, quality)| {
        YIELD_STRENGTHS.contains(&strength) && QUALITIES.contains(&quality)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_designations_are_not_typing_errors() {
        for (word, expected) in [
            ("heaa", true),
            ("hbe", false),
            ("s355nl", true),
            ("s355j2+n", true),
            ("s255jr", false),
            ("s235rj", false),
            ("1.4310", true),
            ("16mncrs5", true),
            ("42crmo5", false),
            ("rohr", false),
        ] {
            assert_eq!(exists(word), expected, "{word}");
        }
    }
}
