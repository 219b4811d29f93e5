//! A database with two tenants, a small catalogue, and imports that tests work off.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::BoxFuture;
use imports::{
    import::{self, Import, ImportInput, Imports, Uploader},
    import_type::ImportType,
    importer::Registry,
    refusal::{Column, NamedFault, Refusal, Refusals},
    row::{self, ImportRow},
    worker::{self, Authority},
};
use kernel::{
    Decimal, Language, ListQuery, Permission, PermissionSet, Result, Scope, TenantId, Unit, UnitCategory,
    UserId,
};
use sea_orm::{ConnectionTrait, QueryOrder, Statement};
use storage::Storage;
use tempfile::TempDir;
use tenancy::tenant::{self, TenantInput};
use testkit::TestDatabase;

use super::ArticleImporter;
use crate::{
    article::{self, Article, Articles},
    article_type::{self, ArticleTypeInput, TypeAttributeInput},
    attribute::{self, AttributeInput, AttributeType, OptionInput},
    material::{self, MaterialInput},
};

pub(crate) struct Bed {
    pub db: TestDatabase,
    pub storage: Storage,
    pub folder: TempDir,
    /// A platform administrator acting for the first tenant, and for the second.
    pub scope: Scope,
    pub other: Scope,
    pub authority: Trusting,
}

/// Trusts whoever has started an import, until told otherwise.
#[derive(Debug, Default)]
pub(crate) struct Trusting {
    pub revoked: AtomicBool,
}

impl Authority for Trusting {
    fn scope_of<'a>(
        &'a self,
        user: UserId,
        tenant: TenantId,
        _: &'a [Permission],
    ) -> BoxFuture<'a, Result<Option<Scope>>> {
        let trusted = !self.revoked.load(Ordering::Relaxed);
        Box::pin(async move { Ok(trusted.then(|| acting_for(tenant, user))) })
    }
}

#[expect(clippy::disallowed_methods, reason = "stands for authentication")]
fn acting_for(tenant: TenantId, user: UserId) -> Scope {
    Scope::granted_by_authentication(None, Some(tenant), Some(user), kernel::PermissionSet::ALL).unwrap()
}

pub(crate) fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

impl Bed {
    pub(crate) async fn new() -> Self {
        let db = testkit::database().await;
        let platform = Scope::platform();
        let mut scopes = Vec::new();
        let now =
            if db.get_database_backend() == sea_orm::DbBackend::Sqlite { "datetime()" } else { "now()" };
        for (short_code, user) in [("NORD", "a@b.example"), ("SUED", "c@d.example")] {
            let input = TenantInput {
                company: short_code.to_owned(),
                short_code: short_code.to_owned(),
                permissions: PermissionSet::ALL.iter().collect(),
                ..TenantInput::default()
            };
            let tenant = tenant::create(&db, &platform, input).await.unwrap();
            let sql = format!(
                "INSERT INTO \"user\" (name, name_fold, email, email_fold, email_key, status, narrowed, version, created_at, \
                 updated_at) VALUES ('A', 'a', $1, $1, $1, 'Verified', false, 1, {now}, {now}) RETURNING id"
            );
            let tx = db.begin().await.unwrap();
            let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [user.into()]);
            let row = tx.query_one_raw(statement).await.unwrap().unwrap();
            tx.commit().await.unwrap();
            scopes.push(acting_for(TenantId(tenant.tenant.id), UserId(row.try_get("", "id").unwrap())));
        }
        catalogue(&db, &platform).await;
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::in_folder(folder.path()).unwrap();
        let authority = Trusting::default();
        Self { db, storage, folder, scope: scopes[0], other: scopes[1], authority }
    }

    /// Queues a file.
    pub(crate) async fn upload(&self, scope: &Scope, content: impl AsRef<[u8]>, dry_run: bool) -> Import {
        let path = self.folder.path().join("upload");
        std::fs::write(&path, content).unwrap();
        let registry = Registry::default().with::<ArticleImporter>();
        let by = Uploader { scope, rights: PermissionSet::ALL, language: Language::De };
        let input =
            ImportInput { r#type: ImportType::Article, name: None, dry_run, file_name: "Artikel.csv".into() };
        import::submit(&self.db, &self.storage, &registry, by, input, &path).await.unwrap()
    }

    /// Runs everything that is queued, and gives back the import as it is then.
    pub(crate) async fn work(&self, import: &Import) -> Import {
        let registry = Registry::default().with::<ArticleImporter>();
        worker::work_off(&self.db, &self.storage, &registry, &self.authority).await.unwrap();
        self.now(import).await
    }

    /// Uploads a CSV file and applies it.
    pub(crate) async fn import(&self, content: &str) -> Import {
        let import = self.upload(&self.scope, content, false).await;
        self.work(&import).await
    }

    pub(crate) async fn dry_run(&self, content: &str) -> Import {
        let import = self.upload(&self.scope, content, true).await;
        self.work(&import).await
    }

    pub(crate) async fn now(&self, import: &Import) -> Import {
        Scope::platform().get::<Imports>(&*self.db, import.id).await.unwrap()
    }

    /// By number.
    pub(crate) async fn articles(&self) -> Vec<Article> {
        let articles = self.scope.find::<Articles>().order_by_asc(article::Column::ArticleNumberFold);
        articles.all(&*self.db).await.unwrap()
    }

    pub(crate) async fn numbers(&self) -> Vec<String> {
        self.articles().await.into_iter().map(|article| article.article_number).collect()
    }

    pub(crate) async fn refusals(&self, import: &Import) -> Vec<Refusal> {
        let refusals = self.scope.parts::<Refusals>([import.id]).order_by_asc(Column::Line);
        refusals.all(&*self.db).await.unwrap()
    }

    /// What became of the rows, in the order of the file.
    pub(crate) async fn rows(&self, import: &Import) -> Vec<ImportRow> {
        let query = ListQuery::parse([("page[size]", "200")]).unwrap();
        row::list(&self.db, &self.scope, import.id, &query).await.unwrap().rows
    }

    /// Line and reasons of each refused row, in German.
    pub(crate) async fn reasons(&self, import: &Import) -> Vec<(i64, Vec<String>)> {
        let refusals = self.refusals(import).await;
        let texts = |refusal: &Refusal| {
            let reason = |fault: &NamedFault| match &fault.name {
                Some(name) => format!("{name}: {}", fault.text(Language::De)),
                None => fault.text(Language::De),
            };
            refusal.messages.0.iter().map(reason).collect()
        };
        refusals.iter().map(|refusal| (refusal.line, texts(refusal))).collect()
    }
}

