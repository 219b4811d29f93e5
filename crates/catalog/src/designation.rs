//! How the trade calls articles: `HEB200 S235`, `QRO 100x100x5`, `Fl 50x10`, `W.-Nr. 1,0038`. What is typed is read into
//! words, sections, sizes and material numbers, in whatever spelling, and becomes a search.

use kernel::{
    Code, Message, fold,
    search::{Edge, Needle, Search},
};

/// The reference by which articles know their material.
pub(crate) const MATERIAL: &str = "material";
/// The reference by which articles know their type.
pub(crate) const ARTICLE_TYPE: &str = "article_type";

/// More would say nothing more.
const TOKENS_MAX: usize = 12;
const TEXT_MAX: usize = 255;

/// A family of sections or shapes.
#[derive(Debug, PartialEq, Eq)]
struct Family {
    /// How it is typed, and how articles and their types may call it.
    codes: &'static [&'static str],
    /// What else articles call it.
    also: &'static [&'static str],
    /// The letter behind the size, as in `HE 200 B`.
    suffix: Option<&'static str>,
    /// One size says both sides.
    square: bool,
}

const fn family(codes: &'static [&'static str]) -> Family {
    Family { codes, also: &[], suffix: None, square: false }
}

const fn wide_flange(codes: &'static [&'static str], suffix: &'static str) -> Family {
    Family { suffix: Some(suffix), ..family(codes) }
}

const HOLLOW: &[&str] = &["hohlprofil", "hp", "hpk", "hpw", "msh"];

const FAMILIES: &[Family] = &[
    family(&["ipe"]),
    wide_flange(&["hea", "he-a", "ipbl"], "a"),
    wide_flange(&["heb", "he-b", "ipb"], "b"),
    wide_flange(&["hem", "he-m", "ipbv"], "m"),
    family(&["upe"]),
    family(&["u", "unp", "upn", "u-stahl", "u-profil"]),
    family(&["i", "inp", "ipn"]),
    family(&["l", "winkel", "winkelstahl", "winkelprofil"]),
    family(&["t", "t-stahl", "t-profil"]),
    family(&["fl", "fla", "flach", "flachstahl"]),
    family(&["bfl", "brfl", "breitflach", "breitflachstahl"]),
    family(&["rd", "rnd", "rund", "rundstahl", "ø"]),
    family(&["vkt", "vk", "4kt", "vierkant", "vierkantstahl"]),
    family(&["skt", "sk", "6kt", "sechskant", "sechskantstahl"]),
    Family {
        also: HOLLOW,
        square: true,
        ..family(&["qro", "qr", "qhp", "quadratrohr", "vierkantrohr", "shs"])
    },
    Family { also: HOLLOW, ..family(&["rro", "rr", "rhp", "rechteckrohr", "rhs"]) },
    Family { also: &["qro", "rro", "quadratrohr", "rechteckrohr"], ..family(HOLLOW) },
    family(&["ro", "rohr", "rundrohr", "chs"]),
    family(&["bl", "blech", "bleche", "tafel"]),
];

/// Older and trade names of materials, and how those begin that are meant.
const FORMER: &[(&str, &[&str])] = &[
    ("st37", &["s235"]),
    ("st44", &["s275"]),
    ("st52", &["s355"]),
    ("ck45", &["c45e"]),
    ("v2a", &["1.4301"]),
    ("v4a", &["1.4401", "1.4404", "1.4571"]),
];

/// What announces a material number: `W.-Nr.`, `W.Nr.`, `WNr`, `Werkstoff-Nr.`.
const ANNOUNCED: &[&str] =
    &["wnr", "wst", "wstnr", "werkstoffnr", "werkstoffnummer", "werkstoff", "mat", "material"];

/// One thing that a search asks for. Numbers are written with a point and without zeros that say nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Section(&'static Family, Option<Vec<String>>),
    Size(Vec<String>),
    /// Stands for itself: `12,1 m`.
    Number(String),
    /// After EN 10027-2, and how it was typed.
    MaterialNumber(String, String),
    /// The old name, and how the new ones begin.
    Former(String, &'static [&'static str]),
    Word(String),
}

