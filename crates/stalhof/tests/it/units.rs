//! Units of measure over HTTP.

use serde_json::json;

use crate::support::TestApp;

#[actix_web::test]
async fn all_signed_in_users_see_the_units() {
    let app = TestApp::new().await;
    let shop = app.caller(Some(app.north), values::PermissionSet::default()).await;
    let units = shop.get("/api/admin/units").await.is(200);
    let metre = units["data"].as_array().unwrap().iter().find(|unit| unit["unit"] == "m").unwrap();
    let expected = json!({
        "unit": "m", "category": "length", "symbol": "m", "factor": "1000", "base": false,
        "names": ["m", "Meter", "metre", "lfm", "lfdm", "mtr", "LM", "Laufmeter", "lfd. m", "lfd.m", "lfd m"],
    });
    assert_eq!(*metre, expected);
}

#[actix_web::test]
async fn the_symbol_of_a_piece_is_in_the_language_of_the_reader() {
    let app = TestApp::new().await;
    let english = app.caller(Some(app.north), values::PermissionSet::default()).await;
    for (reader, expected) in [(english.german(), "St"), (english, "pcs")] {
        let units = reader.get("/api/admin/units").await.is(200);
        let piece = units["data"].as_array().unwrap().iter().find(|unit| unit["unit"] == "piece").unwrap();
        assert_eq!(piece["symbol"], expected);
    }
}
