//! Price lists that the demo's companies have got from their suppliers, imported as people import them: some numbers match nothing, and
//! one price is ten times too high.

use std::io::Write as _;

use identity::{
    caller,
    user::{Column, Users},
};
use imports::{
    import::{self, ImportInput, Imports, Uploader},
    import_type::ImportType,
    strategy::Strategy,
};
use kernel::{Database, Error, Language, Permission, Result, Scope, TenantId, UserId};
use sea_orm::{ColumnTrait, QueryFilter};
use storage::Storage;

use super::{NORDSTAHL, SUEDROHR};
use crate::work::{self, IMPORT_TYPES};

/// Of whom, who has uploaded it, what it is called, and what is in it.
const FILES: &[(&str, &str, &str, &str)] = &[
    (
        NORDSTAHL,
        "leitung@nordstahl.example",
        "preisliste-walzwerk.csv",
        "Artikelnummer;Externe Artikelnummer;Bezeichnung;Externe Lagerkennung;Preis;Preismenge;Preiseinheit\n\
         IPE-80-S235JR-6.1;;IPE 80 S235JR 6,1 m;0100;79,50;100;kg\n\
         IPE-80-S235JR-18.1;;IPE 80 S235JR 18,1 m;0100;82,50;100;kg\n\
         IPE-100-S235JR-18.1;;IPE 100 S235JR 18,1 m;0100;890,00;100;kg\n\
         IPE-120-S235JR-6.1;;IPE 120 S235JR 6,1 m;0100;93,00;100;kg\n\
         IPE-80-S235JR-12.1;;IPE 80 S235JR 12,1 m;0200;801,00;1;t\n\
         ;0009901;IPE 160 S235JR 12,1 m;0100;81,00;100;kg\n\
         ;0009902;HEA 120 S235JR 12,1 m;0100;84,50;100;kg\n\
         ;0009903;UPN 100 S235JR 6,1 m;0200;865,00;1;t\n",
    ),
    (
        SUEDROHR,
        "leitung@suedrohr.example",
        "preise-november.csv",
        "Artikelnummer;Externe Artikelnummer;Bezeichnung;Lager;Preis;Preismenge;Preiseinheit\n\
         IPE-120-S235JR-6.1;;IPE 120 S235JR 6,1 m;MA;79,00;100;kg\n\
         IPE-120-S235JR-18.1;;IPE 120 S235JR 18,1 m;MA;810,00;100;kg\n\
         ;RO 9901;Hohlprofil kalt 80 x 80 x 4 S235JRH 6 m;MA;1.120,00;1;t\n\
         ;RO 9902;Rohr 60,3 x 2,9 S235JRH geschweißt 6 m;MA;1.190,00;1;t\n",
    ),
];

/// Uploads and imports the files of tenants that have none yet.
pub(super) async fn import(db: &Database, storage: &Storage, tenants: &[(&str, i64)]) -> Result<()> {
    for (short_code, email, name, content) in FILES {
        let Some((_, tenant)) = tenants.iter().find(|(known, _)| known == short_code) else { continue };
        if let Some(scope) = uploader(db, email, TenantId(*tenant)).await?
            && scope.find::<Imports>().one(db).await?.is_none()
        {
            upload(db, storage, &scope, name, content).await?;
        }
    }
    work::import_all(db, storage).await
}

/// Who may do so: of a demo that was cut off somebody may lack their role.
async fn uploader(db: &Database, email: &str, tenant: TenantId) -> Result<Option<Scope>> {
    let user = Scope::platform().find::<Users>().filter(Column::Email.eq(email)).one(db).await?;
    match user {
        Some(user) => {
            let needs: Vec<_> =
                ImportType::Price.needs().iter().copied().chain([Permission::CreateImport]).collect();
            caller::of_job(db, UserId(user.id), tenant, &needs).await
        }
        None => Ok(None),
    }
}

async fn upload(db: &Database, storage: &Storage, scope: &Scope, name: &str, content: &str) -> Result<()> {
    let mut file = tempfile::NamedTempFile::new().map_err(Error::file)?;
    file.write_all(content.as_bytes()).map_err(Error::file)?;
    let input = ImportInput {
        r#type: ImportType::Price,
        name: None,
        dry_run: false,
        strategy: Strategy::default(),
        removals_expected: None,
        file_name: name.to_owned(),
        replays: None,
    };
    let by = Uploader { scope, rights: scope.rights(), language: Language::De };
    import::submit(db, storage, &IMPORT_TYPES, by, input, file.path()).await?;
    Ok(())
}
