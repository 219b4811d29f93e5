//! DATANORM 4 and 5: prices of articles (record A) and changes of prices (record P).
//!
//! Prices are in cents. A list price (1) becomes a price, a net price (2) an internal price, and so does a
//! list price with its percentages of discount. Discount groups and other discounts are in other files and
//! are not calculated. In version 4 a change of a price has no price unit: that of the article stays.

use std::io::{BufRead, Read};

use encoding_rs::WINDOWS_1252;
use values::{Decimal, Message};

use super::{NumberColumn, Problem, RowQueue, StepReader, TransformedRow, heading};
use crate::codes;

/// The headings of the table of a DATANORM file with the sender's numbers, and with our own.
pub const DATANORM_HEADINGS: [&str; 10] = [
    heading::NUMBER,
    heading::EXTERNAL_NUMBER,
    heading::NAME,
    heading::PRICE,
    heading::PRICE_QUANTITY,
    heading::PRICE_UNIT,
    heading::INTERNAL_PRICE,
    heading::INTERNAL_PRICE_QUANTITY,
    heading::INTERNAL_PRICE_UNIT,
    heading::CURRENCY,
];

/// The longest line, in bytes. Records have 128 characters, those of some programs a few hundred.
const LINE_BYTES_MAX: usize = 4096;
/// The character at which files of DOS end.
const END_OF_FILE: u8 = 0x1a;
/// The hundredths of a percent in the whole.
const WHOLE: i64 = 10_000;

/// The upper half of code page 850, in which DATANORM is written.
const CODE_PAGE_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤\
    ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    Four,
    Five,
}

/// Reads a DATANORM file.
#[derive(Debug)]
pub struct DatanormReader<R> {
    reader: R,
    number: NumberColumn,
    version: Version,
    currency: String,
    line: u64,
    queue: RowQueue,
}

/// A price of a record.
struct Price<'a> {
    number: &'a str,
    name: String,
    /// 1 for list prices, 2 for net prices, 9 for prices on request.
    kind: &'a str,
    cents: &'a str,
    quantity: Option<String>,
    unit: &'a str,
    /// Pairs of a kind and a value.
    discounts: &'a [&'a str],
}

impl<R: BufRead> DatanormReader<R> {
    /// Reads the header, which names version and currency.
    pub fn new(reader: R, number: NumberColumn) -> Result<Self, Problem> {
        let mut file = Self {
            reader,
            number,
            version: Version::Four,
            currency: String::new(),
            line: 0,
            queue: RowQueue::default(),
        };
        let no_datanorm = || Message::from(codes::TRANSFORMER_FORMAT).with("format", "DATANORM 4/5");
        let header = file.read_line()?.ok_or_else(|| Problem::fatal(1, no_datanorm()))?;
        let (version, currency) = read_header(&header).ok_or_else(|| Problem::fatal(1, no_datanorm()))?;
        Ok(Self { version, currency, ..file })
    }

    /// The next line that is not empty, without its end; `None` at the end of the file.
    fn read_line(&mut self) -> Result<Option<String>, Problem> {
        loop {
            let mut bytes = Vec::new();
            self.line += 1;
            let mut limited = Read::take(&mut self.reader, LINE_BYTES_MAX as u64 + 1);
            let read = limited.read_until(b'\n', &mut bytes);
            let unreadable = || Problem::fatal(self.line, codes::FILE_DAMAGED.with("line", self.line));
            read.map_err(|_| unreadable())?;
            if bytes.len() > LINE_BYTES_MAX {
                let message = codes::LINE_TOO_LONG.with("line", self.line).with("max", LINE_BYTES_MAX);
                return Err(Problem::fatal(self.line, message));
            }
            if bytes.is_empty() || bytes.first() == Some(&END_OF_FILE) {
                return Ok(None);
            }
            let line = decode(bytes.trim_ascii_end());
            if !line.is_empty() {
                return Ok(Some(line));
            }
        }
    }

