//! The handbook under `/help`. A binary without the built interface has none, and says so.

use crate::support::{Answer, TestApp};

/// True if the interface was built, which includes the handbook.
fn is_built() -> bool {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../frontend/dist/help/de/index.html").exists()
}

fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.headers.get(name).map_or("", |value| value.to_str().unwrap())
}

#[actix_web::test]
async fn the_handbook_redirects_to_the_language_of_the_reader() {
    let reader = TestApp::new().await.anonymous();
    for path in ["/help", "/help/"] {
        let answer = reader.get(path).await;
        assert_eq!((answer.status.as_u16(), header(&answer, "location")), (302, "/help/en/"), "{path}");
        let answer = reader.german().get(path).await;
        assert_eq!((answer.status.as_u16(), header(&answer, "location")), (302, "/help/de/"), "{path}");
        assert_eq!(header(&answer, "vary"), "accept-language");
    }
    let answer = reader.german().get("/help/en").await;
    assert_eq!((answer.status.as_u16(), header(&answer, "location")), (302, "/help/en/"));
}

#[actix_web::test]
async fn a_page_of_the_handbook_allows_no_inline_script_or_style() {
    let reader = TestApp::new().await.anonymous();
    for path in ["/help/de/", "/help/en/", "/help/de/first-steps", "/help/en/first-steps"] {
        let answer = reader.get(path).await;
        if !is_built() {
            assert_eq!(
                (answer.status.as_u16(), header(&answer, "content-type")),
                (404, "text/plain; charset=utf-8")
            );
            continue;
        }
        assert_eq!(answer.status.as_u16(), 200, "{path}");
        assert_eq!(header(&answer, "content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(header(&answer, "cache-control"), "no-cache");
        assert!(!header(&answer, "etag").is_empty());
        let policy = header(&answer, "content-security-policy");
        assert!(policy.contains("script-src 'self';") && !policy.contains("unsafe"), "{policy}");
        let page = std::str::from_utf8(&answer.bytes).unwrap();
        for script in page.split("<script").skip(1) {
            assert!(script.split('>').next().unwrap().contains("src=\"/help/"), "{path}: <script{script}");
        }
        assert!(!page.contains("<style") && !page.contains(" style=\""), "{path}");
    }
}

#[actix_web::test]
async fn an_unknown_page_of_the_handbook_is_not_found() {
    let reader = TestApp::new().await.anonymous();
    for path in ["/help/de/nowhere", "/help/fr/", "/help/de/first-steps.html"] {
        let answer = reader.get(path).await;
        assert_eq!(answer.status.as_u16(), 404, "{path}");
        if is_built() {
            let page = std::str::from_utf8(&answer.bytes).unwrap();
            assert!(page.contains("/help/assets/") && !page.contains("id=\"root\""), "{path}: {page}");
        }
    }
    for path in ["/help/assets/nothing.js", "/help/nothing.json"] {
        assert_eq!(reader.get(path).await.status.as_u16(), 404, "{path}");
    }
}

#[actix_web::test]
async fn files_of_the_handbook_are_cached_permanently() {
    if !is_built() {
        return;
    }
    let reader = TestApp::new().await.anonymous();
    let page = reader.get("/help/de/").await;
    let page = std::str::from_utf8(&page.bytes).unwrap();
    let style = page.split('"').find(|part| part.contains("/assets/style.")).unwrap();
    let answer = reader.get(style).await;
    assert_eq!((answer.status.as_u16(), header(&answer, "content-type")), (200, "text/css"));
    assert_eq!(header(&answer, "cache-control"), "public, max-age=31536000, immutable");
    assert!(header(&answer, "set-cookie").is_empty());
}
