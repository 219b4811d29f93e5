//! Golden quotes: some 500 carts of a fictitious seller with their prices in `testdata/quotes.json`. A change
//! of the calculation changes that file and is seen in review.
//!
//! `STALHOF_WRITE_QUOTES=1 cargo test --locked -p stalhof --test it golden_quotes` writes it.

mod carts;
mod seller;

use std::{fmt::Write as _, path::Path};

use serde_json::{Value, json};

use self::{
    carts::{Cart, all_carts},
    seller::{BUYERS, Seller},
};

const PATH: &str = "/api/admin/quotes";
const CARTS_IN_A_CALL: usize = 100;

#[actix_web::test]
async fn carts_match_the_golden_quotes() {
    let seller = Seller::new().await;
    let carts = all_carts();
    assert!(carts.len() >= 500, "{}", carts.len());
    let mut lines = Vec::with_capacity(carts.len());
    for carts in carts.chunks(CARTS_IN_A_CALL) {
        // the seller's users see everything, those of a buyer only their own part
        let mut answers = vec![Value::Null; carts.len()];
        for asks in [None, Some(BUYERS[0])] {
            let (places, bodies): (Vec<_>, Vec<_>) = (0..)
                .zip(carts)
                .filter(|(_, cart)| cart.asked_by_buyer == asks.is_some())
                .map(|(place, cart): (usize, &Cart)| (place, cart.body(&seller)))
                .unzip();
            if places.is_empty() {
                continue;
            }
            let client = asks.map_or(&seller.user, |_| &seller.buyer);
            let body = json!({ "carts": bodies, "explain": true });
            let mut quoted = client.post(PATH, body).await.is(200);
            for (place, quote) in places.iter().zip(quoted["data"].as_array_mut().unwrap()) {
                answers[*place] = quote.take();
            }
        }
        for (cart, answer) in carts.iter().zip(&answers) {
            let golden = json!({ "cart": cart.text(), "answer": answer_text(&seller, answer) });
            lines.push(golden.to_string());
        }
    }
    let written = format!("[\n{}\n]\n", lines.join(",\n"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/quotes.json");
    if std::env::var_os("STALHOF_WRITE_QUOTES").is_some() {
        std::fs::write(&file, &written).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    let differing: Vec<_> =
        golden.lines().zip(written.lines()).filter(|(golden, now)| golden != now).collect();
    let shown: Vec<_> =
        differing.iter().take(5).map(|(golden, now)| format!("golden {golden}\n   now {now}")).collect();
    assert!(
        golden == written,
        "{} golden quotes differ. If that is meant, set STALHOF_WRITE_QUOTES=1, run the test again and look at the changes:\n{}",
        differing.len(),
        shown.join("\n")
    );
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}

/// Answer without parts that differ between databases, one text for each line and item.
fn answer_text(seller: &Seller, quote: &Value) -> Value {
    let mut answer = json!({
        "base": quote["base"], "total": quote["total"], "weight": quote["weight"],
        "lines": quote["lines"].as_array().unwrap().iter().map(|line| line_text(seller, line)).collect::<Vec<_>>(),
    });
    if quote["rounding"] != "0" {
        answer["rounding"] = quote["rounding"].clone();
    }
    if !quote["margin"].is_null() {
        answer["margin"] = margin_text(&quote["margin"]).into();
    }
    answer
}

fn margin_text(margin: &Value) -> String {
    format!("{} = {} %", text(&margin["amount"]), text(&margin["percent"]))
}

fn line_text(seller: &Seller, line: &Value) -> Value {
    let errors = line["errors"].as_array().unwrap();
    if !errors.is_empty() {
        let error = |error: &Value| match error["field"].as_str() {
            Some(field) => format!("{field}: {}", text(&error["code"])),
            None => text(&error["code"]).to_owned(),
        };
        return json!(errors.iter().map(error).collect::<Vec<_>>());
    }
    let why = &line["explanation"];
    let mut price = price_text(seller, &why["price"]);
    if !line["internal"].is_null() {
        let internal = price_text(seller, &why["internal_price"]);
        write!(price, "; costs {} by {internal}", text(&line["internal"])).unwrap();
    }
    if !line["margin"].is_null() {
        write!(price, "; margin {}", margin_text(&line["margin"])).unwrap();
    }
    let items = line["items"].as_array().unwrap().iter().map(item_text);
    let warnings = line["warnings"].as_array().unwrap().iter();
    let warnings = warnings.map(|warning| format!("warning {}", text(&warning["message"])));
    json!([price].into_iter().chain(items).chain(warnings).collect::<Vec<_>>())
}

fn price_text(seller: &Seller, price: &Value) -> String {
    let source = price["list_id"]
        .as_i64()
        .map(|list| seller.lists[&list].to_owned())
        .or_else(|| price["stock_id"].as_i64().map(|stock| seller.stocks[&stock].clone()));
    let money = &price["price"];
    let mut summary = format!(
        "{}: {} for {} {}",
        source.unwrap(),
        text(&money["price"]),
        text(&money["price_quantity"]),
        text(&money["unit"])
    );
    if let Some(from) = price["quantity_from"].as_str() {
        write!(summary, " from {from} {}", text(&price["quantity_unit"])).unwrap();
    }
    summary
}

fn item_text(item: &Value) -> String {
    let mut summary = format!(
        "{} {} -> {} = {}",
        text(&item["type"]),
        text(&item["base"]),
        text(&item["total"]),
        text(&item["exact"])
    );
    if let Some(weight) = item["weight"].as_str() {
        write!(summary, ", {weight} kg").unwrap();
    }
    let why = &item["explanation"];
    if !why["processing_price"].is_null() {
        write!(summary, ", by {}", text(&why["processing_price"]["source"])).unwrap();
    }
    for step in why["steps"].as_array().unwrap() {
        let (name, outcome, amount) = (text(&step["name"]), text(&step["outcome"]), text(&step["amount"]));
        let step = match outcome {
            "applied" | "floored" => {
                let exact = text(&step["exact"]);
                let exact = if exact == amount { String::new() } else { format!(" = {exact}") };
                let floored = if outcome == "floored" { " floored" } else { "" };
                format!("; {name} {amount}{exact}{floored}")
            }
            // adjustments for other items or carts are left out
            "conditions" | "not_this_item" => continue,
            outcome => format!("; {name} {outcome}"),
        };
        summary.push_str(&step);
    }
    if why["rounding"] != "0" {
        write!(summary, "; rounding {}", text(&why["rounding"])).unwrap();
    }
    summary
}
