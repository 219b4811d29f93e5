//! Rules of FTP settings, by the cases that drive the form as well.

use secrets::ExposeSecret;
use values::{Result, Validated};

use super::*;
use crate::codes;

fn checked(input: Validated<FtpSettingsInput>) -> Result<()> {
    let (input, mut wrong) = input.parts();
    rules::check(&input, false, &mut wrong);
    wrong.check()
}

#[test]
fn inputs_follow_the_shared_rules() {
    testkit::rules::check_rows("ftp_settings.json", checked);
}

#[test]
fn an_enabled_file_needs_a_name_and_a_schedule() {
    let input = r#"{ "protocol": "sftp", "host": "sftp.werk.example", "username": "u", "after_reading": "leave",
        "price_file": { "enabled": true, "transformer": "standard", "as_price_list": true },
        "stock_file": { "enabled": true, "transformer": "standard" }, "schedules": {} }"#;
    let (input, mut wrong) = serde_json::from_str::<Validated<FtpSettingsInput>>(input).unwrap().parts();
    rules::check(&input, false, &mut wrong);
    let mut paths: Vec<_> = wrong.iter().map(|violation| &*violation.path).collect();
    paths.sort_unstable();
    let expected = [
        "price_file.file_name",
        "price_file.price_list_name",
        "schedules.price",
        "schedules.stock",
        "stock_file.file_name",
    ];
    assert_eq!(paths, expected);
    assert!(wrong.iter().all(|violation| violation.message.code == codes::REQUIRED));
}

#[test]
fn plain_ftp_must_be_allowed_by_the_operator() {
    let input = r#"{ "protocol": "ftp", "host": "ftp.werk.example", "username": "u", "after_reading": "leave",
        "price_file": { "enabled": false, "transformer": "standard", "as_price_list": false },
        "stock_file": { "enabled": false, "transformer": "standard" }, "schedules": {} }"#;
    let input: Validated<FtpSettingsInput> = serde_json::from_str(input).unwrap();
    let codes = |allowed| {
        let (input, mut wrong) = input.clone().parts();
        rules::check(&input, allowed, &mut wrong);
        wrong.iter().map(|violation| violation.message.code).collect::<Vec<_>>()
    };
    assert_eq!((codes(false), codes(true)), (vec![codes::PLAIN_FTP_FORBIDDEN], vec![]));
}

#[test]
fn entered_secrets_are_neither_printed_nor_serialised() {
    let secret = EnteredSecret::from("gehe\u{7}im".to_owned());
    assert_eq!(secret.secret().expose_secret(), "gehe\u{7}im");
    assert!(!format!("{secret:?}").contains("gehe"));
    assert_eq!(serde_json::to_string(&secret).unwrap(), "\"\"");
}
