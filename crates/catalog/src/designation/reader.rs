//! Reader of typed text: words, sections, sizes and material numbers, in any spelling.

use values::{Message, fold};

use super::{
    family::{Family, find_family, head, is_length, suffixed},
    former_names::{self, FormerName},
    phrase::rewritten,
};
use crate::codes;

/// Maximum number of tokens; more do not narrow a search.
const TOKENS_MAX: usize = 12;
const TEXT_MAX: usize = 255;

/// Keywords before a material number: `W.-Nr.`, `W.Nr.`, `WNr`, `Werkstoff-Nr.`.
const ANNOUNCED: &[&str] = &[
    "wnr",
    "wst",
    "wstnr",
    "werkstoffnr",
    "werkstoffnummer",
    "werkstoff",
    "mat",
    "material",
    "gute",
    "guete",
    "qualitat",
    "qualitaet",
];

/// Words that may stand alone or begin the next token: `he 200 b`, `st 37`, `w. nr.`, `s 235`, `sw 17`.
const OPEN: &[&str] =
    &["he", "st", "rst", "ust", "bst", "ck", "s", "c", "sw", "w", "din", "en", "iso", "fe", "aisi"];

/// Standards for dimensions and delivery conditions of steel, ignored because section and material already
/// identify the article.
const NORMS: &[&str] = &[
    "1013", "1014", "1015", "1017", "1025", "1026", "1028", "1029", "1541", "1543", "2448", "2458", "10025",
    "10029", "10034", "10051", "10055", "10056", "10058", "10059", "10060", "10061", "10088", "10130",
    "10149", "10210", "10216", "10217", "10219", "10255", "10277", "10278", "10279", "10305", "10346",
    "10365", "59200", "59410", "59411",
];

/// Lighter and heavier IPE sections, distinguished by a letter; no other IPE of the same height replaces
/// them.
const IPE_VARIANTS: &[&str] = &["a", "aa", "o", "r", "v"];

/// Part of a search text. Numbers have a decimal point and no redundant zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Section(&'static Family, Option<Vec<String>>),
    Size(Vec<String>),
    /// Single number: `12,1 m`.
    Number(String),
    /// Length in millimetres after a section, or digits of unknown meaning.
    Length(String),
    /// Material number according to EN 10027-2, and the typed text.
    MaterialNumber(String, String),
    /// Former name, and its entry.
    Former(String, &'static FormerName),
    Word(String),
}

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Message> {
    if text.chars().count() > TEXT_MAX {
        return Err(codes::TOO_LONG.with("max", TEXT_MAX));
    }
    let mut reader = Reader::default();
    let text = joined(&fold(&separate_fractions(text)).replace(FRACTION_SLASH, "/"));
    for piece in rewritten(text.split([' ', ';', '|'])) {
        reader.read(piece.trim_matches([',', ':', '(', ')', '"', '\'']).trim_end_matches('.'));
    }
    let tokens = reader.finish();
    if tokens.len() > TOKENS_MAX { Err(codes::TOO_MANY.with("max", TOKENS_MAX)) } else { Ok(tokens) }
}

/// Character between the numbers of a folded `½`.
const FRACTION_SLASH: char = '\u{2044}';

/// Writes `1½` as `1 ½`, because folding would turn it into eleven halves.
fn separate_fractions(text: &str) -> String {
    ['½', '¼', '¾', '⅜', '⅛']
        .iter()
        .fold(text.to_owned(), |text, sign| text.replace(*sign, &format!(" {sign}")))
}

/// Writes `100 * 100×5` as `100x100x5`, and `S355J2 + N` as `S355J2+N`.
fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let before = joined.trim_end_matches(' ').len();
        let digit_before =
            joined.get(..before).is_some_and(|text| text.ends_with(|c: char| c.is_ascii_digit()));
        let sign = matches!(character, 'x' | '*' | '×') && digit_before;
        let digit_after = rest.clone().find(|c| *c != ' ').is_some_and(|c| c.is_ascii_digit());
        if (sign && digit_after) || (character == '+' && before > 0) {
            joined.truncate(before);
            joined.push(if sign { 'x' } else { '+' });
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
    /// Pending word from [`OPEN`], whose meaning depends on the next one.
    open: Option<String>,
    /// Last standard read; used only if there is nothing else.
    norm: Option<String>,
}

