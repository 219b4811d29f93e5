//! Files of the demo's companies from their suppliers and their own systems, imported like by users: some
//! numbers have no matching yet, with stocks for their rows once they are matched, one price is ten times too
//! high, and one import was a mistake and is undone.

use std::io::Write as _;

use api::work::{self, IMPORT_TYPES};
use identity::{
    caller,
    user::{Column, Users},
};
use imports::{
    import::{self, Import, Imports, services::ImportServices, upload::ImportInput, uploader::Uploader},
    import_type::ImportType,
    permissions,
    revert::undo,
};
use sea_orm::{ColumnTrait, QueryFilter};
use storage::Storage;
use store::{Database, Scope};
use values::{Error, Language, Principal, Result, TenantId, UserId};

use super::{NORDSTAHL, SUEDROHR};

/// File with its tenant and the user who uploads it.
struct File {
    tenant: &'static str,
    by: &'static str,
    r#type: ImportType,
    name: &'static str,
    content: &'static str,
    /// True if the import was a mistake and is undone.
    undone: bool,
}

/// Files in the order of their upload.
const FILES: &[File] = &[
    File {
        tenant: NORDSTAHL,
        by: "leitung@nordstahl.example",
        r#type: ImportType::Price,
        name: "preisliste-stahlwerk-alt.csv",
        content: "Artikelnummer;Bezeichnung;Externe Lagerkennung;Preis;Preismenge;Preiseinheit\n\
             IPE-100-S235JR-6.1;IPE 100 S235JR 6,1 m;0100;79,00;100;kg\n\
             IPE-100-S235JR-12.1;IPE 100 S235JR 12,1 m;0200;801,00;1;t\n\
             IPE-80-S355J2-12.1;IPE 80 S355J2 12,1 m;0200;768,00;1;t\n",
        undone: true,
    },
    File {
        tenant: NORDSTAHL,
        by: "leitung@nordstahl.example",
        r#type: ImportType::ExternalApiMetaData,
        name: "warenwirtschaft.json",
        content: r#"{
  "articles": [
    { "number": "0004711", "name": "HEB 200 S235JR 12,1 m" },
    { "number": "0004720", "name": "HEA 140 S235JR 12,1 m" },
    { "number": "0004721", "name": "IPE 200 S355J2 12,1 m" },
    { "number": "0009902", "name": "IPE 120 S235JR 18,1 m" }
  ],
  "warehouses": [
    { "identifier": "0100", "name": "Duisburg" },
    { "identifier": "0300", "name": "Leipzig" }
  ],
  "tenants": [
    { "identifier": "K-10077", "name": "Nordstahl Handel GmbH" },
    { "identifier": "K-10078", "name": "Nordstahl Anarbeitung GmbH" }
  ]
}
"#,
        undone: false,
    },
    File {
        tenant: NORDSTAHL,
        by: "leitung@nordstahl.example",
        r#type: ImportType::Price,
        name: "preisliste-walzwerk.csv",
        content: "Artikelnummer;Externe Artikelnummer;Bezeichnung;Externe Lagerkennung;Preis;Preismenge;Preiseinheit\n\
             IPE-80-S235JR-6.1;;IPE 80 S235JR 6,1 m;0100;79,50;100;kg\n\
             IPE-80-S235JR-18.1;;IPE 80 S235JR 18,1 m;0100;82,50;100;kg\n\
             IPE-100-S235JR-18.1;;IPE 100 S235JR 18,1 m;0100;890,00;100;kg\n\
             IPE-120-S235JR-6.1;;IPE 120 S235JR 6,1 m;0100;93,00;100;kg\n\
             IPE-80-S235JR-12.1;;IPE 80 S235JR 12,1 m;0200;801,00;1;t\n\
             ;0009901;IPE 140 S235JR 6,1 m;0100;101,50;100;kg\n\
             ;0009902;IPE 120 S235JR 18,1 m;0100;97,90;100;kg\n\
             ;0009903;IPE 140 S235JR 12,1 m;0200;799,00;1;t\n",
        undone: false,
    },
    File {
        tenant: SUEDROHR,
        by: "leitung@suedrohr.example",
        r#type: ImportType::ExternalApiMetaData,
        name: "erp-stammdaten.json",
        content: r#"{
  "articles": [
    { "number": "RO 4711", "name": "Hohlprofil kalt 100 x 100 x 5 S355J2H 12 m" },
    { "number": "RO 4730", "name": "Hohlprofil kalt 60 x 60 x 3 S235JRH 6 m" }
  ],
  "warehouses": [{ "identifier": "W-N", "name": "Nürnberg" }],
  "tenants": [{ "identifier": "2200", "name": "Südrohr AG" }]
}
"#,
        undone: false,
    },
    File {
        tenant: SUEDROHR,
        by: "leitung@suedrohr.example",
        r#type: ImportType::Price,
        name: "preise-november.csv",
        content: "Artikelnummer;Externe Artikelnummer;Bezeichnung;Lager;Preis;Preismenge;Preiseinheit\n\
             IPE-120-S235JR-6.1;;IPE 120 S235JR 6,1 m;MA;79,00;100;kg\n\
             IPE-120-S235JR-18.1;;IPE 120 S235JR 18,1 m;MA;810,00;100;kg\n\
             ;RO 9901;IPE 160 S235JR 6,1 m;MA;940,00;1;t\n\
             ;RO 9902;IPE 160 S235JR 18,1 m;MA;985,00;1;t\n",
        undone: false,
    },
];

