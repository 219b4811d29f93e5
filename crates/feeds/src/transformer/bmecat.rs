//! BMEcat 1.2 and 2005: prices or stocks of articles, in new catalogues and in updates.
//!
//! `net_list` becomes a price, with the prices of larger quantities as tiers; `net_customer` becomes an
//! internal price. Prices with tax and recommended ones are left out. BMEcat has no stock: senders put it
//! into an element of their own below `USER_DEFINED_EXTENSIONS`. If the caller names it, stocks are read in
//! place of prices.

use std::io::{self, BufRead};

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesRef, BytesStart, Event},
};
use values::{Decimal, Message};

use super::{NumberColumn, Problem, RowQueue, StepReader, TransformedRow, decoded::DecodedReader, heading};
use crate::codes;

/// The headings of the prices of a BMEcat file.
pub const BMECAT_HEADINGS: [&str; 21] = [
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
    heading::QUANTITIES_FROM[0],
    heading::BULK_PRICES[0],
    heading::QUANTITIES_FROM[1],
    heading::BULK_PRICES[1],
    heading::QUANTITIES_FROM[2],
    heading::BULK_PRICES[2],
    heading::QUANTITIES_FROM[3],
    heading::BULK_PRICES[3],
    heading::QUANTITIES_FROM[4],
    heading::BULK_PRICES[4],
    heading::LEAD_TIME,
];

/// The headings of the stocks of a BMEcat file.
pub const BMECAT_STOCK_HEADINGS: [&str; 6] = [
    heading::NUMBER,
    heading::EXTERNAL_NUMBER,
    heading::NAME,
    heading::QUANTITY,
    heading::UNIT,
    heading::LEAD_TIME,
];

/// The size of an article on the file.
const ARTICLE_BYTES_MAX: usize = 1 << 20;
/// Elements nested deeper than this are no catalogue.
const DEPTH_MAX: usize = 32;
/// Maximum number of characters of a value.
const VALUE_MAX: usize = 1_000;
/// Maximum number of prices of an article.
const PRICES_MAX: usize = 200;

/// Reads a BMEcat file.
pub struct BmecatReader<R: BufRead> {
    reader: Reader<DecodedReader<R>>,
    buffer: Vec<u8>,
    number: NumberColumn,
    /// Element of the sender with the stock.
    quantity_element: Option<String>,
    /// The currency of prices that name none.
    currency: String,
    depth: usize,
    has_root: bool,
    article: Option<Article>,
    price: Option<CatalogPrice>,
    text: String,
    queue: RowQueue,
}

#[derive(Debug, Default)]
struct Article {
    depth: usize,
    is_deleted: bool,
    number: String,
    name: String,
    unit: String,
    price_quantity: String,
    quantity: String,
    delivery_days: String,
    prices: Vec<CatalogPrice>,
}

#[derive(Debug, Default)]
struct CatalogPrice {
    kind: String,
    amount: String,
    currency: String,
    factor: String,
    lower_bound: String,
}