    fn read_record(&mut self, line: &str) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or_default();
        let rest = |from: usize, to: usize| fields.get(from..to.min(fields.len())).unwrap_or_default();
        match (field(0), self.version) {
            // a deletion has no price
            ("A", _) if field(1) == "L" || field(1) == "X" => {}
            ("A", Version::Four) => {
                let quantity = match field(7) {
                    "" | "0" => "1",
                    "1" => "10",
                    "2" => "100",
                    "3" => "1000",
                    other => return self.refuse(field(2), heading::PRICE_QUANTITY, other),
                };
                self.add_article(Price {
                    number: field(2),
                    name: join(field(4), field(5)),
                    kind: field(6),
                    cents: field(9),
                    quantity: Some(quantity.to_owned()),
                    unit: field(8),
                    discounts: &[],
                });
            }
            ("A", Version::Five) => {
                let Some(quantity) = price_quantity(field(6)) else {
                    return self.refuse(field(2), heading::PRICE_QUANTITY, field(6));
                };
                self.add_article(Price {
                    number: field(2),
                    name: join(field(3), field(4)),
                    kind: field(7),
                    cents: field(8),
                    quantity: Some(quantity),
                    unit: field(5),
                    discounts: &[],
                });
            }
            ("P", Version::Four) => {
                // up to three articles of nine fields each
                for start in [2, 11, 20].into_iter().filter(|start| !field(*start).is_empty()) {
                    self.add(Price {
                        number: field(start),
                        name: String::new(),
                        kind: field(start + 1),
                        cents: field(start + 2),
                        quantity: None,
                        unit: "",
                        discounts: rest(start + 3, start + 9),
                    });
                }
            }
            ("P", Version::Five) => {
                // some programs keep the letter that version 4 has before the number
                let start = if field(1) == "A" && matches!(field(3), "1" | "2" | "9") { 2 } else { 1 };
                let Some(quantity) = price_quantity(field(start + 2)) else {
                    return self.refuse(field(start), heading::PRICE_QUANTITY, field(start + 2));
                };
                self.add(Price {
                    number: field(start),
                    name: String::new(),
                    kind: field(start + 1),
                    cents: field(start + 3),
                    quantity: Some(quantity),
                    unit: "",
                    discounts: rest(start + 5, start + 11),
                });
            }
            _ => {}
        }
    }

    /// Adds an article, unless its price is in another file.
    fn add_article(&mut self, price: Price<'_>) {
        if !price.cents.trim_start_matches('0').is_empty() {
            self.add(price);
        }
    }

    fn add(&mut self, price: Price<'_>) {
        let column = self.number.heading();
        if price.number.is_empty() {
            return self.refuse(price.number, column, price.number);
        }
        let cents = read_cents(price.cents);
        let (Some(cents), "1" | "2") = (cents, price.kind) else {
            // there is no price on request to import
            if price.kind != "9" {
                let (field, value) = if cents.is_none() {
                    (heading::PRICE, price.cents)
                } else {
                    ("Preiskennzeichen", price.kind)
                };
                self.refuse(price.number, field, value);
            }
            return;
        };
        let mut cells = vec![(column, price.number.to_owned())];
        let mut push = |heading: &'static str, cell: &str| {
            if !cell.is_empty() {
                cells.push((heading, cell.to_owned()));
            }
        };
        push(heading::NAME, &price.name);
        let quantity = price.quantity.unwrap_or_default();
        let internal = if price.kind == "2" { Ok(Some(cents)) } else { discounted(cents, price.discounts) };
        if price.kind == "1" {
            push(heading::PRICE, &cents.fixed(2));
            push(heading::PRICE_QUANTITY, &quantity);
            push(heading::PRICE_UNIT, price.unit);
        }
        if let Ok(Some(internal)) = internal {
            // four places, since a comma before three could separate thousands
            push(heading::INTERNAL_PRICE, &internal.fixed(if price.kind == "2" { 2 } else { 4 }));
            push(heading::INTERNAL_PRICE_QUANTITY, &quantity);
            push(heading::INTERNAL_PRICE_UNIT, price.unit);
        }
        push(heading::CURRENCY, &self.currency);
        self.queue.rows.push_back(Ok(TransformedRow { line: self.line, cells }));
        if let Err(discount) = internal {
            let message = codes::TRANSFORMER_DISCOUNT.with("line", self.line).with("value", discount);
            self.queue.rows.push_back(Err(Problem::note(self.line, message)));
        }
    }

    fn refuse(&mut self, number: &str, field: &str, value: &str) {
        let problem = Problem::record(self.line, self.number, number, &heading::PRICES, field, value);
        self.queue.rows.push_back(Err(problem));
    }
}

impl<R: BufRead> StepReader for DatanormReader<R> {
    fn queue(&mut self) -> &mut RowQueue {
        &mut self.queue
    }

    fn step(&mut self) -> Result<bool, Problem> {
        let line = self.read_line()?;
        if let Some(line) = &line {
            self.read_record(line);
        }
        Ok(line.is_some())
    }
}

impl<R: BufRead> Iterator for DatanormReader<R> {
    type Item = Result<TransformedRow, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_row()
    }
}