impl Reader {
    fn finish(mut self) -> Vec<Token> {
        if let Some(open) = self.open.take() {
            self.read_token(&open);
        }
        if let (true, Some(norm)) = (self.tokens.is_empty(), self.norm) {
            self.tokens.push(Token::Word(norm));
        }
        if self.tokens.iter().any(Token::is_rebar_grade) {
            self.tokens.iter_mut().for_each(Token::round_as_rebar);
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
            if is_norm(&together) {
                self.norm = Some(piece.to_owned());
                return;
            }
            if is_norms_word(&open) && is_norms_word(piece) {
                self.open = Some(piece.to_owned());
                return;
            }
            if continues(&open, piece) {
                return self.read(&together);
            }
            // `HE A 200`
            if let ("he", Some(family)) = (open.as_str(), suffixed(piece)) {
                self.tokens.push(Token::Section(family, None));
                return;
            }
            self.read_token(&open);
        }
        if OPEN.contains(&piece) {
            self.open = Some(piece.to_owned());
        } else if is_norm(piece) {
            self.norm = Some(piece.to_owned());
        } else if !announces(piece) && !self.read_suffix(piece) && !self.read_further_name(piece) {
            self.read_token(piece);
        }
    }

    /// Reads a suffix that changes the name before it: `Fe 360 B`, or a section that is in none of the
    /// families, such as `IPE A`.
    fn read_further_name(&mut self, piece: &str) -> bool {
        match self.tokens.last_mut() {
            Some(Token::Former(name, former)) => {
                let together = format!("{name}{piece}");
                let Some(further) = former_names::find(&together) else { return false };
                (*name, *former) = (together, further);
                true
            }
            Some(token @ Token::Section(..)) => {
                let Token::Section(family, None) = token else { return false };
                let is_other = family.codes.contains(&"ipe") && IPE_VARIANTS.contains(&piece);
                if is_other {
                    *token = Token::Word(format!("ipe {piece}"));
                }
                is_other
            }
            _ => false,
        }
    }

    /// Reads the letter of `he 200 b`, after its size.
    fn read_suffix(&mut self, piece: &str) -> bool {
        let Some(Token::Word(before)) = self.tokens.last() else { return false };
        let Some(size) = before.strip_prefix("he").and_then(number) else { return false };
        let Some(family) = suffixed(piece) else { return false };
        self.tokens.pop();
        self.tokens.push(Token::Section(family, Some(vec![size])));
        true
    }

    fn read_token(&mut self, piece: &str) {
        // The unit adds nothing to the number.
        if matches!(piece, "m" | "mm") && self.tokens.last().is_some_and(Token::ends_in_number) {
            return;
        }
        // `HEB 200 12100 mm` is not material 1.2100.
        let is_measured = self.is_measured();
        if let ("mm", true, Some(last @ Token::MaterialNumber(..))) =
            (piece, is_measured, self.tokens.last_mut())
            && let Token::MaterialNumber(_, typed) = last
            && is_digits(typed)
        {
            *last = Token::Length(typed.clone());
            return;
        }
        if let Some(length) = piece.strip_prefix("l=") {
            return self.read_length(length);
        }
        // `t=10`
        let piece = piece.split_once('=').filter(|(sign, _)| sign.len() <= 2).map_or(piece, |(_, rest)| rest);
        // `Vierkantrohr 40/40/2`
        let slashed = piece.replace('/', "x");
        let may_be_size =
            matches!(self.tokens.last(), Some(Token::Section(_, None))) || piece.matches('/').count() > 1;
        let is_size = may_be_size && size(&slashed).is_some();
        let piece = if is_size { slashed.as_str() } else { piece };
        let unit = piece.strip_suffix("mm").or_else(|| piece.strip_suffix('m'));
        let bare = unit.filter(|bare| size(bare).is_some()).unwrap_or(piece);
        if let Some(former) = former_names::find(piece) {
            self.tokens.push(Token::Former(piece.to_owned(), former));
        } else if let Some(number) = material_number(piece) {
            self.tokens.push(Token::MaterialNumber(number, piece.to_owned()));
        } else if self.is_sign(piece) {
            // `Rohr Ø 48,3`
        } else if let Some(family) = find_family(piece) {
            self.tokens.push(Token::Section(family, None));
        } else if let Some(size) = size(bare) {
            self.read_size(size, bare, piece != bare);
        } else if let Some((head, rest)) = head(piece) {
            self.read_after_head(head, rest, piece);
        } else {
            self.tokens.push(Token::Word(piece.to_owned()));
        }
    }