/// Round tubes, numbered by diameter, material and length: `RO-60.3-S235-6000`.
async fn catalogue(db: &TestDatabase, scope: &Scope) {
    for (name, short, number) in
        [("S235JR", Some("S235"), Some("1.0038")), ("S355J2", None, Some("1.0577")), ("Stahl", None, None)]
    {
        let input = MaterialInput {
            name: name.into(),
            display_name: (name == "Stahl").then(|| "Baustahl".into()),
            article_number_name: short.map(str::to_owned),
            material_number: number.map(str::to_owned),
            density: None,
            change_articles: None,
            version: None,
        };
        material::create(db, scope, input).await.unwrap();
    }
    let option = |name: &str, weight: &str| OptionInput {
        id: None,
        name: format!("Ø {name}"),
        value: name.into(),
        display_value: Some(name.replace('.', ",")),
        weight_per_base_unit: Some(decimal(weight)),
    };
    let attribute = |name: &str, r#type: AttributeType| AttributeInput {
        name: name.into(),
        r#type,
        primary: true,
        unit_category: (r#type == AttributeType::Metric).then_some(UnitCategory::Length),
        default_unit: (r#type == AttributeType::Metric).then_some(Unit::Metre),
        options: Vec::new(),
        weight_per_base_unit: None,
        change_articles: None,
        version: None,
    };
    let diameter = AttributeInput {
        options: vec![option("60.3", "4.11"), option("76.1", "5.24")],
        ..attribute("Durchmesser", AttributeType::Categorial)
    };
    let mut ids = Vec::new();
    for input in [
        diameter,
        attribute("Länge", AttributeType::Metric),
        attribute("Ausführung", AttributeType::Custom),
        attribute("Farbe", AttributeType::Custom),
    ] {
        ids.push(attribute::create(db, scope, input).await.unwrap().attribute.id);
    }
    let types = [
        (
            "Rundrohr",
            "RO-{durchmesser}-{material}-{laenge:mm}",
            "Rohr {durchmesser} x {laenge:m:2} {material}",
            3,
        ),
        ("Flachstahl", "FL-{laenge:mm}-{farbe}", "Flach {laenge:mm}", 0),
    ];
    for (name, number, article_name, count) in types {
        let attributes = if count == 3 { vec![ids[0], ids[1], ids[2]] } else { vec![ids[1], ids[3]] };
        let input = ArticleTypeInput {
            name: name.into(),
            article_number_template: number.into(),
            article_name_template: article_name.into(),
            base_unit_of_measure: Unit::Metre,
            listing_unit_of_measure: Unit::Metre,
            price_unit_of_measure: Unit::Metre,
            article_type_group_id: None,
            section: None,
            trade_dimension_id: None,
            attributes: attributes
                .into_iter()
                .map(|attribute_id| TypeAttributeInput {
                    attribute_id,
                    primary: attribute_id != ids[2],
                    dimension: None,
                })
                .collect(),
            change_articles: None,
            version: None,
        };
        article_type::create(db, scope, input).await.unwrap();
    }
}
