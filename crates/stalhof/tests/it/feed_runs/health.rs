//! States and incidents of feeds, and the mails about them.

use chrono::TimeDelta;
use stalhof::feed_health;
use values::PermissionSet;

use super::*;

impl Bed {
    async fn watch(&self, in_minutes: i64) {
        feed_health::watch(&self.state, values::now() + TimeDelta::minutes(in_minutes)).await.unwrap();
    }

    /// Light of the feed with its reason.
    async fn light(&self) -> (String, Value) {
        let feeds = self.user.get("/api/admin/feeds").await.is(200);
        let feed = &feeds["data"].as_array().unwrap()[0];
        (feed["light"].as_str().unwrap().to_owned(), feed["reason"].clone())
    }

    /// Number of feeds with problems on the start page.
    async fn troubled(&self) -> u64 {
        let about = self.user.get("/api/admin/attention?about=troubled_feeds").await.is(200);
        about["data"][0]["count"].as_u64().unwrap()
    }

    /// Subjects of the mails about feeds, oldest first.
    async fn subjects(&self) -> Vec<String> {
        let address = self.user.get("/api/users/me").await.is(200)["email"].as_str().unwrap().to_owned();
        let mut mails = self.depot.catalog.app.mails_to(&address).await;
        mails.retain(|mail| mail.subject.contains(LISTEN));
        mails.into_iter().rev().map(|mail| mail.subject).collect()
    }
}

#[actix_web::test]
async fn an_incident_is_announced_once_when_it_begins_and_once_when_it_ends() {
    let bed = Bed::new().await;
    let notices = json!({ "import_notices": "problems", "language": "de" });
    bed.user.send(Method::PATCH, "/api/users/me", Some(notices)).await.is(200);
    bed.watch(0).await;
    assert_eq!((bed.light().await.0, bed.troubled().await), ("green".to_owned(), 0));

    // the file of a day is missing at the end of the next one
    bed.watch(2 * 24 * 60).await;
    bed.watch(2 * 24 * 60 + 5).await;
    let late = format!("Die Bestandsdatei von {LISTEN} ist nicht gekommen");
    assert_eq!((bed.subjects().await, bed.troubled().await), (vec![late.clone()], 1));
    bed.write("bestand.csv", "5", 0);
    assert_eq!(bed.run().await, None);
    bed.import().await;
    bed.watch(0).await;
    bed.watch(5).await;
    let again = format!("Die Bestandsdatei von {LISTEN} kommt wieder an");
    assert_eq!((bed.subjects().await, bed.troubled().await), (vec![late, again.clone()], 0));

    // a server that refuses the password
    bed.change(json!({ "password": "falsch" })).await;
    assert_eq!(bed.run().await, Some("remote_sign_in_refused"));
    bed.watch(5).await;
    bed.watch(10).await;
    let (light, reason) = bed.light().await;
    assert_eq!((&*light, bed.troubled().await), ("broken", 1));
    assert!(reason.as_str().unwrap().contains("password"), "{reason}");
    let subjects = bed.subjects().await;
    assert_eq!(
        (subjects.len(), &*subjects[2]),
        (3, &*format!("Die Bestandsdatei von {LISTEN} kommt nicht an"))
    );

    // a pause ends the incident without a mail
    bed.user.post(&bed.uri("pause"), json!({ "file": "stock" })).await.is(200);
    bed.watch(15).await;
    assert_eq!(
        (bed.light().await.0, bed.troubled().await, bed.subjects().await.len()),
        ("paused".to_owned(), 0, 3)
    );

    // and so does disabling the file
    bed.user.post(&bed.uri("resume"), json!({ "file": "stock" })).await.is(200);
    bed.watch(20).await;
    assert_eq!(bed.troubled().await, 1);
    let mails = bed.subjects().await.len();
    let settings = bed.user.get(&format!("{PATH}/{}", bed.feed)).await.is(200);
    let mut file = settings["stock_file"].clone();
    file["enabled"] = false.into();
    bed.change(json!({ "stock_file": file })).await;
    bed.watch(25).await;
    assert_eq!((bed.troubled().await, bed.subjects().await.len()), (0, mails));
}

#[actix_web::test]
async fn the_board_shows_the_rows_of_the_last_import_beside_the_usual_number() {
    let bed = Bed::new().await;
    let rows = async || bed.user.get("/api/admin/feeds").await.is(200)["data"][0]["rows"].clone();
    assert_eq!(rows().await, Value::Null);
    bed.write("bestand.csv", "5", 0);
    bed.run().await;
    let first = bed.import().await.remove(0);
    let expected = json!({ "import_id": id(&first), "total": 1, "usual": null, "refused": 0, "waiting": 0 });
    assert_eq!(rows().await, expected);
    bed.write("bestand.csv", "-1", 60);
    bed.run().await;
    bed.import().await;
    let rows = rows().await;
    assert_eq!((&rows["total"], &rows["usual"], &rows["refused"]), (&json!(1), &json!(1), &json!(1)));
    // nothing of that file was imported
    let (light, reason) = bed.light().await;
    assert_eq!((&*light, reason), ("broken", json!("No row could be applied")));
    // rows are shown to users who may see the import
    let rights = PermissionSet::from_iter([
        values::permissions::ACCESS_ADMIN,
        feeds::permissions::CONFIGURE_FTP_IMPORT,
    ]);
    let app = &bed.depot.catalog.app;
    let board = app.caller(Some(app.north), rights).await.get("/api/admin/feeds").await.is(200);
    assert_eq!((&board["data"][0]["light"], &board["data"][0]["rows"]), (&json!("broken"), &Value::Null));
}