/// Uploads and imports the files of tenants without imports.
pub(super) async fn import(db: &Database, storage: &Storage, tenants: &[(&str, i64)]) -> Result<()> {
    let mut scopes = Vec::new();
    for (short_code, tenant) in tenants {
        let mut files = FILES.iter().filter(|file| file.tenant == *short_code);
        if let Some(first) = files.next()
            && let Some(scope) = uploader(db, first.by, TenantId(*tenant)).await?
            && scope.find::<Imports>().one(db).await?.is_none()
        {
            scopes.push((*short_code, scope));
        }
    }
    for file in FILES {
        let Some((_, scope)) = scopes.iter().find(|(tenant, _)| *tenant == file.tenant) else { continue };
        let import = upload(db, storage, scope, file).await?;
        if file.undone {
            work::import_all(db, storage).await?;
            undo::undo(db, &IMPORT_TYPES, uploader_of(scope), import.id, false).await?;
        }
    }
    work::import_all(db, storage).await
}

fn uploader_of(scope: &Scope) -> Uploader<'_> {
    Uploader { scope, rights: scope.rights(), language: Language::De }
}

/// Returns the scope of a user who may upload; in an interrupted demo they may not have their role yet.
async fn uploader(db: &Database, email: &str, tenant: TenantId) -> Result<Option<Scope>> {
    let user = Scope::platform().find::<Users>().filter(Column::Email.eq(email)).one(db).await?;
    match user {
        Some(user) => {
            let needs: Vec<_> =
                ImportType::Price.needs().iter().copied().chain([permissions::CREATE_IMPORT]).collect();
            caller::scope_of_job(db, Principal::User(UserId(user.id)), tenant, &needs).await
        }
        None => Ok(None),
    }
}

async fn upload(db: &Database, storage: &Storage, scope: &Scope, file: &File) -> Result<Import> {
    let mut stored = tempfile::NamedTempFile::new().map_err(Error::file)?;
    stored.write_all(file.content.as_bytes()).map_err(Error::file)?;
    let input = ImportInput::new(file.r#type, file.name);
    let services = ImportServices { db, storage, registry: &IMPORT_TYPES };
    import::upload::submit(services, uploader_of(scope), input, stored.path()).await
}
