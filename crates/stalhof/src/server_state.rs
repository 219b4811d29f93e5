//! State of a server, from its settings.

use api::{
    settings::{Flags, ServerSettings},
    state::{ServerParts, State},
};
use mail::mailbox::Mailbox;
use outbound::Outbound;
use store::Database;
use values::Result;

use crate::{config::Settings, queues};

/// Creates the state of a process.
///
/// # Errors
/// Invalid settings.
pub fn create(db: Database, settings: &Settings, demo: bool) -> Result<State> {
    let mailbox = Mailbox::default();
    let parts = ServerParts {
        settings: server_settings(settings),
        transport: settings.mail_transport(demo.then(|| mailbox.clone()))?,
        mailbox,
        keys: settings.keys()?,
        outbound: Outbound::new(settings.outbound_rules()),
        storage: settings.storage()?,
        background: queues::registered,
    };
    Ok(State::new(db, parts, demo))
}

fn server_settings(settings: &Settings) -> ServerSettings {
    let flags = settings.flags;
    ServerSettings {
        data_dir: settings.data_dir.clone(),
        mail_folder: settings.mail_folder(),
        public_url: settings.public_url(),
        shop_url: settings.shop_url.clone(),
        imprint_url: settings.imprint_url.clone(),
        privacy_url: settings.privacy_url.clone(),
        links: settings.links.clone(),
        trusted_proxies: settings.trusted_proxies.clone(),
        session_lifetime: settings.session_lifetime(),
        upload_max_mb: settings.upload_max_mb,
        price_books_mb: settings.price_books_mb,
        plain_ftp: settings.plain_ftp,
        installation: settings.installation(),
        flags: Flags {
            processings: flags.processings,
            new_price_menu: flags.new_price_menu,
            price_adjustments: flags.price_adjustments,
            demo_pages: flags.demo_pages,
        },
        partners: settings.partners.into(),
    }
}
