//! Mails that the demo has sent, for people who try it out. Other installations do not offer them.

use chrono::{DateTime, Utc};
use http_api::{
    access::Public,
    answer::{OkJson, Unpaged, ok_json},
    publish,
    routes::{Answer, Routes},
};
use mail::mailbox::ReceivedMail;
use serde::Serialize;
use utoipa::ToSchema;
use values::Error;

use crate::state::Server;

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "demo_mails": list);
}

/// A mail that the demo has sent.
#[derive(Serialize, ToSchema)]
struct DemoMail {
    id: i64,
    #[schema(example = "eva.lindner@nordstahl.example")]
    address: String,
    #[schema(example = "Neues Passwort")]
    subject: String,
    #[schema(example = "Guten Tag Eva Lindner, mit diesem Link legen Sie ein neues Passwort fest.")]
    text: String,
    /// Address of the link in the mail.
    #[schema(required, example = "https://stalhof.example/password-reset/12")]
    link: Option<String>,
    sent_at: DateTime<Utc>,
}

impl From<ReceivedMail> for DemoMail {
    fn from(mail: ReceivedMail) -> Self {
        let link = mail.link().map(str::to_owned);
        let ReceivedMail { id, address, subject, text, received_at: sent_at } = mail;
        Self { id, address, subject, text, link, sent_at }
    }
}

/// Lists the latest mails of a demo; other installations answer 404.
#[utoipa::path(
    get,
    path = "/api/demo/mails",
    responses((status = 404, description = "This installation is no demo", body = http_api::problem::Problem)),
)]
async fn list(_: Public, Server(state): Server) -> Answer<OkJson<Unpaged<DemoMail>>> {
    if !state.demo {
        return Err(Error::not_found().into());
    }
    let data = state.mailbox.latest().into_iter().map(DemoMail::from).collect();
    Ok(ok_json(Unpaged { data }))
}
