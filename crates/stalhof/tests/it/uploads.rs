//! Uploads that break off, are very slow, or are invalid, and answers to maliciously large files.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use actix_web::{
    HttpServer,
    http::{Method, header::CONTENT_TYPE},
};
use rust_xlsxwriter::Workbook;
use sea_orm::{ConnectionTrait, Statement};

use crate::{
    catalog::{Catalog, id},
    imports::{IMPORTS, articles, ended, for_north},
    support::{Answer, Client, Form, TestApp},
};

/// Serves the application on a port of its own, for the duration of the test.
async fn listening(app: &TestApp) -> SocketAddr {
    let (state, _) = app.otherwise(false, None).await;
    let server = HttpServer::new(move || api::app::app(state.clone()))
        .workers(1)
        .disable_signals()
        .bind("127.0.0.1:0")
        .unwrap();
    let address = server.addrs()[0];
    actix_web::rt::spawn(server.run());
    address
}

/// Raw answer to a call without a body: its head without parts that vary, and the rest.
async fn heard(address: SocketAddr, client: &Client, method: Method, uri: &str) -> (Vec<String>, Vec<u8>) {
    let token = client.token.clone().unwrap();
    let uri = uri.to_owned();
    let answer = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "{method} {uri} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    });
    let answer = answer.await.unwrap();
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let lines = head.split("\r\n").filter(|line| {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        !["date", "x-request-id", "set-cookie"].contains(&&*name)
    });
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    lines[1..].sort();
    (lines, answer[end + 4..].to_vec())
}

#[actix_web::test]
async fn head_sends_the_headers_of_get_without_a_body() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let address = listening(&app).await;
    for uri in [
        "/api/admin/materials",
        "/api/admin/materials/999999",
        "/api/config",
        "/api/openapi.json",
        "/healthz",
    ] {
        let (head, nothing) = heard(address, &admin, Method::HEAD, uri).await;
        let (get, body) = heard(address, &admin, Method::GET, uri).await;
        assert_eq!((head, nothing), (get, Vec::new()), "{uri}");
        assert_eq!(body.is_empty(), uri == "/healthz", "{uri}");
    }
}

/// Starts an upload: sends the head and a part of the announced file.
fn begin_upload(address: SocketAddr, client: &Client, uri: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let token = client.token.as_deref().unwrap();
    let body =
        "--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nabc;def\r\n";
    let head = format!(
        "POST {uri} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: multipart/form-data; boundary=limit\r\nContent-Length: 1000000\r\n\r\n{body}"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

async fn spooled(app: &TestApp, wanted: usize) {
    let spool = app.folder.path().join("spool");
    for _ in 0..2_000 {
        if std::fs::read_dir(&spool).unwrap().count() == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("not {wanted} files in the spool");
}

/// Answer while the upload continues at one byte per `millis` milliseconds, and the time from `started` until
/// it came.
async fn answered(mut stream: TcpStream, millis: u64, started: Instant) -> (String, Duration) {
    let answer = tokio::task::spawn_blocking(move || {
        let mut answer = vec![0; 4096];
        stream.set_read_timeout(Some(Duration::from_millis(millis))).unwrap();
        loop {
            match stream.read(&mut answer) {
                Ok(read) => return String::from_utf8_lossy(&answer[..read]).into_owned(),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    // The server may have closed meanwhile; then the answer is read next.
                    let _ = stream.write_all(b"x");
                }
                Err(error) => return error.to_string(),
            }
        }
    });
    (answer.await.unwrap(), started.elapsed())
}

#[actix_web::test]
async fn a_slow_or_stalled_upload_ends_after_ten_seconds_and_leaves_nothing() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let address = listening(app).await;
    let uri = for_north(app);
    let started = Instant::now();
    let (dripping, silent) = (begin_upload(address, admin, &uri), begin_upload(address, admin, &uri));
    spooled(app, 2).await;
    let (dripping, silent) =
        tokio::join!(answered(dripping, 500, started), answered(silent, 60_000, started));
    for (answer, took) in [dripping, silent] {
        assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("request_timeout"), "{answer}");
        assert!((10..30).contains(&took.as_secs()), "{took:?}");
    }
    spooled(app, 0).await;
}

#[actix_web::test]
async fn an_aborted_upload_leaves_nothing() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let address = listening(app).await;
    let stream = begin_upload(address, admin, &for_north(app));
    spooled(app, 1).await;
    drop(stream);
    spooled(app, 0).await;

    let half_closed = begin_upload(address, admin, &for_north(app));
    half_closed.shutdown(std::net::Shutdown::Write).unwrap();
    let (answer, _) = answered(half_closed, 60_000, Instant::now()).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    spooled(app, 0).await;
}

async fn send_raw(client: &Client, uri: &str, content_type: &str, body: impl Into<Vec<u8>>) -> Answer {
    let request = client.request(Method::POST, uri).insert_header((CONTENT_TYPE, content_type));
    client.call(request.set_payload(body.into())).await
}

