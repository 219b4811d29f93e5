//! Test of FTP settings over HTTP against a small FTP server, and uploads of price files in other formats.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, Catalog},
    imports::{IMPORTS, counts, ended},
    support::{Client, Form, TestApp},
    warehouses::warehouse,
};

const PATH: &str = "/api/admin/ftp-settings";
const TEST: &str = "/api/admin/ftp-settings/test";
const HOST: &str = "127.9.9.9";
const PASSWORD: &str = "kanarienvogel-7391";
const DATANORM: &[u8] = include_bytes!("../../../feeds/src/transformer/samples/datanorm5.001");
const BMECAT: &[u8] = include_bytes!("../../../feeds/src/transformer/samples/bmecat12.xml");

type Files = BTreeMap<&'static str, Vec<u8>>;

/// FTP server with files in one folder that records its commands.
struct FtpServer {
    port: u16,
    commands: Arc<Mutex<Vec<String>>>,
}

impl FtpServer {
    async fn start(files: Files) -> Self {
        let listener = TcpListener::bind((HOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let commands = Arc::<Mutex<Vec<String>>>::default();
        let (files, heard) = (Arc::new(files), commands.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, files.clone(), heard.clone()));
            }
        });
        Self { port, commands }
    }

    fn commands(&self) -> Vec<String> {
        self.commands.lock().unwrap().clone()
    }
}

