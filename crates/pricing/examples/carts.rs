//! Carts of 20 lines that are priced in a second, with 50 lists of 100,000 prices and 50 adjustments in play,
//! with and without explanation and its JSON; how long it takes to compile such a book, and how large it is.
//!
//! `cargo run --release -p pricing --example carts [processors] [seconds]`

use std::{
    io::{self, Write},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use catalog::quantity::Relation;
use chrono_tz::Tz;
use pricing::{
    condition::{self, Condition},
    price_adjustment::terms::{Adjustment, ApplyTo, CalculationType, ItemType, Operation, Value},
    price_list::{ListScope, ListType, PriceList, seller_lists::List},
    price_side::Side,
    quote::{
        Buyer, Cart, Line, Moment, Viewpoint,
        article::Article,
        book::{Book, Builder},
        explain::{CartExplanation, LineExplanation, explain},
        quote,
    },
};
use values::{Decimal, Money, TenantId, Unit};

const SELLER: TenantId = TenantId(1);
const BUYER: i64 = 2;
const LISTS: i64 = 50;
const ARTICLES: i64 = 100_000;
const ADJUSTMENTS: i64 = 50;
const LINES: i64 = 20;
const CARTS: i64 = 500;
const TURNS: u32 = 20;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse::<u64>().ok());
    let processors = arguments.next().unwrap_or(2);
    let lasts = Duration::from_secs(arguments.next().unwrap_or(5));
    let mut out = io::stdout();

    let began = Instant::now();
    let book = Arc::new(book());
    let (prices, bytes) = (book.prices(), book.bytes());
    writeln!(out, "{prices} prices compiled in {:?}", began.elapsed())?;
    writeln!(out, "{} MB a million prices, {} MB in all", bytes / prices, bytes / 1_000_000)?;

    let carts: Arc<Vec<Cart>> = Arc::new((0..CARTS).map(cart).collect());
    // by turns: what else the machine does slows all of them alike
    let mut counted = [0; WAYS.len()];
    for _ in 0..TURNS {
        for (way, counted) in WAYS.into_iter().zip(&mut counted) {
            let threads: Vec<_> = (0..processors)
                .map(|offset| {
                    let (book, carts) = (book.clone(), carts.clone());
                    thread::spawn(move || priced(&book, &carts, offset, lasts / TURNS, way))
                })
                .collect();
            *counted += threads.into_iter().map(|thread| thread.join().unwrap_or_default()).sum::<u64>();
        }
    }
    for (way, counted) in WAYS.into_iter().zip(counted) {
        let second = counted / lasts.as_secs().max(1);
        writeln!(out, "{way:?}: {second} carts of {LINES} lines a second on {processors} processors")?;
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Plain,
    /// Calculation with everything that an explanation is made of.
    Explained,
    /// Calculation and the explanation itself, with its names and trees.
    Written,
    /// Calculation, explanation and its JSON.
    Json,
}

const WAYS: [Way; 4] = [Way::Plain, Way::Explained, Way::Written, Way::Json];

fn priced(book: &Book, carts: &[Cart], offset: u64, lasts: Duration, way: Way) -> u64 {
    let began = Instant::now();
    let mut counted = 0;
    let start = usize::try_from(offset).unwrap_or_default() * 97;
    for cart in carts.iter().cycle().skip(start) {
        let quote = quote(book, cart, Viewpoint::Seller, way != Way::Plain);
        assert!(quote.lines.iter().all(|line| line.refused.is_empty()), "every line has a price");
        if matches!(way, Way::Written | Way::Json) {
            let explanation = explain(book, cart, &quote, cart.moment.at);
            if way == Way::Json {
                std::hint::black_box(json(explanation.as_ref()));
            }
            std::hint::black_box(explanation);
        }
        std::hint::black_box(&quote);
        counted += 1;
        if counted % 64 == 0 && began.elapsed() >= lasts {
            return counted;
        }
    }
    counted
}

/// Lines are written without their items, which the API shows elsewhere.
fn json(explanation: Option<&(CartExplanation<'_>, Vec<LineExplanation<'_>>)>) -> Vec<u8> {
    let items = explanation.map(|(_, lines)| lines.iter().map(|line| &line.items).collect::<Vec<_>>());
    serde_json::to_vec(&(explanation, items)).expect("an explanation is JSON")
}

fn decimal(text: &str) -> Decimal {
    text.parse().expect("a decimal")
}

fn noon() -> values::Instant {
    "2026-11-24T11:00:00Z".parse().expect("a moment")
}