#[actix_web::test]
async fn an_invalid_form_is_reported_at_the_file() {
    const FORM: &str = "multipart/form-data; boundary=limit";
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let north = for_north(app);
    let part = "--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n";
    for (what, kind, body) in [
        ("nothing", FORM, String::new()),
        ("no form", FORM, "Artikeltyp;Länge\r\n".to_owned()),
        ("no end", FORM, format!("{part}\r\nabc")),
        (
            "a part within a part",
            FORM,
            format!("{part}Content-Type: multipart/mixed\r\n\r\nabc\r\n--limit--\r\n"),
        ),
        ("a length that is none", FORM, format!("{part}Content-Length: viel\r\n\r\nabc\r\n--limit--\r\n")),
        ("no name", FORM, "--limit\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--limit--\r\n".to_owned()),
        ("no head", FORM, "--limit\r\n\r\nabc\r\n--limit--\r\n".to_owned()),
        ("a head without end", FORM, format!("--limit\r\nContent-Disposition: {}", "x".repeat(1 << 20))),
        ("no boundary", "multipart/form-data", format!("{part}\r\nabc\r\n--limit--\r\n")),
    ] {
        let refused = send_raw(admin, &north, kind, body).await;
        assert_eq!(refused.status.as_u16(), 422, "{what}: {:?}", refused.bytes);
        let refused = refused.is_refused_at(&["file"]);
        assert!(refused["errors"]["file"][0].as_str().unwrap().contains("not a complete form"), "{what}");
    }
    for name in
        ["a\0.csv", "a\r\n.csv", "a\n.csv", "a\r\nX: b.csv", "a\u{1}.csv", "a\u{7f}.csv", "a\u{85}.csv"]
    {
        let form = Form::new().field("type", "Article").file(name, "a;b\r\n");
        form.send(admin, &north).await.is_refused_at(&["file"]);
    }
    assert_eq!(admin.get(IMPORTS).await.is(200)["meta"]["total"], 0, "nothing was queued");
    spooled(app, 0).await;
}

#[actix_web::test]
async fn maliciously_large_files_get_short_answers() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    let mib = "x".repeat(1_000_000);
    let cell = &mib[..32_767];
    let workbook = |header: &[&str], row: &[&str]| {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        sheet.write_row(0, 0, header.iter().copied()).unwrap();
        sheet.write_row(1, 0, row.iter().copied()).unwrap();
        workbook.save_to_buffer().unwrap()
    };
    let names = ["Artikeltyp", "Höhe", "Länge [m]"];
    let files = [
        format!("Artikeltyp;{mib}\r\na;b\r\n").into_bytes(),
        format!("Artikeltyp{};Höhe\r\na;b\r\n", " ".repeat(900_000) + "x").into_bytes(),
        format!("Artikeltyp;Höhe;Länge [m]\r\n{mib};1;1\r\n{cell};{cell};{cell}\r\n").into_bytes(),
        workbook(&["Artikeltyp", cell], &["a", "b"]),
        workbook(&names, &[cell, cell, cell]),
    ];
    for (index, file) in files.into_iter().enumerate() {
        let name = format!("{}.csv", "ä".repeat(300));
        let form = Form::new().field("type", "Article").file(&name, file);
        let answer = form.send(admin, &for_north(app)).await;
        assert!(answer.bytes.len() < 3_000, "{index}: {}", answer.bytes.len());
        let import = ended(admin, &answer.is(201)).await;
        assert_eq!(import["status"], "Failed", "{import}");
        let uri = format!("{IMPORTS}/{}", id(&import));
        for uri in [uri.clone(), format!("{uri}/errors?page[size]=200")] {
            let answer = admin.get(&uri).await;
            assert!(answer.bytes.len() < 5_000, "{index}: {uri} {}", answer.bytes.len());
            answer.is(200);
        }
    }
    let list = admin.get(IMPORTS).await;
    assert!(list.bytes.len() < 20_000, "{}", list.bytes.len());
    workers.end().await;
}

#[actix_web::test]
async fn long_reasons_are_shortened_in_the_list() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let form = articles("Artikeltyp\r\nx\r\n");
    let import = form.send(admin, &for_north(app)).await.is(201);
    let long = "ä".repeat(500_000);
    let reasons = format!(
        r#"[{}{{"code":"column_missing","params":[["column","Höhe"],["found","{long}"]]}}]"#,
        format!(r#"{{"code":"column_unknown","params":[["column","{long}"]]}},"#).repeat(3)
    );
    let write = async |sql: &str, values: Vec<sea_orm::Value>| {
        let tx = app.db.begin().await.unwrap();
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
        tx.execute_raw(statement).await.unwrap();
        tx.commit().await.unwrap();
    };
    let set = "UPDATE import SET status = 'Failed', status_message = $1 WHERE id = $2";
    write(set, vec![reasons.into(), id(&import).into()]).await;
    let shown = admin.get(IMPORTS).await;
    assert!(shown.bytes.len() < 20_000, "{}", shown.bytes.len());
}