async fn serve(
    stream: TcpStream,
    files: Arc<Files>,
    commands: Arc<Mutex<Vec<String>>>,
) -> std::io::Result<()> {
    let mut line = BufReader::new(stream);
    let mut data = None;
    line.write_all(b"220 Lagerserver bereit\r\n").await?;
    loop {
        let mut command = String::new();
        if line.read_line(&mut command).await? == 0 {
            return Ok(());
        }
        let command = command.trim_end().to_owned();
        commands.lock().unwrap().push(command.clone());
        let (verb, argument) = command.split_once(' ').unwrap_or((&command, ""));
        let answer = match verb {
            "USER" => "331 password?".to_owned(),
            "PASS" if argument == PASSWORD => "230 welcome".to_owned(),
            "PASS" => format!("530 Login incorrect for {argument}."),
            "FEAT" => "211-Features:\r\n MLST type*;size*;modify*;\r\n211 End".to_owned(),
            "EPSV" => {
                let listener = TcpListener::bind((HOST, 0)).await?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                format!("229 Extended (|||{port}|)")
            }
            "SIZE" => files
                .get(argument)
                .map_or_else(|| "550 no such file".to_owned(), |file| format!("213 {}", file.len())),
            "MLSD" | "RETR" => {
                let content = if verb == "RETR" {
                    files.get(argument).cloned().unwrap_or_default()
                } else {
                    let entry = |(name, file): (&&str, &Vec<u8>)| {
                        format!("type=file;size={};modify=20261128060000; {name}\r\n", file.len())
                    };
                    files.iter().map(entry).collect::<String>().into_bytes()
                };
                let (mut to, _) = data.take().unwrap().accept().await?;
                line.write_all(b"150 here it comes\r\n").await?;
                to.write_all(&content).await?;
                to.shutdown().await?;
                "226 done".to_owned()
            }
            "QUIT" => "221 bye".to_owned(),
            _ => "200 ok".to_owned(),
        };
        line.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
}

/// Settings of the server without files to fetch.
fn settings(port: u16) -> Value {
    let file = json!({ "enabled": false, "file_name": null, "transformer": "standard" });
    let mut price = file.clone();
    price["as_price_list"] = false.into();
    json!({
        "protocol": "ftp", "host": HOST, "port": port, "username": "nord", "password": PASSWORD,
        "price_file": price, "stock_file": file, "schedules": {}, "after_reading": "leave",
    })
}

fn outcomes(test: &Value) -> Vec<&str> {
    test["steps"].as_array().unwrap().iter().map(|step| step["outcome"].as_str().unwrap()).collect()
}

/// User of a tenant with an article and the warehouse `L`, on a server that may connect to this machine.
async fn tenant() -> (Catalog, Client, String) {
    let catalog = Catalog::new().await;
    let article = catalog.admin.post(ARTICLES, catalog.article(0, "9")).await.is(201);
    let user = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
    let (_, user) = catalog.app.with_secret_key(&user).await;
    user.post("/api/admin/warehouses", warehouse("Leipzig", "L")).await.is(201);
    let number = article["article_number"].as_str().unwrap().to_owned();
    (catalog, user, number)
}

#[actix_web::test]
async fn a_test_connects_lists_fetches_and_plans_without_writing() {
    let (catalog, user, number) = tenant().await;
    let stocks = format!("Artikelnummer;Lager;Menge\r\n{number};L;5\r\nX-0;L;7\r\n");
    let files = Files::from([
        ("bestand_20261127.csv", b"alt".to_vec()),
        ("bestand_20261128.csv", stocks.into_bytes()),
    ]);
    let server = FtpServer::start(files).await;
    let mut input = settings(server.port);
    input["stock_file"]["file_name"] = "bestand_{yyyyMMdd}.csv".into();
    let before = user.get("/api/admin/audit").await.is(200)["data"].as_array().unwrap().len();

    let test = user.post(TEST, json!({ "file": "stock", "settings": input })).await.is(200);
    assert_eq!(outcomes(&test), ["done", "done", "done", "skipped", "done"], "{test:#}");
    assert_eq!(test["steps"][0]["answer"], "220 Lagerserver bereit");
    assert!(test["steps"][2]["duration_ms"].is_u64() && test["steps"][3]["duration_ms"].is_null());
    let names = json!(["bestand_20261128.csv", "bestand_20261127.csv"]);
    assert_eq!(test["folder"], json!({ "entries": 2, "unsafe_names": 0, "matching": 2, "names": names }));
    assert_eq!(test["fetched"]["name"], "bestand_20261128.csv");
    let plan = &test["plan"];
    assert_eq!((&plan["type"], &plan["rows"], &plan["problems"]), (&json!("Stock"), &json!(2), &json!([])));
    let quantity = json!({ "name": "Menge", "field": "Quantity" });
    assert!(plan["columns"].as_array().unwrap().contains(&quantity), "{plan:#}");
    assert_eq!((&plan["counts"]["created"], &plan["counts"]["refused"]), (&json!(1), &json!(1)), "{plan:#}");
    assert_eq!((&plan["refused"][0]["line"], &plan["refused"][0]["rows"]), (&json!(3), &json!(1)));

    for list in [PATH, IMPORTS, "/api/admin/stocks"] {
        assert_eq!(user.get(list).await.is(200)["data"], json!([]), "{list}");
    }
    assert_eq!(user.get("/api/admin/audit").await.is(200)["data"].as_array().unwrap().len(), before);
    let uploads = catalog.app.folder.path().join("uploads/imports");
    let kept = std::fs::read_dir(uploads).map_or(0, Iterator::count);
    assert_eq!(kept, 0, "the fetched file was kept");
    let changes =
        |command: &String| ["DELE", "RNFR", "RNTO", "STOR"].iter().any(|verb| command.starts_with(verb));
    assert!(!server.commands().iter().any(changes), "{:?}", server.commands());
}

#[actix_web::test]
async fn a_price_file_of_another_format_is_converted_before_it_is_planned() {
    let (_catalog, user, _) = tenant().await;
    let server = FtpServer::start(Files::from([("preise.001", DATANORM.to_vec())])).await;
    let mut input = settings(server.port);
    input["price_file"]["file_name"] = "preise.001".into();
    input["price_file"]["transformer"] = "datanorm".into();
    let test = user.post(TEST, json!({ "file": "price", "settings": input })).await.is(200);
    assert_eq!(outcomes(&test), ["done"; 5], "{test:#}");
    assert_eq!(test["transformed"], json!({ "rows": 4, "problem_count": 0, "problems": [] }));
    let plan = &test["plan"];
    assert!(plan["problems"][0].as_str().unwrap().contains("Warehouse"), "{plan:#}");
    assert_eq!((&plan["counts"], &plan["refused"]), (&json!(null), &json!([])));

    // same file with a profile that adds the warehouse
    let settings = json!({ "constants": [{ "field": "warehouse", "value": "L" }] });
    let profile = json!({ "name": "Werk", "type": "Price", "settings": settings, "mapping": [] });
    let profile = user.post("/api/admin/import-profiles", profile).await.is(201);
    input["price_profile_id"] = profile["id"].clone();
    let test = user.post(TEST, json!({ "file": "price", "settings": input })).await.is(200);
    assert_eq!(test["plan"]["problems"], json!([]), "{test:#}");
    assert_eq!(test["plan"]["counts"]["unresolved"], 4, "{test:#}");

    input["price_file"]["transformer"] = "bmecat".into();
    let test = user.post(TEST, json!({ "file": "price", "settings": input })).await.is(200);
    assert_eq!(outcomes(&test), ["done", "done", "done", "failed", "skipped"]);
    assert_eq!(test["steps"][3]["code"], "file_damaged");
}

#[actix_web::test]
async fn a_failed_step_has_a_reason_and_the_following_ones_are_skipped() {
    let (_catalog, user, _) = tenant().await;
    let server = FtpServer::start(Files::from([("a.csv", b"x".to_vec())])).await;
    let mut input = settings(server.port);
    input["price_file"]["file_name"] = "preise.csv".into();
    let test = async |change: Value| {
        let mut input = input.clone();
        input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        user.post(TEST, json!({ "file": "price", "settings": input })).await.is(200)
    };
    let missing = test(json!({})).await;
    assert_eq!(outcomes(&missing), ["done", "done", "failed", "skipped", "skipped"]);
    assert_eq!(missing["steps"][2]["code"], "remote_file_missing");
    assert!(missing["steps"][2]["message"].as_str().unwrap().contains("preise.csv"));

    let refused = test(json!({ "password": "falsch-4711" })).await;
    assert_eq!(outcomes(&refused), ["failed", "skipped", "skipped", "skipped", "skipped"]);
    assert_eq!(refused["steps"][0]["code"], "remote_sign_in_refused");
    assert_eq!(refused["steps"][0]["answer"], "530 Login incorrect for ***.");

    let closed = { TcpListener::bind((HOST, 0)).await.unwrap().local_addr().unwrap().port() };
    let closed = test(json!({ "port": closed })).await;
    assert_eq!(closed["steps"][0]["code"], "host_unreachable");

    let folder = user.post(TEST, json!({ "file": null, "settings": input })).await.is(200);
    assert_eq!(outcomes(&folder), ["done", "done", "skipped", "skipped", "skipped"]);
    assert_eq!(folder["folder"]["entries"], 1);
}

#[actix_web::test]
async fn a_stored_password_is_tested_only_with_its_own_server_and_user() {
    let (_catalog, user, _) = tenant().await;
    let [server, other] = [FtpServer::start(Files::new()).await, FtpServer::start(Files::new()).await];
    user.post(PATH, settings(server.port)).await.is(201);
    let mut input = settings(server.port);
    input.as_object_mut().unwrap().remove("password");
    let same = user.post(TEST, json!({ "file": null, "settings": input })).await.is(200);
    assert_eq!(outcomes(&same)[..2], ["done", "done"]);
    assert!(server.commands().contains(&format!("PASS {PASSWORD}")));

    for change in
        [json!({ "port": other.port }), json!({ "username": "sued" }), json!({ "host": "localhost" })]
    {
        let mut input = input.clone();
        input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let refused = user.post(TEST, json!({ "file": null, "settings": input })).await.is(422);
        assert_eq!(refused["code"], "remote_credential_missing", "{change}");
    }
    assert_eq!(other.commands(), Vec::<String>::new());
}

#[actix_web::test]
async fn invalid_settings_are_not_tested() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let mut input = settings(21);
    input["host"] = "ftp://werk.example".into();
    input["base_path"] = "..".into();
    let wrong = user.post(TEST, json!({ "file": "price", "settings": input })).await.is(422);
    let codes = json!({
        "settings.host": ["invalid_host"], "settings.protocol": ["plain_ftp_forbidden"],
        "settings.base_path": ["remote_path_invalid"], "settings.price_file.file_name": ["required"],
    });
    assert_eq!(wrong["error_codes"], codes);
}

