//! Configuration that the UI needs before anyone has signed in.

use http_api::{
    access::Public,
    answer::{OkJson, ok_json},
    publish,
    routes::{Answer, Routes},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{demo_accounts, links::MenuLink, settings::Flags, state::Server};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "configuration": view);
}

/// Configuration of this installation.
#[derive(Serialize, ToSchema)]
#[schema(as = ServerConfiguration)] // generators have a `Configuration` of their own
struct Configuration {
    /// Address of the shop.
    #[schema(required, example = "https://shop.stalhof.example")]
    shop_url: Option<String>,
    /// Address of the imprint.
    #[schema(required, example = "https://stalhof.example/imprint")]
    imprint_url: Option<String>,
    /// Address of the privacy notice.
    #[schema(required, example = "https://stalhof.example/privacy")]
    privacy_url: Option<String>,
    /// True for a demo; the sign-in page shows its accounts.
    demo: bool,
    demo_accounts: Vec<DemoAccount>,
    /// Maximum size of an uploaded file, in MiB.
    #[schema(example = 100)]
    upload_max_mb: u64,
    /// Time zone in which days begin, by its IANA name.
    #[schema(example = "Europe/Berlin")]
    time_zone: &'static str,
    flags: FlagsView,
    /// Menu entries that lead to other systems.
    links: Vec<MenuLink>,
}

#[derive(Serialize, ToSchema)]
struct DemoAccount {
    #[schema(example = "leitung@nordstahl.example")]
    email: &'static str,
    #[schema(example = "Leitung der Nordstahl Handel GmbH")]
    description: &'static str,
    #[schema(example = "profil-traeger-walzwerk")]
    password: &'static str,
}

/// Parts of the product that can be switched on and off.
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
#[derive(Serialize, ToSchema)]
#[schema(as = Flags)]
struct FlagsView {
    processings: bool,
    new_price_menu: bool,
    price_adjustments: bool,
    demo_pages: bool,
}

impl From<Flags> for FlagsView {
    fn from(flags: Flags) -> Self {
        let Flags { processings, new_price_menu, price_adjustments, demo_pages } = flags;
        Self { processings, new_price_menu, price_adjustments, demo_pages }
    }
}

/// Shows the configuration of this installation.
#[utoipa::path(get, path = "/api/config")]
async fn view(_: Public, Server(state): Server) -> Answer<OkJson<Configuration>> {
    let accounts = if state.demo { demo_accounts::ACCOUNTS } else { &[] };
    Ok(ok_json(Configuration {
        shop_url: state.settings.shop_url.clone(),
        imprint_url: state.settings.imprint_url.clone(),
        privacy_url: state.settings.privacy_url.clone(),
        demo: state.demo,
        demo_accounts: accounts
            .iter()
            .map(|account| DemoAccount {
                email: account.email,
                description: account.description,
                password: demo_accounts::PASSWORD,
            })
            .collect(),
        upload_max_mb: state.settings.upload_max_mb,
        time_zone: state.settings.installation.time_zone.name(),
        flags: state.settings.flags.into(),
        links: state.settings.links.0.clone(),
    }))
}