/// A search for articles: each token is in number or name, or says their material or type.
pub(crate) fn articles(text: &str) -> Result<Search, Message> {
    let all = tokens(text)?.into_iter().flat_map(|token| match token {
        Token::Section(family, size) => section(family, size),
        Token::Size(size) => vec![stands(sizes(&size), Edge::Size, Edge::Number)],
        Token::Number(number) => vec![stands(spellings(&number), Edge::Number, Edge::Number)],
        token => {
            let needles = of_material(&token);
            let text = needles.iter().cloned().map(Search::Contains);
            vec![Search::Any(text.chain([Search::Refers(MATERIAL, needles.clone())]).collect())]
        }
    });
    Ok(Search::All(all.collect()))
}

/// A search for materials: by their names, former ones included, and by their number in any spelling.
pub(crate) fn materials(text: &str) -> Result<Search, Message> {
    Ok(named(&tokens(text)?))
}

/// A search for article types: the section says the type; sizes and materials beside it do not matter.
pub(crate) fn article_types(text: &str) -> Result<Search, Message> {
    let tokens = tokens(text)?;
    let telling = tokens.iter().filter_map(|token| match token {
        Token::Section(family, _) => Some(Search::Any(called(family).map(Search::Contains).collect())),
        Token::Word(word) => Some(Search::Contains(Needle::free(word))),
        _ => None,
    });
    let telling: Vec<_> = telling.collect();
    Ok(if telling.is_empty() { named(&tokens) } else { Search::All(telling) })
}

/// Each token is in the name itself.
fn named(tokens: &[Token]) -> Search {
    let all = tokens
        .iter()
        .map(|token| Search::Any(of_material(token).into_iter().map(Search::Contains).collect()));
    Search::All(all.collect())
}

/// The section's name beside its size. Sizes of several numbers tell so much that they may stand anywhere.
fn section(family: &'static Family, size: Option<Vec<String>>) -> Vec<Search> {
    let size = size.map(|size| match &size[..] {
        [number] if family.square => vec![number.clone(), number.clone()],
        _ => size,
    });
    let name = || {
        let texts = called(family).map(Search::Contains);
        Search::Any(texts.chain([Search::Refers(ARTICLE_TYPE, called(family).collect())]).collect())
    };
    match size.as_deref() {
        None => vec![name()],
        Some([number]) => {
            let mut beside = Vec::new();
            for number in spellings(number) {
                let codes = family
                    .codes
                    .iter()
                    .flat_map(|code| ["", " ", "-"].map(|gap| format!("{code}{gap}{number}")));
                beside.extend(codes.map(|text| needle(text, Edge::Word, Edge::Number)));
                let suffixed = family.suffix.map(|letter| {
                    ["he {}{}", "he {} {}", "he{}{}", "he-{}-{}"]
                        .map(|form| form.replacen("{}", &number, 1).replacen("{}", letter, 1))
                });
                beside
                    .extend(suffixed.into_iter().flatten().map(|text| needle(text, Edge::Word, Edge::Word)));
            }
            vec![Search::Any(beside.into_iter().map(Search::Contains).collect())]
        }
        Some(size) => vec![name(), stands(sizes(size), Edge::Size, Edge::Number)],
    }
}

/// What articles and types of a family are called by: short codes stand alone, words may go on.
fn called(family: &'static Family) -> impl Iterator<Item = Needle> {
    family.codes.iter().chain(family.also).map(|code| {
        let after = if code.chars().count() <= 4 { Edge::Letters } else { Edge::Free };
        needle((*code).to_owned(), Edge::Word, after)
    })
}

