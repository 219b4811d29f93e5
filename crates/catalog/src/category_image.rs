//! Pictures of categories: the files are kept before the row that names them is committed, and forgotten after the row is
//! gone. Whatever dies in between leaves a file that nothing names; such files go after a day.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use kernel::{Database, Error, Part, Result, Scope, scope::refuse_stale};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DeriveActiveEnum, EnumIter, IntoActiveModel, QueryFilter,
    prelude::StringLen, sea_query::Condition,
};
use storage::{
    Storage,
    picture::{self, Picture},
};

use crate::category::{self, Categories, CategoryDetail};
pub use crate::entity::category_image::{Column, Entity as CategoryImages, Model as CategoryImage};

/// What a picture of a category shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum ImageKind {
    /// The category itself.
    Category,
    /// The type of its articles, a section for instance.
    ArticleType,
}

impl Part for CategoryImages {
    type Whole = Categories;
    const WHOLE: Column = Column::CategoryId;
}

/// The pictures of a category.
#[derive(Debug, Clone, Default)]
pub struct Images {
    pub category: Option<CategoryImage>,
    pub article_type: Option<CategoryImage>,
}

impl Images {
    pub fn of_kind(self, kind: ImageKind) -> Option<CategoryImage> {
        match kind {
            ImageKind::Category => self.category,
            ImageKind::ArticleType => self.article_type,
        }
    }

    /// Forgets the files of pictures that are no longer named.
    pub(crate) async fn discard(self, storage: &Storage) {
        for image in [self.category, self.article_type].into_iter().flatten() {
            image.discard(storage).await;
        }
    }
}

/// How large a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Full,
    Thumbnail,
}

impl CategoryImage {
    /// Where the file is kept, and its media type.
    pub fn file(&self, size: Size) -> (&str, &str) {
        match size {
            Size::Full => (&self.key, &self.media_type),
            Size::Thumbnail => (&self.thumbnail_key, &self.thumbnail_media_type),
        }
    }

    async fn discard(&self, storage: &Storage) {
        storage.discard(&self.key).await;
        storage.discard(&self.thumbnail_key).await;
    }
}

const FOLDER: &str = "images";
const IDS_PER_QUERY: usize = 5000;

/// The pictures of each category that has any.
pub(crate) async fn of(
    db: &impl ConnectionTrait,
    scope: &Scope,
    categories: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Images>> {
    let categories: Vec<i64> = categories.into_iter().collect();
    let mut images = HashMap::<_, Images>::new();
    for some in categories.chunks(IDS_PER_QUERY) {
        for image in scope.parts::<CategoryImages>(some.iter().copied()).all(db).await? {
            let images = images.entry(image.category_id).or_default();
            match image.kind {
                ImageKind::Category => images.category = Some(image),
                ImageKind::ArticleType => images.article_type = Some(image),
            }
        }
    }
    Ok(images)
}

/// One picture of a category.
pub async fn get(
    db: &impl ConnectionTrait,
    scope: &Scope,
    category: i64,
    kind: ImageKind,
) -> Result<CategoryImage> {
    let images = of(db, scope, [category]).await?.remove(&category).unwrap_or_default();
    images.of_kind(kind).ok_or_else(Error::not_found)
}

/// Makes an uploaded file the picture of a category, in the place of the one before.
pub async fn set(
    db: &Database,
    storage: &Storage,
    scope: &Scope,
    category: i64,
    kind: ImageKind,
    version: Option<i64>,
    upload: &Path,
) -> Result<CategoryDetail> {
    // Decoding is work: nobody is let in who would be refused afterwards.
    let current = scope.get::<Categories>(db, category).await?;
    scope.claim::<Categories>()?;
    refuse_stale(version, current.version)?;
    let image = keep(storage, category, kind, picture::read(upload).await?).await?;
    let replaced = replace(db, storage, scope, category, kind, version, Some(image.clone())).await;
    if replaced.is_err() {
        image.discard(storage).await;
    }
    replaced
}

/// Removes a picture from a category.
pub async fn remove(
    db: &Database,
    storage: &Storage,
    scope: &Scope,
    category: i64,
    kind: ImageKind,
) -> Result<CategoryDetail> {
    scope.claim::<Categories>()?;
    get(db, scope, category, kind).await?;
    replace(db, storage, scope, category, kind, None, None).await
}

async fn keep(
    storage: &Storage,
    category_id: i64,
    kind: ImageKind,
    Picture { full, small }: Picture,
) -> Result<CategoryImage> {
    let sha256 = storage::sha256(&full.bytes);
    let key = storage.keep_bytes(FOLDER, full.bytes).await?;
    let thumbnail_key = match storage.keep_bytes(FOLDER, small.bytes).await {
        Ok(thumbnail_key) => thumbnail_key,
        Err(error) => {
            storage.discard(&key).await;
            return Err(error);
        }
    };
    Ok(CategoryImage {
        category_id,
        kind,
        sha256,
        width: full.width.into(),
        height: full.height.into(),
        key,
        media_type: full.media_type.to_owned(),
        thumbnail_key,
        thumbnail_media_type: small.media_type.to_owned(),
    })
}

async fn replace(
    db: &Database,
    storage: &Storage,
    scope: &Scope,
    category: i64,
    kind: ImageKind,
    version: Option<i64>,
    image: Option<CategoryImage>,
) -> Result<CategoryDetail> {
    let tx = db.begin().await?;
    scope.update::<Categories>(&tx, category, version, category::ActiveModel::default()).await?;
    let before = of(&tx, scope, [category]).await?.remove(&category).and_then(|images| images.of_kind(kind));
    scope.remove_parts::<CategoryImages>(&tx, category, Column::Kind.eq(kind)).await?;
    let image = image.map(IntoActiveModel::into_active_model);
    scope.add_parts::<CategoryImages>(&tx, category, image).await?;
    let changed = category::get(&tx, scope, category).await?;
    tx.commit().await?;
    if let Some(before) = before {
        before.discard(storage).await;
    }
    Ok(changed)
}

/// Forgets files that no row names and that were kept long enough ago to be named by now.
pub async fn clean_up(db: &Database, storage: &Storage) -> Result<()> {
    for keys in storage.settled(FOLDER).await?.chunks(IDS_PER_QUERY) {
        let among = Condition::any().add(Column::Key.is_in(keys)).add(Column::ThumbnailKey.is_in(keys));
        let images = Scope::platform().all_parts::<CategoryImages>().filter(among).all(db).await?;
        let named: HashSet<_> = images.iter().flat_map(|image| [&image.key, &image.thumbnail_key]).collect();
        for key in keys.iter().filter(|key| !named.contains(key)) {
            storage.discard(key).await;
        }
    }
    Ok(())
}