    /// Reads a length: `L=12100` in millimetres or `L=12,1` in metres.
    fn read_length(&mut self, typed: &str) {
        let bare = typed.trim_end_matches('m');
        self.tokens.push(match number(bare) {
            Some(number) if is_digits(bare) && is_length(&number) => Token::Length(number),
            Some(number) => Token::Number(number),
            None => Token::Word(typed.to_owned()),
        });
    }

    /// True if a section with its size has been read.
    fn is_measured(&self) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Section(_, Some(_))))
    }

    /// True for words that only announce the size of the section before them.
    fn is_sign(&self, piece: &str) -> bool {
        matches!(piece, "ø" | "sw" | "profil" | "stahl" | "trager")
            && matches!(self.tokens.last(), Some(Token::Section(_, None)))
    }

    /// Reads a size; it belongs to the section before it, if there is one.
    fn read_size(&mut self, size: Vec<String>, typed: &str, has_unit: bool) {
        let is_measured = self.is_measured();
        match self.tokens.last_mut() {
            Some(Token::Section(_, missing_size @ None)) => *missing_size = Some(size),
            _ => self.tokens.push(match &size[..] {
                [number] if is_measured && is_digits(typed) && is_length(number) => {
                    Token::Length(number.clone())
                }
                // Digits may be a part of any number.
                [_] if is_digits(typed) && !has_unit => Token::Word(typed.to_owned()),
                [number] => Token::Number(number.clone()),
                _ => Token::Size(size),
            }),
        }
    }

    /// Reads letters and a number in one piece: `heb200`, `wnr.1.0038`, `heb-200-s235jr-12.1`, or a plain
    /// word: `c45`.
    fn read_after_head(&mut self, head: &str, rest: &str, piece: &str) {
        if announces(head) {
            return self.read_token(rest);
        }
        if (head == "sw" || self.is_sign(head))
            && let Some(size) = size(rest)
        {
            return self.read_size(size, rest, true);
        }
        if head == "he"
            && let Some((digits, letter)) = rest.split_at_checked(rest.len() - 1)
            && let (Some(size), Some(family)) = (number(digits), suffixed(letter))
        {
            return self.tokens.push(Token::Section(family, Some(vec![size])));
        }
        let word = || Token::Word(piece.to_owned());
        let Some(family) = find_family(head.trim_end_matches(['-', '.', '_', '/'])) else {
            return self.tokens.push(word());
        };
        let mut parts = rest.split(['-', '_', '/']);
        let Some((size, further)) = parts.next().and_then(size_and_further) else {
            return self.tokens.push(word());
        };
        self.tokens.push(Token::Section(family, Some(size)));
        let further = Some(further).filter(|further| !matches!(*further, "m" | "mm"));
        further
            .into_iter()
            .chain(parts)
            .filter(|part| !part.is_empty())
            .for_each(|part| self.read_token(part));
    }
}

impl Token {
    /// True for steel of reinforcing bars: `B500B` of DIN 488 and similar grades.
    fn is_rebar_grade(&self) -> bool {
        match self {
            Self::Former(_, former) => former.today.contains(&"b500b"),
            Self::Word(word) => {
                let digits = word.strip_prefix('b').and_then(|rest| rest.get(..3));
                matches!(digits, Some("420" | "450" | "500" | "550"))
            }
            _ => false,
        }
    }

