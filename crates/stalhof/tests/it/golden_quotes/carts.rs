//! Carts of the golden quotes: every article in all its units around its bounds, and generated ones with
//! several lines.

use std::fmt::Write as _;

use serde_json::{Value, json};
use values::Decimal;

use super::seller::{BUYERS, GOODS, PROCESSINGS, Seller, WAREHOUSES};

/// Cart of the seller.
pub(super) struct Cart {
    /// True if a user of the buyer requests it, who sees less.
    pub(super) asked_by_buyer: bool,
    buyer: Option<&'static str>,
    at: &'static str,
    lines: Vec<Line>,
}

struct Line {
    article: &'static str,
    quantity: Decimal,
    unit: &'static str,
    warehouse: Option<&'static str>,
    processings: Vec<Processing>,
}

struct Processing {
    /// Index among the seller's processings.
    number: usize,
    times: u32,
    price: Option<&'static str>,
}

/// Times before, at and after the bounds of lists, months and adjustments; the third one is a Saturday.
const MOMENTS: [&str; 8] = [
    "2040-01-20T11:00:00Z",
    "2040-02-20T11:00:00Z",
    "2040-03-10T11:00:00Z",
    "2040-04-17T06:30:00Z",
    "2040-04-30T22:30:00Z",
    "2040-05-31T22:00:00Z",
    "2040-06-12T15:45:00Z",
    "2040-07-03T09:00:00Z",
];

impl Cart {
    pub(super) fn body(&self, seller: &Seller) -> Value {
        let line = |line: &Line| {
            let processing = |done: &Processing| {
                let price = done.price.map(|price| json!({ "price": price, "unit": "piece" }));
                let id = seller.processings[done.number];
                json!({ "processing_id": id, "quantity": done.times.to_string(), "price": price })
            };
            json!({
                "article_number": line.article, "quantity": line.quantity, "unit": line.unit,
                "warehouse_short_code": line.warehouse,
                "processings": line.processings.iter().map(processing).collect::<Vec<_>>(),
            })
        };
        let mut body = json!({ "at": self.at, "lines": self.lines.iter().map(line).collect::<Vec<_>>() });
        if self.asked_by_buyer {
            body["seller_short_code"] = "NORD".into();
        } else {
            body["buyer_short_code"] = json!(self.buyer);
        }
        body
    }

    pub(super) fn text(&self) -> String {
        let buyer = self.buyer.unwrap_or("anybody");
        let by = if self.asked_by_buyer { " asks" } else { "" };
        let lines: Vec<_> = self.lines.iter().map(Line::text).collect();
        format!("{buyer}{by} at {}: {}", self.at, lines.join(", "))
    }
}

impl Line {
    fn text(&self) -> String {
        let mut text = format!("{} {} {}", self.quantity, self.unit, self.article);
        if let Some(warehouse) = self.warehouse {
            write!(text, " from {warehouse}").unwrap();
        }
        for Processing { number, times, price } in &self.processings {
            write!(text, " + {times} {}", PROCESSINGS[*number]).unwrap();
            if let Some(price) = price {
                write!(text, " for {price}").unwrap();
            }
        }
        text
    }
}

/// All carts, the same in every run.
pub(super) fn all_carts() -> Vec<Cart> {
    let mut carts = Vec::new();
    for (number, good) in GOODS.iter().enumerate() {
        for times in [1, 3, 10, 37] {
            for (unit, one) in good.same {
                let one: Decimal = one.parse().unwrap();
                carts.push(Cart {
                    asked_by_buyer: false,
                    buyer: [None, Some(BUYERS[0]), Some(BUYERS[1])][number % 3],
                    at: MOMENTS[1 + number % (MOMENTS.len() - 1)],
                    lines: vec![Line {
                        article: good.number,
                        quantity: Decimal::from_millionths(one.millionths() * times),
                        unit,
                        warehouse: None,
                        processings: Vec::new(),
                    }],
                });
            }
        }
    }
    // several lines of thirds
    for count in [2, 3, 6] {
        let line = || Line {
            article: "BOLZEN",
            quantity: Decimal::ONE,
            unit: "m",
            warehouse: None,
            processings: vec![Processing { number: 1, times: 1, price: None }],
        };
        let lines = (0..count).map(|_| line()).collect();
        carts.push(Cart { asked_by_buyer: false, buyer: None, at: MOMENTS[3], lines });
    }
    let mut dice = Dice(31);
    carts.extend((0..320).map(|_| dice.cart()));
    carts
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).unwrap()]
    }

    fn one_in(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    fn cart(&mut self) -> Cart {
        let buyer = self.pick(&[None, Some(BUYERS[0]), Some(BUYERS[0]), Some(BUYERS[1])]);
        let asked_by_buyer = buyer == Some(BUYERS[0]) && self.one_in(2);
        let lines = 1 + self.below(4);
        Cart {
            asked_by_buyer,
            buyer,
            at: self.pick(&MOMENTS),
            lines: (0..lines).map(|_| self.line(asked_by_buyer)).collect(),
        }
    }

    fn line(&mut self, asked_by_buyer: bool) -> Line {
        let good = &GOODS[usize::try_from(self.below(GOODS.len() as u64)).unwrap()];
        let (unit, one) = self.pick(good.same);
        let one: Decimal = one.parse().unwrap();
        // whole pieces, halves of them, or unrealistic cuts
        let quantity = match self.below(4) {
            0 => one.millionths() / 2,
            1 => self.pick(&[333_333, 1_000_000, 7_125_000, 61_000_000]),
            _ => one.millionths() * i64::try_from(1 + self.below(60)).unwrap(),
        };
        let processings = if self.one_in(3) { 1 + self.below(3) } else { 0 };
        Line {
            article: good.number,
            quantity: Decimal::from_millionths(quantity),
            unit,
            // a buyer does not know the ids of a seller's warehouses
            warehouse: (!asked_by_buyer && self.one_in(5)).then(|| self.pick(&WAREHOUSES)),
            processings: (0..processings).map(|_| self.processing(asked_by_buyer)).collect(),
        }
    }

    fn processing(&mut self, asked_by_buyer: bool) -> Processing {
        Processing {
            number: self.pick(&[0, 1]),
            times: u32::try_from(1 + self.below(5)).unwrap(),
            price: (!asked_by_buyer && self.one_in(4)).then(|| self.pick(&["0", "3.3333", "12.5"])),
        }
    }
}
