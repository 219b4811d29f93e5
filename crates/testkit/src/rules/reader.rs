//! Test that the readers of numbers, prices and quantities pass the cases of `testdata/rules`, and agree with
//! those of the frontend forms on 10,000 spellings; likewise for durations and lead times.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Deserialize;
use values::{
    Minutes, Unit,
    reader::{self, BasisReading, NoPrice, NumberReading, Style},
};

use super::{folder, read};

type Reader = fn(&str, Style) -> Option<String>;

const STYLES: [(&str, Style); 2] = [("de", Style::Comma), ("en", Style::Point)];

fn number(text: &str, style: Style) -> Option<String> {
    reader::read_number(text, style).ok().map(reading_text)
}

fn price(text: &str, style: Style) -> Option<String> {
    let reading = reader::read_price(text, style).ok()?;
    let amount = reading_text(reading.amount);
    Some(match (reading.price_quantity, reading.unit) {
        (None, None) => amount,
        (Some(quantity), Some(unit)) => format!("{amount} / {} {}", reading_text(quantity), unit.as_str()),
        (_, unit) => format!("{amount} / {}", unit?.as_str()),
    })
}

fn quantity(text: &str, style: Style) -> Option<String> {
    let reading = reader::read_quantity(text, style, None).ok()?;
    let amount = reading_text(reading.amount);
    Some(reading.unit.map_or(amount.clone(), |unit| format!("{amount} {}", unit.as_str())))
}