    /// Turns a round bar into a reinforcing bar: `Ø12 B500B`.
    fn round_as_rebar(&mut self) {
        if let (Self::Section(family, _), Some(rebar)) = (self, find_family("bst"))
            && family.codes.contains(&"rd")
        {
            *family = rebar;
        }
    }

    fn ends_in_number(&self) -> bool {
        match self {
            Self::Word(word) => word.ends_with(|c: char| c.is_ascii_digit()),
            Self::Section(_, size) => size.is_some(),
            Self::Size(_) | Self::Number(_) | Self::Length(_) => true,
            Self::MaterialNumber(..) | Self::Former(..) => false,
        }
    }
}

/// True if a piece continues the pending word: `s 235` and `c 45` are grades.
fn continues(open: &str, piece: &str) -> bool {
    let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
    match open {
        "s" | "bst" => digits == 3,
        "c" => digits == 2,
        open => digits > 0 && !is_norms_word(open),
    }
}

fn is_norms_word(piece: &str) -> bool {
    matches!(piece, "din" | "en" | "iso")
}

/// True for a standard: `en10025-2:2019` or `dinen10219`.
fn is_norm(piece: &str) -> bool {
    let strip = |text| ["din", "en", "iso"].iter().find_map(|word| str::strip_prefix(text, *word));
    let mut rest = piece;
    while let Some(stripped) = strip(rest) {
        rest = stripped.trim_start_matches('-');
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let is_further = |c: char| c.is_ascii_digit() || matches!(c, '-' | ':');
    rest.len() < piece.len()
        && rest
            .split_at_checked(digits)
            .is_some_and(|(number, further)| NORMS.contains(&number) && further.chars().all(is_further))
}

fn announces(piece: &str) -> bool {
    let letters: String = piece.chars().filter(|c| !matches!(c, '.' | '-' | ':')).collect();
    ANNOUNCED.contains(&&*letters)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Splits `200s235jr` into a size and the rest.
fn size_and_further(piece: &str) -> Option<(Vec<String>, &str)> {
    let end =
        piece.find(|c: char| !c.is_ascii_digit() && !matches!(c, 'x' | '.' | ',')).unwrap_or(piece.len());
    let (measured, further) = piece.split_at_checked(end)?;
    Some((size(measured)?, further))
}

/// Reads `1.0038`, `1,0038` and `10038` as `1.0038`; also with the two digits of EN 10027-2's extension.
fn material_number(piece: &str) -> Option<String> {
    let digits: String = piece.chars().filter(char::is_ascii_digit).collect();
    let (group, rest) = digits.split_at_checked(1)?;
    let signed =
        piece.len() == digits.len() + 1 && piece.get(1..2).is_some_and(|sign| sign == "." || sign == ",");
    let plain = piece.len() == digits.len() && rest.len() == 4 && matches!(group, "1" | "2" | "3");
    let written = signed && matches!(rest.len(), 4 | 6);
    (written || plain).then(|| format!("{group}.{rest}"))
}

/// Reads the numbers of `100x100x5` or `12,1`.
fn size(piece: &str) -> Option<Vec<String>> {
    piece.split('x').map(number).collect()
}

/// Normalises `012,10` to `12.1`.
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

    /// Formats tokens for assertions.
    fn read(text: &str) -> String {
        let display = |token: Token| match token {
            Token::Section(family, size) => {
                let size = size.map(|size| format!(" {}", size.join("x"))).unwrap_or_default();
                format!("<{}{size}>", family.codes.first().unwrap())
            }
            Token::Size(size) => format!("[{}]", size.join("x")),
            Token::Number(number) => format!("#{number}"),
            Token::Length(number) => format!("#{number}mm"),
            Token::MaterialNumber(number, _) => format!("@{number}"),
            Token::Former(name, _) => format!("~{name}"),
            Token::Word(word) => word,
        };
        tokens(text).unwrap().into_iter().map(display).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn designations_are_read_in_the_spellings_of_the_trade() {
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
            ("2 x HEB 200", "<heb 200>"),
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
            ("Träger", "<trager>"),
            ("Traeger", "<trager>"),
            ("HEB-Träger 200", "<heb 200>"),
            ("Bl. 10", "<bl 10>"),
            ("Fl.50x10", "<fl 50x10>"),
            ("HEB200S235JR", "<heb 200> s235jr"),
            ("FL50x10S355J2+N", "<fl 50x10> s355j2+n"),
            ("Sechskant SW17", "<skt 17>"),
            ("Sechskant SW 17", "<skt 17>"),
            ("SW 17", "#17"),
            ("6kt17", "<skt 17>"),
            ("BSt 12", "<bst 12>"),
            ("BSt 500 S 12", "~bst500 s 12"),
            ("BSt", "<bst>"),
            ("Rohr Ø 48,3 x 3,2", "<ro 48.3x3.2>"),
            ("Rohr Ø48,3x3,2", "<ro 48.3x3.2>"),
            ("Blech t=10 mm", "<bl 10>"),
            ("Flachstahl 50x10x6000", "<fl 50x10x6000>"),
            ("Fl 50x10 6000 mm", "<fl 50x10> #6000mm"),
            ("HEB 200 12100 mm", "<heb 200> #12100mm"),
            ("HEB 200 10038", "<heb 200> @1.0038"),
            ("HEB Profil 200", "<heb 200>"),
            ("Vierkantrohr 40/40/3", "<qro 40x40x3>"),
            ("Fl 50x10 6m", "<fl 50x10> #6"),
            ("HEB 200 S 235 JR", "<heb 200> s235 jr"),
            ("Rd 20 C 45", "<rd 20> c45"),
            ("S355J2 + N", "s355j2+n"),
            ("HEB 200 DIN 1025", "<heb 200>"),
            ("HEB 200 DIN EN 10025-2 S235JR", "<heb 200> s235jr"),
            ("Rohr 48,3x3,2 EN10219", "<ro 48.3x3.2>"),
            ("DIN EN 10025-2:2019", "10025-2:2019"),
            ("DIN 933", "din 933"),
            ("EN AW-6060", "en aw-6060"),
            ("W.-Nr.", ""),
            (" , ", ""),
            ("he", "he"),
        ] {
            assert_eq!(read(typed), expected, "{typed}");
        }
    }

    #[test]
    fn counts_lengths_and_materials_beside_a_designation_are_read() {
        for (typed, expected) in [
            ("3 Stück HEB 200", "<heb 200>"),
            ("HEAA 200", "heaa 200"),
            ("HE A 200", "<hea 200>"),
            ("IPE A 200", "ipe a 200"),
            ("Ø12 B500B", "<bst 12> b500b"),
            ("Ø 12 BSt 500 S", "<bst 12> ~bst500 s"),
            ("HEB 200 L=12100", "<heb 200> #12100mm"),
            ("HEB 200 L=12,1 m", "<heb 200> #12.1"),
            ("HEB 200 Länge 12100 mm", "<heb 200> #12100mm"),
            ("Rohr 1½\"", "<ro 48.3>"),
            ("Rohr ½\"", "<ro 21.3>"),
            ("Rohr DN40", "<ro 48.3>"),
            ("100/100/5", "[100x100x5]"),
            ("Fe 360 B", "~fe360b"),
            ("AISI 304", "~aisi304"),
            ("Flat bar 50x10 S235", "<fl 50x10> s235"),
        ] {
            assert_eq!(read(typed), expected, "{typed}");
        }
    }

    #[test]
    fn overlong_texts_are_refused() {
        assert_eq!(tokens(&"a ".repeat(13)).unwrap_err().code, codes::TOO_MANY);
        assert_eq!(tokens(&"a".repeat(256)).unwrap_err().code, codes::TOO_LONG);
        assert!(tokens(&"a ".repeat(12)).is_ok());
    }
}