/// A heading and the cell below it.
type Cell = (&'static str, String);
/// A field, and the value that cannot be used.
type Unusable = (&'static str, String);

/// A price that was read: from which quantity it is valid, and its amount.
type Tier = (Decimal, Decimal);

impl<R: BufRead> BmecatReader<R> {
    /// Creates a reader; `number` is the column for article numbers, `quantity_element` the element with
    /// the quantity of a stock.
    ///
    /// # Errors
    /// If the content is damaged or no BMEcat file.
    pub fn new(reader: R, number: NumberColumn, quantity_element: Option<&str>) -> Result<Self, Problem> {
        let decoded = DecodedReader::new(reader, ARTICLE_BYTES_MAX);
        let decoded = decoded.map_err(|_| Problem::fatal(1, codes::FILE_DAMAGED.with("line", 1)))?;
        let mut reader = Reader::from_reader(decoded.ok_or_else(|| Problem::fatal(1, no_bmecat()))?);
        reader.config_mut().expand_empty_elements = true;
        Ok(Self {
            reader,
            buffer: Vec::new(),
            number,
            quantity_element: quantity_element.map(str::to_owned),
            currency: String::new(),
            depth: 0,
            has_root: false,
            article: None,
            price: None,
            text: String::new(),
            queue: RowQueue::default(),
        })
    }

    /// Reads one event; false at the end.
    fn read_event(&mut self) -> Result<bool, Message> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let outcome = match self.reader.read_event_into(&mut buffer) {
            Ok(event) => self.take(&event),
            Err(error) => Err(self.damaged(&error)),
        };
        self.buffer = buffer;
        if self.article.is_none() {
            self.reader.get_mut().begin_record();
        }
        outcome
    }

    fn take(&mut self, event: &Event<'_>) -> Result<bool, Message> {
        match event {
            Event::Start(element) => {
                self.depth += 1;
                self.text.clear();
                self.open(element)?;
            }
            Event::End(element) => {
                let name = element.local_name().into_inner().to_owned();
                self.close(&name);
                self.depth = self.depth.saturating_sub(1);
                self.text.clear();
            }
            Event::Text(part) => self.push_text(&part.xml10_content()),
            Event::CData(part) => self.push_text(&part.xml10_content()),
            Event::GeneralRef(reference) => {
                let text = resolve(reference).ok_or_else(|| self.damaged_here())?;
                self.push_text(&text);
            }
            // the name of a document type is harmless, entities of its own are not
            Event::DocType(kind) if kind.xml10_content().contains(&['[', '%'][..]) => {
                return Err(self.damaged_here());
            }
            Event::Eof if self.depth > 0 => return Err(self.damaged_here()),
            Event::Eof if !self.has_root => return Err(no_bmecat()),
            Event::Eof => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn open(&mut self, element: &BytesStart<'_>) -> Result<(), Message> {
        let name = element.local_name().into_inner();
        if self.depth > DEPTH_MAX || (self.depth == 1 && name != "BMECAT") {
            return Err(no_bmecat());
        }
        self.has_root = true;
        match name {
            "ARTICLE" | "PRODUCT" if self.article.is_none() => {
                self.reader.get_mut().begin_record();
                let is_deleted = attribute(element, "mode").is_some_and(|mode| mode == "delete");
                self.article = Some(Article { depth: self.depth, is_deleted, ..Article::default() });
            }
            "ARTICLE_PRICE" | "PRODUCT_PRICE" if self.article.is_some() => {
                let kind = attribute(element, "price_type").unwrap_or_default();
                self.price = Some(CatalogPrice { kind, ..CatalogPrice::default() });
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str) {
        let text = self.text.trim().to_owned();
        let Some(article) = &mut self.article else {
            if name == "CURRENCY" && self.currency.is_empty() {
                self.currency = text;
            }
            return;
        };
        if let Some(price) = &mut self.price {
            match name {
                "PRICE_AMOUNT" => price.amount = text,
                "PRICE_CURRENCY" => price.currency = text,
                "PRICE_FACTOR" => price.factor = text,
                "LOWER_BOUND" => price.lower_bound = text,
                "ARTICLE_PRICE" | "PRODUCT_PRICE" => {
                    article.prices.extend(self.price.take().filter(|_| article.prices.len() < PRICES_MAX));
                }
                _ => {}
            }
            return;
        }
        match name {
            "SUPPLIER_AID" | "SUPPLIER_PID" if self.depth == article.depth + 1 => article.number = text,
            "DESCRIPTION_SHORT" if article.name.is_empty() => article.name = text,
            "ORDER_UNIT" => article.unit = text,
            "PRICE_QUANTITY" => article.price_quantity = text,
            "DELIVERY_TIME" => article.delivery_days = text,
            "ARTICLE" | "PRODUCT" if self.depth == article.depth => {
                if let Some(article) = self.article.take() {
                    self.finish(&article);
                }
            }
            _ if self.quantity_element.as_deref() == Some(name) => article.quantity = text,
            _ => {}
        }
    }

    fn push_text(&mut self, text: &str) {
        let remaining = VALUE_MAX.saturating_sub(self.text.len());
        self.text.extend(text.chars().take(remaining));
    }

    /// Makes a row of an article that has ended.
    fn finish(&mut self, article: &Article) {
        if article.is_deleted {
            return;
        }
        let line = self.reader.get_ref().line();
        match self.cells(article) {
            Ok(cells) if cells.iter().any(|(heading, _)| self.is_value(heading)) => {
                self.queue.rows.push_back(Ok(TransformedRow { line, cells }));
            }
            Ok(_) => {}
            Err((field, value)) => {
                let columns: &[_] =
                    if self.quantity_element.is_some() { &[heading::QUANTITY] } else { &heading::PRICES };
                self.queue.rows.push_back(Err(Problem::record(
                    line,
                    self.number,
                    &article.number,
                    columns,
                    field,
                    &value,
                )));
            }
        }
    }

    /// The cells of an article; the error names a field and the value that cannot be used.
    fn cells(&self, article: &Article) -> Result<Vec<Cell>, Unusable> {
        let column = self.number.heading();
        if article.number.is_empty() {
            return Err((column, String::new()));
        }
        let mut cells = vec![(column, article.number.clone())];
        if !article.name.is_empty() {
            cells.push((heading::NAME, article.name.clone()));
        }
        cells.extend(match self.quantity_element {
            None => self.prices(article)?,
            Some(_) => stock(article)?,
        });
        if !article.delivery_days.is_empty() {
            let days: Option<u16> = article.delivery_days.parse().ok();
            let days = days.ok_or_else(|| (heading::LEAD_TIME, article.delivery_days.clone()))?;
            let days = if days == 1 { "1 Tag".to_owned() } else { format!("{days} Tage") };
            cells.push((heading::LEAD_TIME, days));
        }
        Ok(cells)
    }

    /// True if an import has something to change by this column.
    fn is_value(&self, heading: &str) -> bool {
        match self.quantity_element {
            None => [heading::PRICE, heading::INTERNAL_PRICE, heading::LEAD_TIME].contains(&heading),
            Some(_) => heading == heading::QUANTITY,
        }
    }

    /// The cells with the prices of an article.
    fn prices(&self, article: &Article) -> Result<Vec<Cell>, Unusable> {
        let list = tiers(article, &["net_list"]).map_err(|value| (heading::PRICE, value))?;
        let internal = tiers(article, &["net_customer", "net_customer_exp"])
            .map_err(|value| (heading::INTERNAL_PRICE, value))?;
        let mut cells = Vec::new();
        let mut push = |heading: &'static str, cell: String| {
            if !cell.is_empty() {
                cells.push((heading, cell));
            }
        };
        let quantity = match article.price_quantity.as_str() {
            "" => "1".to_owned(),
            text => quantity_text(positive(text).ok_or_else(|| (heading::PRICE_QUANTITY, text.to_owned()))?),
        };
        let unit = unit_name(&article.unit);
        if let Some((_, amount)) = list.first() {
            push(heading::PRICE, price_text(*amount));
            push(heading::PRICE_QUANTITY, quantity.clone());
            push(heading::PRICE_UNIT, unit.to_owned());
        }
        if let Some((_, amount)) = internal.first() {
            push(heading::INTERNAL_PRICE, price_text(*amount));
            push(heading::INTERNAL_PRICE_QUANTITY, quantity);
            push(heading::INTERNAL_PRICE_UNIT, unit.to_owned());
        }
        let bulk = list.get(1..).unwrap_or_default();
        if let Some((from, _)) = bulk.get(heading::BULK_PRICES.len()) {
            return Err(("Staffel", from.to_string()));
        }
        let columns = heading::QUANTITIES_FROM.into_iter().zip(heading::BULK_PRICES);
        for ((from, amount), (from_heading, price_heading)) in bulk.iter().zip(columns) {
            push(from_heading, quantity_text(*from));
            push(price_heading, price_text(*amount));
        }
        if !list.is_empty() || !internal.is_empty() {
            push(heading::CURRENCY, self.currency_of(article)?);
        }
        Ok(cells)
    }

    /// The one currency of the prices that are used.
    fn currency_of(&self, article: &Article) -> Result<String, Unusable> {
        let used = article.prices.iter().filter(|price| price.kind.starts_with("net_"));
        let currency = |price: &CatalogPrice| {
            if price.currency.is_empty() { self.currency.clone() } else { price.currency.clone() }
        };
        let mut currencies: Vec<_> = used.map(currency).collect();
        currencies.dedup();
        match currencies.as_slice() {
            [] => Ok(String::new()),
            [one] => Ok(one.clone()),
            several => Err((heading::CURRENCY, several.join(", "))),
        }
    }

    fn damaged(&self, error: &quick_xml::Error) -> Message {
        match error {
            quick_xml::Error::Io(cause) if cause.kind() == io::ErrorKind::FileTooLarge => {
                let place = self.article.as_ref().map_or("", |article| article.number.as_str());
                codes::ENTRY_TOO_LONG.with("place", place).with("max", "1 MiB")
            }
            _ => self.damaged_here(),
        }
    }

    fn damaged_here(&self) -> Message {
        codes::FILE_DAMAGED.with("line", self.reader.get_ref().line())
    }
}

impl<R: BufRead> StepReader for BmecatReader<R> {
    fn queue(&mut self) -> &mut RowQueue {
        &mut self.queue
    }

    fn step(&mut self) -> Result<bool, Problem> {
        self.read_event().map_err(|message| Problem::fatal(self.reader.get_ref().line(), message))
    }
}

impl<R: BufRead> Iterator for BmecatReader<R> {
    type Item = Result<TransformedRow, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_row()
    }
}

/// The cells with the stock of an article, in its order unit; none without a quantity.
fn stock(article: &Article) -> Result<Vec<Cell>, Unusable> {
    if article.quantity.is_empty() {
        return Ok(Vec::new());
    }
    let quantity = article.quantity.parse::<Decimal>().ok().filter(|quantity| *quantity >= Decimal::ZERO);
    let quantity = quantity.ok_or_else(|| (heading::QUANTITY, article.quantity.clone()))?;
    let mut cells = vec![(heading::QUANTITY, quantity_text(quantity))];
    if !article.unit.is_empty() {
        cells.push((heading::UNIT, unit_name(&article.unit).to_owned()));
    }
    Ok(cells)
}

/// The prices of some kinds, from the smallest quantity on. Two for one quantity contradict each other.
fn tiers(article: &Article, kinds: &[&str]) -> Result<Vec<Tier>, String> {
    let mut tiers: Vec<Tier> = Vec::new();
    for price in article.prices.iter().filter(|price| kinds.contains(&&*price.kind)) {
        let amount = positive(&price.amount).ok_or_else(|| price.amount.clone())?;
        let factor = if price.factor.is_empty() { Some(Decimal::ONE) } else { positive(&price.factor) };
        let amount = factor.and_then(|factor| amount.times(factor)).filter(|amount| *amount > Decimal::ZERO);
        let amount = amount.ok_or_else(|| price.factor.clone())?;
        let from = match price.lower_bound.as_str() {
            "" => Decimal::ONE,
            text => positive(text).ok_or_else(|| text.to_owned())?,
        };
        if tiers.iter().any(|(other, _)| *other == from) {
            return Err(price.amount.clone());
        }
        tiers.push((from, amount));
    }
    tiers.sort_by_key(|(from, _)| *from);
    Ok(tiers)
}

fn positive(text: &str) -> Option<Decimal> {
    text.strip_prefix('+').unwrap_or(text).parse().ok().filter(|value| *value > Decimal::ZERO)
}

/// A price with two, four or six places: three could be read as thousands.
fn price_text(amount: Decimal) -> String {
    let places = [2, 4].into_iter().find(|places| amount.fits(12, *places)).unwrap_or(6);
    amount.fixed(places)
}

/// A quantity as a whole number, or with other than three places, which could be read as thousands.
fn quantity_text(quantity: Decimal) -> String {
    let text = quantity.to_string();
    let has_three_places = text.split_once('.').is_some_and(|(_, places)| places.len() == 3);
    if has_three_places { quantity.fixed(4) } else { text }
}

/// A unit as traders write it, from UN/ECE's codes.
fn unit_name(code: &str) -> &str {
    match code {
        "C62" | "PCE" | "H87" | "EA" | "NMP" => "Stk",
        "KGM" => "kg",
        "TNE" => "t",
        "MTR" => "m",
        "MTK" => "m²",
        "MMT" => "mm",
        other => other,
    }
}

fn resolve(reference: &BytesRef<'_>) -> Option<String> {
    match reference.resolve_char_ref().ok()? {
        Some(character) => Some(character.to_string()),
        None => resolve_predefined_entity(reference).map(str::to_owned),
    }
}

/// An attribute by its local name.
fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = element.attributes();
    let mut readable = attributes.with_checks(false).filter_map(Result::ok);
    let attribute = readable.find(|attribute| attribute.key.local_name().into_inner() == name)?;
    attribute.normalized_value(XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
}

fn no_bmecat() -> Message {
    codes::TRANSFORMER_FORMAT.with("format", "BMEcat 1.2/2005")
}