/// Version and currency: at fixed places in version 4, in fields in version 5.
fn read_header(line: &str) -> Option<(Version, String)> {
    let currency = |text: &str| {
        let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_code { text.to_owned() } else { String::new() }
    };
    if let Some(fields) = line.strip_prefix("V;") {
        let fields: Vec<_> = fields.split(';').map(str::trim).collect();
        let is_five = fields.first().is_some_and(|version| matches!(*version, "050" | "05"));
        return is_five.then(|| (Version::Five, currency(fields.get(3).copied().unwrap_or_default())));
    }
    let characters: Vec<char> = line.chars().collect();
    let piece = |from: usize, to: usize| {
        characters.get(from..to.min(characters.len())).unwrap_or_default().iter().collect::<String>()
    };
    let is_four = piece(0, 2) == "V ";
    if is_four && piece(123, 125) == "04" {
        return Some((Version::Four, currency(&piece(125, 128))));
    }
    // programs that pad the text before them by bytes, or not at all, write version and currency elsewhere
    let end: String = characters.iter().skip(characters.len().saturating_sub(5)).collect();
    let currency = currency(end.strip_prefix("04")?);
    (is_four && !currency.is_empty()).then_some((Version::Four, currency))
}

/// A price in cents, without a sign and not zero.
fn read_cents(text: &str) -> Option<Decimal> {
    const CENT: i64 = 10_000;
    let is_number = (1..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let cents: i64 = is_number.then(|| text.parse().ok())??;
    (cents > 0).then(|| Decimal::from_millionths(cents * CENT))
}

/// The quantity that a price of version 5 is for.
fn price_quantity(text: &str) -> Option<String> {
    let digits = text.trim_start_matches('0');
    match (text, digits) {
        ("" | "0", _) => Some("1".to_owned()),
        (_, "") => None,
        _ if digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.to_owned()),
        _ => None,
    }
}

/// A list price less its percentages, `None` without one; the error names a discount that is not calculated.
fn discounted(price: Decimal, discounts: &[&str]) -> Result<Option<Decimal>, String> {
    let mut net = None;
    for pair in discounts.chunks(2) {
        let [kind, value] = [0, 1].map(|index| pair.get(index).copied().unwrap_or_default());
        match kind {
            // a group of another file
            "" | "0" => {}
            "1" if matches!(value, "" | "0") => {}
            "1" => {
                let rate = value.parse().ok().filter(|rate| (1..WHOLE).contains(rate));
                let rate: i64 = rate.ok_or_else(|| format!("{kind};{value}"))?;
                net = net.unwrap_or(price).scaled(WHOLE - rate, WHOLE).map_or(net, Some);
            }
            _ => return Err(format!("{kind};{value}")),
        }
    }
    Ok(net)
}

fn join(first: &str, second: &str) -> String {
    [first, second].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The text of a line: UTF-8 if it is, or else code page 850, as it should be, or that of Windows, by its
/// umlauts.
pub(super) fn decode(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let count = |umlauts: &[u8]| bytes.iter().filter(|byte| umlauts.contains(byte)).count();
    let dos = count(&[0x84, 0x94, 0x81, 0x8e, 0x99, 0x9a, 0xe1]);
    let windows = count(&[0xe4, 0xf6, 0xfc, 0xc4, 0xd6, 0xdc, 0xdf]);
    if windows > dos {
        return WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned();
    }
    let upper: Vec<char> = CODE_PAGE_850.chars().collect();
    let character = |byte: &u8| match byte.checked_sub(0x80) {
        Some(index) => upper.get(usize::from(index)).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
        None => char::from(*byte),
    };
    bytes.iter().map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_page_has_128_characters() {
        assert_eq!(CODE_PAGE_850.chars().count(), 128);
        assert_eq!(decode(b"Tr\x84ger \x9ar \x81ber \xe1 \xf8"), "Träger Ür über ß °");
        assert_eq!(decode(b"Tr\xe4ger \xfcber"), "Träger über");
        assert_eq!(decode("Träger Ø".as_bytes()), "Träger Ø");
    }

    #[test]
    fn discounts_are_applied_one_after_another() {
        let price = "100".parse().unwrap();
        for (discounts, net) in [
            (&[][..], Ok(None)),
            (&["0", "17"], Ok(None)),
            (&["1", "0"], Ok(None)),
            (&["1", "5500"], Ok(Some("45"))),
            (&["1", "1000", "1", "1000"], Ok(Some("81"))),
            (&["1", "1000", "", "", "1", "333"], Ok(Some("87.003"))),
            (&["1", "10000"], Err("1;10000")),
            (&["1", "-5"], Err("1;-5")),
            (&["1", "x"], Err("1;x")),
            (&["2", "500"], Err("2;500")),
            (&["1", "1000", "3", "250"], Err("3;250")),
        ] {
            let expected = net.map(|net| net.map(|net| net.parse().unwrap())).map_err(str::to_owned);
            assert_eq!(discounted(price, discounts), expected, "{discounts:?}");
        }
    }
}