fn book() -> Book {
    let lists = (1..=LISTS).map(list).collect();
    let adjustments = (1..=ADJUSTMENTS).map(adjustment).collect();
    let mut builder = Builder::new(SELLER, Vec::new(), lists, adjustments);
    for list in 1..=LISTS {
        for article in 0..ARTICLES {
            // so that carts are priced by many lists: what comes later in rank has more of the articles
            if (article + list) % LISTS <= list + 5 {
                let price = Decimal::from_millionths((700_000 + (article * 7 + list * 13) % 400_000) * 1_000);
                let price = Money { price, price_quantity: Decimal::ONE, unit: Unit::Tonne };
                builder.entry(list, article, &Side { price: Some(price), ..Side::default() });
            } else {
                let price = Money { price: decimal("9.5"), price_quantity: decimal("10"), unit: Unit::Metre };
                builder.entry(list, article, &Side { price: Some(price), ..Side::default() });
            }
        }
    }
    builder.build()
}

fn list(id: i64) -> List {
    let own = id % 3 == 0;
    List {
        head: PriceList {
            id,
            owner_tenant_id: Some(SELLER),
            owner_tenant_group_id: None,
            name: format!("Liste {id}"),
            name_fold: String::new(),
            name_sort: String::new(),
            customer_name: None,
            customer_name_fold: String::new(),
            customer_name_sort: String::new(),
            announce: false,
            r#type: ListType::Sales,
            scope: if own { ListScope::Own } else { ListScope::Global },
            valid_from: noon() - chrono::TimeDelta::days(id),
            valid_until: None,
            price_count: 0,
            version: 1,
            created_at: noon(),
            updated_at: noon(),
        },
        tenants: if own { vec![BUYER] } else { Vec::new() },
        excluded: Vec::new(),
        groups: Vec::new(),
    }
}

fn adjustment(id: i64) -> Adjustment {
    use CalculationType::{Absolute, PerKg, PerTon, RelativeToAdjusted, RelativeToBase};
    let (calculation_type, value) = match id % 5 {
        0 => (Absolute, "4.5"),
        1 => (PerTon, "12"),
        2 => (RelativeToAdjusted, "0.75"),
        3 => (RelativeToBase, "0.5"),
        _ => (PerKg, "0.0025"),
    };
    let text = match id % 4 {
        0 => None,
        1 => Some("all(cart_weight >= 5 t, not(weekday in (saturday, sunday)))"),
        2 => Some("any(item_weight > 2 t, item_quantity >= 10 piece, material in (3, 7))"),
        _ => Some("all(adjusted_cart_total > 1000, any(article_type in (1, 2), category in (5)))"),
    };
    let parsed = |text: &str| -> Condition { condition::text::parse(text).expect("a condition") };
    Adjustment {
        id,
        owner: Some(SELLER),
        position: id,
        name: format!("Anpassung {id}"),
        active: true,
        operation: if id % 2 == 0 { Operation::Discount } else { Operation::Surcharge },
        value: Value::Fixed(decimal(value)),
        calculation_type,
        conditions: text.map(parsed),
        ignore_on_further_adjustments: id % 7 == 0,
        apply_to: ApplyTo::ItemType { item_types: vec![ItemType::Article] },
        tenant_ids: Vec::new(),
        tenant_group_ids: Vec::new(),
        excluded_tenant_ids: Vec::new(),
        purchase_constraints: None,
        valid_from: None,
        valid_until: None,
    }
}

fn cart(number: i64) -> Cart {
    let relation = |of: Unit, amount: &str, unit: Unit| Relation { from: of, amount: decimal(amount), unit };
    let line = |place: i64| {
        let id = (number * 7_919 + place * 104_729) % ARTICLES;
        let relations =
            vec![relation(Unit::Piece, "12.1", Unit::Metre), relation(Unit::Metre, "61.3", Unit::Kilogram)];
        let mut article = Article::from_relations(id, Unit::Metre, relations);
        article.article_number = format!("A-{id}");
        article.article_type_id = id % 5;
        article.material_id = Some(id % 11);
        article.categories = vec![id % 9, 100];
        Line {
            article: Arc::new(article),
            quantity: Decimal::from(i32::try_from(place % 12 + 1).unwrap_or(1)),
            unit: Unit::Piece,
            warehouse: None,
            processings: Vec::new(),
        }
    };
    Cart {
        buyer: Some(Buyer { tenant: BUYER, groups: vec![4] }),
        moment: Moment::new(noon(), Tz::Europe__Berlin),
        lines: (0..LINES).map(line).collect(),
    }
}