fn basis(text: &str, style: Style) -> Option<String> {
    let BasisReading { quantity, unit } = reader::read_basis(text, style).ok()?;
    let parts = [quantity.map(reading_text), unit.map(|unit| unit.as_str().to_owned())];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

fn duration(text: &str, _: Style) -> Option<String> {
    Minutes::read(text).ok().map(|duration| duration.minutes().to_string())
}

fn lead_time(text: &str, _: Style) -> Option<String> {
    Minutes::read_lead_time(text).ok().map(|duration| duration.minutes().to_string())
}

fn reading_text(NumberReading { value, is_doubtful }: NumberReading) -> String {
    format!("{value}{}", if is_doubtful { "?" } else { "" })
}

#[test]
fn numbers_are_read_according_to_the_shared_table() {
    #[derive(Deserialize)]
    struct Numbers {
        cases: Vec<Case>,
    }
    #[derive(Deserialize)]
    struct Case {
        text: String,
        wire: Option<String>,
        de: Option<String>,
        en: Option<String>,
        doubt: Option<String>,
    }
    for Case { text, wire, de, en, doubt } in read::<Numbers>("decimal.json").cases {
        let decimal = text.parse::<values::Decimal>().ok();
        assert_eq!(decimal.map(|decimal| decimal.to_string()), wire, "{text:?} on the wire");
        for ((language, style), value) in STYLES.into_iter().zip([de, en]) {
            let mark = if doubt.as_deref() == Some(language) { "?" } else { "" };
            let expected = value.map(|value| format!("{value}{mark}"));
            assert_eq!(number(&text, style), expected, "{text:?} in {language}");
        }
    }
}

#[test]
fn prices_and_quantities_are_read_according_to_the_shared_table() {
    #[derive(Deserialize)]
    struct Amounts {
        units: BTreeMap<String, Vec<String>>,
        prices: Vec<Case>,
        quantities: Vec<Case>,
        bases: Vec<Case>,
        no_prices: Vec<Absence>,
    }
    #[derive(Deserialize)]
    struct Absence {
        text: String,
        is: Option<String>,
    }
    #[derive(Deserialize)]
    struct Case {
        text: String,
        de: Option<String>,
        en: Option<String>,
    }
    let Amounts { units, prices, quantities, bases, no_prices } = read("reader.json");
    for (unit, spellings) in units {
        for spelling in spellings {
            assert_eq!(Unit::parse(&spelling).map(Unit::as_str), Some(unit.as_str()), "{spelling}");
        }
    }
    let readers: [(Vec<Case>, Reader); 3] = [(prices, price), (quantities, quantity), (bases, basis)];
    for (cases, read) in readers {
        for Case { text, de, en } in cases {
            assert_eq!([de, en], STYLES.map(|(_, style)| read(&text, style)), "{text:?}");
        }
    }
    for Absence { text, is } in no_prices {
        let read = reader::read_no_price(&text).map(|absence| match absence {
            NoPrice::Dash => "dash",
            NoPrice::OnRequest => "on_request",
        });
        assert_eq!(read, is.as_deref(), "{text:?}");
    }
}

/// Compares the results for 10,000 spellings with `testdata/rules/spellings.tsv`, which the tests of the
/// forms use too. The file is generated with `STALHOF_WRITE_SPELLINGS=1 cargo test -p testkit spellings`.
#[test]
fn spellings_are_read_as_in_the_forms() {
    let path = format!("{}/spellings.tsv", folder());
    let mut now = String::from("kind\ttext\tde\ten\n");
    for (kind, text) in spellings(10_000) {
        let read: Reader = match kind {
            "number" => number,
            "price" => price,
            "quantity" => quantity,
            "duration" => duration,
            _ => lead_time,
        };
        let [de, en] = STYLES.map(|(_, style)| read(&text, style).unwrap_or_default());
        writeln!(now, "{kind}\t{text}\t{de}\t{en}").expect("a string takes all");
    }
    if std::env::var_os("STALHOF_WRITE_SPELLINGS").is_some() {
        std::fs::write(&path, &now).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("the file is there");
    let differing = expected.lines().zip(now.lines()).find(|(expected_line, now)| expected_line != now);
    assert_eq!(differing, None);
    assert_eq!(expected.len(), now.len());
}

/// Spellings from a generator with a fixed seed, none twice and most of them nearly right.
fn spellings(count: usize) -> Vec<(&'static str, String)> {
    let mut random = Random(0x5EED_0051);
    let mut seen = std::collections::HashSet::new();
    let mut spellings = Vec::new();
    while spellings.len() < count {
        let kind = random.choose(&[
            "number",
            "number",
            "number",
            "price",
            "price",
            "quantity",
            "duration",
            "lead_time",
            "lead_time",
        ]);
        let text = match kind {
            "number" => random.number(),
            "price" => random.price(),
            "quantity" => random.quantity(),
            "duration" => random.duration(),
            _ => random.lead_time(),
        };
        let text = random.spoilt(text);
        if seen.insert((kind, text.clone())) {
            spellings.push((kind, text));
        }
    }
    spellings
}

/// Xorshift generator, which gives the same spellings on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % bound
    }

    fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| self.choose(&['0', '0', '1', '2', '3', '5', '9'])).collect()
    }

    fn number(&mut self) -> String {
        let mut text = self.choose(&["", "", "", "", "-", "\u{2212}", "+"]).to_owned();
        let head = self.choose(&[0, 1, 1, 1, 2, 3, 3, 4, 7]);
        text += &self.digits(head);
        let group = self.choose(&[".", ".", ",", ",", " ", "\u{A0}", "\u{202F}", "'", "\u{2019}"]);
        for _ in 0..self.choose(&[0, 0, 0, 1, 1, 2]) {
            text += group;
            text += &self.digits(3);
        }
        let places = self.choose(&[0, 0, 1, 2, 3, 3, 4, 7]);
        if places > 0 {
            text += self.choose(&[".", ","]);
            text += &self.digits(places);
        }
        text
    }

    fn unit(&mut self) -> &'static str {
        self.choose(&[
            "t", "kg", "KG", "to", "m", "m²", "qm", "St", "Stck.", "Stück", "mm", "Pfund", "lfm.", "%",
        ])
    }

    fn price(&mut self) -> String {
        let mut text = self.number();
        text += self.choose(&["", "", "", ",-", ",--", ",\u{2013}"]);
        let space = self.choose(&["", " ", "\u{A0}", "  "]);
        let currency = self.choose(&["€", "EUR", "Euro", "eur", "$", ""]);
        text = match self.below(3) {
            0 => text,
            1 => format!("{text}{space}{currency}"),
            _ => format!("{currency}{space}{text}"),
        };
        if self.below(2) == 0 {
            text += self.choose(&["/", " / ", " je ", " pro ", " per ", " JE ", "je"]);
            if self.below(2) == 0 {
                text += self.choose(&["100", "1.000", "1,000", "1000", "0.5", "1 000", "10,"]);
                text += self.choose(&["", " "]);
            }
            text += self.unit();
        }
        text
    }

    fn quantity(&mut self) -> String {
        let (number, space) = (self.number(), self.choose(&["", " ", " ", "\u{A0}"]));
        format!("{number}{space}{}", self.unit())
    }

    fn count(&mut self) -> String {
        let digits = self.choose(&[1, 1, 2, 2, 3, 5]);
        let mut text = self.digits(digits);
        let places = self.choose(&[0, 0, 0, 1, 2, 3, 7]);
        if places > 0 {
            text += self.choose(&[".", ","]);
            text += &self.digits(places);
        }
        text
    }

    fn duration(&mut self) -> String {
        let (hours, minutes, space) = (self.count(), self.digits(2), self.choose(&["", "", " ", "\u{A0}"]));
        match self.below(4) {
            0 => format!("{hours}{space}{}", self.choose(&["", "h", "H", "m", "min"])),
            1 => format!("{hours}h{space}{minutes}m"),
            2 => format!("{hours}:{minutes}"),
            _ => minutes,
        }
    }

    fn lead_time(&mut self) -> String {
        let space = self.choose(&["", " ", " ", "\u{A0}", "  "]);
        let unit = self.choose(&[
            "",
            "d",
            "Tage",
            "TAGE",
            "tag",
            "Tg",
            "AT",
            "WT",
            "Werktage",
            "Arbeitstagen",
            "working days",
            "Wochen",
            "W.",
            "wo",
            "weeks",
            "Std.",
            "h",
            "min",
            "Minuten",
            "Monate",
        ]);
        match self.below(6) {
            0 => {
                let (shorter, longer) = (self.digits(1), self.digits(1));
                let word = self.choose(&["-", " - ", "\u{2013}", " bis ", " to ", "bis"]);
                format!("{shorter}{word}{longer}{space}{unit}")
            }
            1 => format!("{}{space}{unit} {}", self.digits(1), self.duration()),
            2 => {
                self.choose(&["sofort", "Sofort", "immediately", "immediate", "SOFORT "]).to_owned()
                    + self.choose(&["", "", "!"])
            }
            3 => self.duration(),
            _ => format!("{}{space}{unit}", self.count()),
        }
    }

    /// Damages one spelling in five: one character too many, too few or wrong.
    fn spoilt(&mut self, text: String) -> String {
        if self.below(5) > 0 {
            return text;
        }
        let mut signs: Vec<char> = text.chars().collect();
        let at = self.below(signs.len() + 1);
        let sign = self.choose(&['.', ',', ' ', '0', '1', '-', 'e', '/', '\u{200B}', '€']);
        match self.below(3) {
            0 => signs.insert(at, sign),
            1 if at < signs.len() => {
                signs.remove(at);
            }
            _ if at < signs.len() => signs[at] = sign,
            _ => {}
        }
        signs.into_iter().collect()
    }
}