/// How a material may be called that a token says; what else it may be is told by any text.
fn of_material(token: &Token) -> Vec<Needle> {
    match token {
        Token::MaterialNumber(number, typed) => {
            let mut needles = vec![needle(number.clone(), Edge::Number, Edge::Free)];
            if is_digits(typed) {
                // as well of any number that somebody gave
                needles.push(Needle::free(typed));
            } else if typed != number {
                needles.push(needle(typed.clone(), Edge::Number, Edge::Number));
            }
            needles
        }
        Token::Former(name, beginnings) => {
            let begin = beginnings.iter().map(|start| needle((*start).to_owned(), Edge::Word, Edge::Free));
            [needle(name.clone(), Edge::Word, Edge::Free)].into_iter().chain(begin).collect()
        }
        Token::Word(word) => vec![Needle::free(word.clone())],
        Token::Number(number) => spellings(number).into_iter().map(Needle::free).collect(),
        Token::Size(size) => sizes(size).into_iter().map(Needle::free).collect(),
        Token::Section(family, None) => family.codes.iter().map(|code| Needle::free(*code)).collect(),
        Token::Section(family, Some(size)) => family
            .codes
            .iter()
            .flat_map(|code| sizes(size).into_iter().map(move |size| Needle::free(format!("{code}{size}"))))
            .collect(),
    }
}

fn stands(texts: Vec<String>, before: Edge, after: Edge) -> Search {
    Search::Any(texts.into_iter().map(|text| Search::Contains(needle(text, before, after))).collect())
}

fn needle(text: String, before: Edge, after: Edge) -> Needle {
    Needle { text, before, after }
}

/// Numbers write a point, names a comma.
fn spellings(number: &str) -> Vec<String> {
    if number.contains('.') {
        vec![number.to_owned(), number.replace('.', ",")]
    } else {
        vec![number.to_owned()]
    }
}

/// Numbers write `100x100x5`, names `100 x 100 x 5`.
fn sizes(size: &[String]) -> Vec<String> {
    ["x", " x "].iter().flat_map(|by| spellings(&size.join(by))).collect()
}

fn tokens(text: &str) -> Result<Vec<Token>, Message> {
    if text.chars().count() > TEXT_MAX {
        return Err(Code::TooLong.with("max", TEXT_MAX));
    }
    let mut reader = Reader::default();
    for piece in joined(&fold(text)).split([' ', ';', '|']) {
        reader.read(piece.trim_matches([',', ':', '(', ')', '"', '\'']));
    }
    let tokens = reader.finish();
    if tokens.len() > TOKENS_MAX { Err(Code::TooMany.with("max", TOKENS_MAX)) } else { Ok(tokens) }
}

/// `100 * 100×5` as `100x100x5`.
fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let digit_before = joined.trim_end_matches(' ').ends_with(|c: char| c.is_ascii_digit());
        let sign = matches!(character, 'x' | '*' | '×') && digit_before;
        let digit_after = rest.clone().find(|c| *c != ' ').is_some_and(|c| c.is_ascii_digit());
        if sign && digit_after {
            joined.truncate(joined.trim_end_matches(' ').len());
            joined.push('x');
            while rest.next_if_eq(&' ').is_some() {}
        } else {
            joined.push(character);
        }
    }
    joined
}

#[derive(Default)]
struct Reader {
    tokens: Vec<Token>,
    /// Read, but it depends on what follows: `he` of `he 200 b`, `st` of `st 37`, `w` of `w nr`.
    open: Option<String>,
}

impl Reader {
    fn finish(mut self) -> Vec<Token> {
        if let Some(open) = self.open.take() {
            self.tokens.push(Token::Word(open));
        }
        self.tokens
    }

    fn read(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        if let Some(open) = self.open.take() {
            let together = format!("{open}{piece}");
            if announces(&together) {
                return;
            }
            if starts_with_digit(piece) {
                return self.read(&together);
            }
            self.tokens.push(Token::Word(open));
        }
        if matches!(piece, "he" | "st" | "w" | "w.") {
            self.open = Some(piece.to_owned());
        } else if !announces(piece) && !self.read_suffix(piece) {
            self.read_token(piece);
        }
    }

