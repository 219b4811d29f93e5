//! Former and trade names of materials that people still use: `St 37-2` is S235JR.

/// Name that is no longer in a standard.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FormerName {
    /// Folded names without signs and spaces.
    names: &'static [&'static str],
    /// Beginnings of the current names and numbers that a search for it matches.
    pub(crate) beginnings: &'static [&'static str],
    /// Current names and numbers, by which an import finds the material. If several of them exist, the name
    /// is ambiguous.
    pub(crate) today: &'static [&'static str],
}

const fn former_name(
    names: &'static [&'static str],
    beginnings: &'static [&'static str],
    today: &'static [&'static str],
) -> FormerName {
    FormerName { names, beginnings, today }
}

const FORMER: &[FormerName] = &[
    former_name(&["st37", "st372", "ust372", "rst372"], &["s235"], &["s235jr"]),
    former_name(&["st373"], &["s235j"], &["s235j2"]),
    former_name(&["st44", "st442"], &["s275"], &["s275jr"]),
    former_name(&["st443"], &["s275j"], &["s275j2"]),
    former_name(&["st52", "st523"], &["s355"], &["s355j2"]),
    former_name(&["st502"], &["e295"], &["e295"]),
    former_name(&["st602"], &["e335"], &["e335"]),
    former_name(&["st702"], &["e360"], &["e360"]),
    former_name(&["st12"], &["dc01"], &["dc01"]),
    former_name(&["st13"], &["dc03"], &["dc03"]),
    former_name(&["st14"], &["dc04"], &["dc04"]),
    former_name(&["ck45"], &["c45e"], &["c45e"]),
    former_name(&["ck15"], &["c15e"], &["c15e"]),
    former_name(&["9smn28"], &["11smn30"], &["11smn30"]),
    former_name(&["9smnpb28"], &["11smnpb30"], &["11smnpb30"]),
    former_name(&["bst500", "bst500s"], &["b500b"], &["b500b"]),
    former_name(&["st33"], &["s185"], &["s185"]),
    former_name(&["st350", "st358", "st3580"], &["p235"], &["p235tr1", "p235gh"]),
    former_name(&["hii"], &["p265gh"], &["p265gh"]),
    former_name(&["15mo3"], &["16mo3"], &["16mo3"]),
    former_name(&["17mn4"], &["p295gh"], &["p295gh"]),
    former_name(&["19mn6"], &["p355gh"], &["p355gh"]),
    former_name(&["ste355"], &["s355n", "p355n"], &["s355n", "p355n"]),
    former_name(&["wtst523", "cortenb", "corten"], &["s355j2w", "s355j0w"], &["s355j2w"]),
    // EN 10025:1990
    former_name(&["fe360"], &["s235"], &["s235jr"]),
    former_name(&["fe360b"], &["s235jr"], &["s235jr"]),
    former_name(&["fe360c"], &["s235j0"], &["s235j0"]),
    former_name(&["fe360d1", "fe360d2"], &["s235j2"], &["s235j2"]),
    former_name(&["fe430"], &["s275"], &["s275jr"]),
    former_name(&["fe430b"], &["s275jr"], &["s275jr"]),
    former_name(&["fe510"], &["s355"], &["s355jr", "s355j0", "s355j2"]),
    former_name(&["fe510b"], &["s355jr"], &["s355jr"]),
    former_name(&["fe510c"], &["s355j0"], &["s355j0"]),
    former_name(&["fe510d1", "fe510d2"], &["s355j2"], &["s355j2"]),
    // NF A 35-501
    former_name(&["e242"], &["s235jr"], &["s235jr"]),
    former_name(&["e363"], &["s355"], &["s355j0", "s355j2"]),
    // AISI
    former_name(&["aisi303"], &["1.4305"], &["1.4305"]),
    former_name(&["aisi304"], &["1.4301"], &["1.4301"]),
    former_name(&["aisi304l", "304l"], &["1.4306", "1.4307"], &["1.4306", "1.4307"]),
    former_name(&["aisi316"], &["1.4401"], &["1.4401"]),
    former_name(&["aisi316l", "316l"], &["1.4404"], &["1.4404"]),
    former_name(&["aisi316ti", "316ti"], &["1.4571"], &["1.4571"]),
    former_name(&["aisi430"], &["1.4016"], &["1.4016"]),
    former_name(&["aisi4140"], &["1.7225"], &["1.7225"]),
    former_name(&["v2a"], &["1.4301"], &["1.4301"]),
    former_name(&["v4a"], &["1.4401", "1.4404", "1.4571"], &["1.4401", "1.4404", "1.4571"]),
];

/// Finds the former name in a folded text, with or without signs and spaces.
pub(crate) fn find(folded: &str) -> Option<&'static FormerName> {
    let bare: String = folded.chars().filter(|c| !matches!(c, ' ' | '-' | '.')).collect();
    FORMER.iter().find(|former| former.names.contains(&&*bare))
}

/// All former names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FORMER.iter().flat_map(|former| former.names.iter().copied())
}

#[cfg(test)]
mod tests {
    use values::fold;

    use super::*;

    #[test]
    fn former_names_are_recognised_in_any_spelling() {
        for (text, today) in [
            ("St 37-2", Some("s235jr")),
            ("ST37-2", Some("s235jr")),
            ("RSt 37-2", Some("s235jr")),
            ("St37", Some("s235jr")),
            ("St 52-3", Some("s355j2")),
            ("Ck 45", Some("c45e")),
            ("9 S Mn Pb 28", Some("11smnpb30")),
            ("V2A", Some("1.4301")),
            ("St 370", None),
            ("S235JR", None),
            ("", None),
        ] {
            assert_eq!(find(&fold(text)).map(|former| former.today[0]), today, "{text}");
        }
    }

    #[test]
    fn every_former_name_is_unique() {
        let unique: std::collections::HashSet<_> = names().collect();
        assert_eq!(unique.len(), names().count());
    }
}