#[actix_web::test]
async fn transformers_are_listed_with_samples() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::default()).await;
    let list = user.get("/api/admin/transformers").await.is(200);
    let names: Vec<_> = list["data"].as_array().unwrap().iter().map(|entry| &entry["name"]).collect();
    assert_eq!(names, ["standard", "import_profile", "datanorm", "bmecat"]);
    let datanorm = &list["data"][2];
    assert_eq!((&datanorm["version"], &datanorm["file_kinds"]), (&json!(2), &json!(["price"])));
    assert!(datanorm["samples"][0]["input"].as_str().unwrap().contains("IPE-Träger"));
    assert!(datanorm["samples"][1]["output"].as_str().unwrap().contains("\"1285.00\""));
}

#[actix_web::test]
async fn an_uploaded_price_file_of_another_format_is_read_on_demand() {
    let (catalog, user, number) = tenant().await;
    let user = user.german();
    let article = user.get(ARTICLES).await.is(200)["data"][0]["id"].clone();
    let matching = json!({ "article_id": article, "external_article_number": "IPE200" });
    user.post("/api/admin/matchings", matching).await.is(201);
    let stock = json!({ "article_number": number, "warehouse_short_code": "L", "quantity": "5" });
    user.put("/api/v1/stocks", json!({ "items": [stock] })).await.is(200);
    let form = |r#type: &str, content: &[u8]| Form::new().field("type", r#type).file("preise.dat", content);
    let inspect = format!("{IMPORTS}/inspect");
    for (content, code) in [(DATANORM, "file_datanorm"), (BMECAT, "file_xml")] {
        let refused = form("Price", content).send(&user, &inspect).await.is(422);
        assert_eq!(refused["error_codes"]["file"], json!([code]));
    }
    let stocks =
        form("Stock", DATANORM).field("price_format", "datanorm").send(&user, &inspect).await.is(422);
    assert_eq!(stocks["error_codes"]["price_format"], json!(["transformer_prices_only"]));
    let wrong = form("Price", BMECAT).field("price_format", "datanorm").send(&user, &inspect).await.is(422);
    assert_eq!(wrong["error_codes"]["file"], json!(["transformer_format"]));

    let found = form("Price", BMECAT).field("price_format", "bmecat").send(&user, &inspect).await.is(200);
    assert!(found["notes"].to_string().contains("auf Anfrage"), "{}", found["notes"]);
    let settings = r#"{"constants":[{"field":"warehouse","value":"L"}]}"#;
    let upload = form("Price", DATANORM).field("price_format", "datanorm").field("settings", settings);
    let import = upload.send(&user, IMPORTS).await.is(201);
    assert_eq!(import["upload_file"], "preise.dat.csv");
    let workers = catalog.app.workers().await;
    let import = ended(&user, &import).await;
    workers.end().await;
    assert_eq!(
        (&import["rows_updated"], &import["rows_unresolved"]),
        (&json!(1), &json!(3)),
        "{:?}",
        counts(&import)
    );
    let price = &user.get("/api/admin/prices").await.is(200)["data"][0];
    assert_eq!(price["external_price"]["price"], "1285", "{price:#}");
}