    /// The letter of `he 200 b`, whose size was read already.
    fn read_suffix(&mut self, piece: &str) -> bool {
        let Some(Token::Word(before)) = self.tokens.last() else { return false };
        let Some(size) = before.strip_prefix("he").and_then(number) else { return false };
        let Some(family) = suffixed(piece) else { return false };
        self.tokens.pop();
        self.tokens.push(Token::Section(family, Some(vec![size])));
        true
    }

    fn read_token(&mut self, piece: &str) {
        // a unit says nothing that its number does not
        if matches!(piece, "m" | "mm") && self.tokens.last().is_some_and(Token::ends_in_number) {
            return;
        }
        let unit = piece.strip_suffix("mm").or_else(|| piece.strip_suffix('m'));
        let bare = unit.filter(|bare| size(bare).is_some()).unwrap_or(piece);
        if let Some(known) = FORMER.iter().find(|(name, _)| begins(piece, name)) {
            self.tokens.push(Token::Former(piece.to_owned(), known.1));
        } else if let Some(number) = material_number(piece) {
            self.tokens.push(Token::MaterialNumber(number, piece.to_owned()));
        } else if let Some(family) = family_called(piece) {
            self.tokens.push(Token::Section(family, None));
        } else if let Some(size) = size(bare) {
            self.read_size(size, bare);
        } else if let Some((head, rest)) = head(piece) {
            self.read_after_head(head, rest, piece);
        } else {
            self.tokens.push(Token::Word(piece.to_owned()));
        }
    }

    /// A size belongs to the section before it.
    fn read_size(&mut self, size: Vec<String>, typed: &str) {
        match self.tokens.last_mut() {
            Some(Token::Section(_, of @ None)) => *of = Some(size),
            _ => self.tokens.push(match &size[..] {
                // the digits of any number that somebody gave
                [_] if is_digits(typed) => Token::Word(typed.to_owned()),
                [number] => Token::Number(number.clone()),
                _ => Token::Size(size),
            }),
        }
    }

    /// Letters and a number in one: `heb200`, `wnr.1.0038`, `heb-200-s235jr-12.1`, or a word after all: `c45`.
    fn read_after_head(&mut self, head: &str, rest: &str, piece: &str) {
        if announces(head) {
            return self.read_token(rest);
        }
        if head == "he"
            && let Some((digits, letter)) = rest.split_at_checked(rest.len() - 1)
            && let (Some(size), Some(family)) = (number(digits), suffixed(letter))
        {
            return self.tokens.push(Token::Section(family, Some(vec![size])));
        }
        let Some(family) = family_called(head.trim_end_matches(['-', '.', '_', '/'])) else {
            return self.tokens.push(Token::Word(piece.to_owned()));
        };
        let mut parts = rest.split(['-', '_', '/']);
        let Some(size) = parts.next().and_then(size) else {
            return self.tokens.push(Token::Word(piece.to_owned()));
        };
        self.tokens.push(Token::Section(family, Some(size)));
        parts.filter(|part| !part.is_empty()).for_each(|part| self.read_token(part));
    }
}

impl Token {
    fn ends_in_number(&self) -> bool {
        match self {
            Self::Word(word) => word.ends_with(|c: char| c.is_ascii_digit()),
            Self::Section(_, size) => size.is_some(),
            Self::Size(_) | Self::Number(_) => true,
            Self::MaterialNumber(..) | Self::Former(..) => false,
        }
    }
}

fn family_called(code: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.codes.contains(&code))
}

fn suffixed(letter: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.suffix == Some(letter))
}

fn announces(piece: &str) -> bool {
    let letters: String = piece.chars().filter(|c| !matches!(c, '.' | '-' | ':')).collect();
    ANNOUNCED.contains(&&*letters)
}

/// `st37-2` begins with `st37`, `st370` does not.
fn begins(piece: &str, name: &str) -> bool {
    piece.strip_prefix(name).is_some_and(|rest| !starts_with_digit(rest))
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What stands before the first digit, and the rest.
fn head(piece: &str) -> Option<(&str, &str)> {
    let at = piece.find(|c: char| c.is_ascii_digit()).filter(|at| *at > 0)?;
    piece.split_at_checked(at)
}

/// `1.0038`, `1,0038` and `10038` as `1.0038`; also with the two digits of EN 10027-2's extension.
fn material_number(piece: &str) -> Option<String> {
    let digits: String = piece.chars().filter(char::is_ascii_digit).collect();
    let (group, rest) = digits.split_at_checked(1)?;
    let signed =
        piece.len() == digits.len() + 1 && piece.get(1..2).is_some_and(|sign| sign == "." || sign == ",");
    let plain = piece.len() == digits.len() && rest.len() == 4 && matches!(group, "1" | "2" | "3");
    let written = signed && matches!(rest.len(), 4 | 6);
    (written || plain).then(|| format!("{group}.{rest}"))
}

/// The numbers of `100x100x5` or `12,1`.
fn size(piece: &str) -> Option<Vec<String>> {
    piece.split('x').map(number).collect()
}

/// `012,10` as `12.1`.
fn number(piece: &str) -> Option<String> {
    let (whole, fraction) = piece.split_once(['.', ',']).unwrap_or((piece, "0"));
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let whole = Some(whole.trim_start_matches('0')).filter(|whole| !whole.is_empty()).unwrap_or("0");
    let fraction = fraction.trim_end_matches('0');
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens as one reads them.
    fn read(text: &str) -> String {
        let shown = |token: Token| match token {
            Token::Section(family, size) => {
                let size = size.map(|size| format!(" {}", size.join("x"))).unwrap_or_default();
                format!("<{}{size}>", family.codes.first().unwrap())
            }
            Token::Size(size) => format!("[{}]", size.join("x")),
            Token::Number(number) => format!("#{number}"),
            Token::MaterialNumber(number, _) => format!("@{number}"),
            Token::Former(name, _) => format!("~{name}"),
            Token::Word(word) => word,
        };
        tokens(text).unwrap().into_iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_typed_is_read_as_a_trader_means_it() {
        for (typed, expected) in [
            ("HEB200", "<heb 200>"),
            ("HEB 200", "<heb 200>"),
            ("heb-200", "<heb 200>"),
            ("HE-B 200", "<heb 200>"),
            ("HE-B200", "<heb 200>"),
            ("HE 200 B", "<heb 200>"),
            ("HE200B", "<heb 200>"),
            ("he 200b s355", "<heb 200> s355"),
            ("HE 200 A", "<hea 200>"),
            ("HE 200", "he200"),
            ("IPB 200", "<heb 200>"),
            ("IPBl 200", "<hea 200>"),
            ("heb 200 s235", "<heb 200> s235"),
            ("HEB200 S235 12,1m", "<heb 200> s235 #12.1"),
            ("HEB 200 S235JR, 12,10 m", "<heb 200> s235jr #12.1"),
            ("HEB-200-S235JR-12.1", "<heb 200> s235jr #12.1"),
            ("QRO 100x100x5", "<qro 100x100x5>"),
            ("qro100*100*5", "<qro 100x100x5>"),
            ("QRO 100 x 100 × 6,30 mm", "<qro 100x100x6.3>"),
            ("Quadratrohr 100", "<qro 100>"),
            ("Fl 50x10", "<fl 50x10>"),
            ("FL50 x 10 S235", "<fl 50x10> s235"),
            ("Flachstahl 50", "<fl 50>"),
            ("Rd 20 C45", "<rd 20> c45"),
            ("Ø 20", "<rd 20>"),
            ("Ø20", "<rd 20>"),
            ("6kt 17", "<skt 17>"),
            ("RO 48,3x3,2", "<ro 48.3x3.2>"),
            ("Rohr 48.3 x 3.2 nahtlos", "<ro 48.3x3.2> nahtlos"),
            ("L 100x10", "<l 100x10>"),
            ("Bl 10 S355", "<bl 10> s355"),
            ("50x10", "[50x10]"),
            ("2 x HEB 200", "2 x <heb 200>"),
            ("1.0038", "@1.0038"),
            ("1,0038", "@1.0038"),
            ("10038", "@1.0038"),
            ("1.003801", "@1.003801"),
            ("W.-Nr. 1,0038", "@1.0038"),
            ("W.Nr. 1.0038", "@1.0038"),
            ("W.Nr.1.0038", "@1.0038"),
            ("W. Nr. 1.0038", "@1.0038"),
            ("WNr 1.0038", "@1.0038"),
            ("wnr: 10038", "@1.0038"),
            ("Werkstoff-Nr. 1.0038", "@1.0038"),
            ("Bl 3 1.4301", "<bl 3> @1.4301"),
            ("St37-2", "~st37-2"),
            ("St 37-2", "~st37-2"),
            ("V2A Blech", "~v2a <bl>"),
            ("St 370", "st370"),
            ("S235JR", "s235jr"),
            ("X5CrNi18-10", "x5crni18-10"),
            ("C45", "c45"),
            ("4711", "4711"),
            ("A-4711/12", "a-4711/12"),
            ("Träger", "trager"),
            ("W.-Nr.", ""),
            (" , ", ""),
            ("he", "he"),
        ] {
            assert_eq!(read(typed), expected, "{typed}");
        }
    }

    /// Where a search looks, as patterns: `*` for anything.
    fn looked_for(search: &Search) -> Vec<String> {
        match search {
            Search::All(parts) | Search::Any(parts) => parts.iter().flat_map(looked_for).collect(),
            Search::Contains(Needle { text, before, after }) => {
                let edge = |edge: &Edge| if *edge == Edge::Free { "*" } else { "" };
                vec![format!("{}{text}{}", edge(before), edge(after))]
            }
            Search::Refers(..) => Vec::new(),
        }
    }

    #[test]
    fn digits_stay_a_part_of_any_number_also_where_they_may_be_a_material() {
        for (typed, expected) in [
            ("1234", &["*1234*"][..]),
            ("12345", &["1.2345*", "*12345*"]),
            ("123456", &["*123456*"]),
            ("1.2345", &["1.2345*"]),
            ("1,2345", &["1.2345*", "1,2345"]),
        ] {
            assert_eq!(looked_for(&articles(typed).unwrap()), expected, "{typed}");
            assert_eq!(looked_for(&materials(typed).unwrap()), expected, "{typed}");
        }
    }

    #[test]
    fn a_type_is_told_by_its_section_or_else_by_what_was_typed() {
        for (typed, expected) in [
            ("bfl 200x10 S235 1.0038", &["bfl", "brfl", "breitflach*", "breitflachstahl*", "*s235*"][..]),
            ("1.0038", &["1.0038*"]),
            ("5x10", &["*5x10*", "*5 x 10*"]),
            ("12,1", &["*12.1*", "*12,1*"]),
            ("1.0038 6x1,5", &["1.0038*", "*6x1.5*", "*6x1,5*", "*6 x 1.5*", "*6 x 1,5*"]),
            (" , ", &[]),
        ] {
            assert_eq!(looked_for(&article_types(typed).unwrap()), expected, "{typed}");
        }
    }

    #[test]
    fn what_nobody_types_is_refused() {
        assert_eq!(tokens(&"a ".repeat(13)).unwrap_err().code, Code::TooMany);
        assert_eq!(tokens(&"a".repeat(256)).unwrap_err().code, Code::TooLong);
        assert!(tokens(&"a ".repeat(12)).is_ok());
    }

    #[test]
    fn every_code_has_one_meaning() {
        let codes: Vec<_> = FAMILIES.iter().flat_map(|family| family.codes).collect();
        let unique: std::collections::HashSet<_> = codes.iter().collect();
        assert_eq!(unique.len(), codes.len());
        assert!(codes.iter().all(|code| fold(code) == ***code), "codes are compared with folded texts");
    }
}
