//! Pictures of records. Files are stored before the row that names them is committed, and deleted after the
//! row. A crash in between leaves an orphaned file, which is deleted after a day.

pub mod cleanup;

use std::path::Path;

use sea_orm::{ActiveModelTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter};
use storage::{
    Storage,
    picture::{self, Picture},
};
use store::{Database, Part, Scope};
use values::{Error, Result};

/// Size of a picture file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Full,
    Thumbnail,
}

/// Picture whose files are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub sha256: String,
    pub width: i64,
    pub height: i64,
    pub key: String,
    pub media_type: String,
    pub thumbnail_key: String,
    pub thumbnail_media_type: String,
}

/// Properties of a picture that clients see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageInfo {
    pub version: String,
    pub width: i64,
    pub height: i64,
}

impl From<Image> for ImageInfo {
    fn from(Image { sha256: version, width, height, .. }: Image) -> Self {
        Self { version, width, height }
    }
}

/// Table of pictures.
pub trait Images: Part<Model: Into<Image>> {
    /// Key that distinguishes the pictures of one record.
    type Kind: Copy;

    fn kind_condition(kind: Self::Kind) -> Condition;
    fn row(image: Image, kind: Self::Kind) -> Self::ActiveModel;
}

/// Implements the conversions between a row and a picture.
macro_rules! images {
    ($row:ident => $active:ident) => {
        impl From<$row> for $crate::image::Image {
            fn from(row: $row) -> Self {
                let $row {
                    sha256, width, height, key, media_type, thumbnail_key, thumbnail_media_type, ..
                } = row;
                Self { sha256, width, height, key, media_type, thumbnail_key, thumbnail_media_type }
            }
        }

        impl From<$crate::image::Image> for $active {
            fn from(image: $crate::image::Image) -> Self {
                use sea_orm::ActiveValue::Set;
                Self {
                    sha256: Set(image.sha256),
                    width: Set(image.width),
                    height: Set(image.height),
                    key: Set(image.key),
                    media_type: Set(image.media_type),
                    thumbnail_key: Set(image.thumbnail_key),
                    thumbnail_media_type: Set(image.thumbnail_media_type),
                    ..Default::default()
                }
            }
        }
    };
}
pub(crate) use images;

const FOLDER: &str = "images";
const IDS_PER_QUERY: usize = 5000;

impl Image {
    /// Storage key of the file, and its media type.
    pub fn file(&self, size: Size) -> (&str, &str) {
        match size {
            Size::Full => (&self.key, &self.media_type),
            Size::Thumbnail => (&self.thumbnail_key, &self.thumbnail_media_type),
        }
    }

    async fn store(storage: &Storage, Picture { full, small }: Picture) -> Result<Self> {
        let sha256 = storage::sha256(&full.bytes);
        let key = storage.store_bytes(FOLDER, full.bytes).await?;
        let thumbnail_key = match storage.store_bytes(FOLDER, small.bytes).await {
            Ok(thumbnail_key) => thumbnail_key,
            Err(error) => {
                storage.discard(&key).await;
                return Err(error);
            }
        };
        Ok(Self {
            sha256,
            width: full.width.into(),
            height: full.height.into(),
            key,
            media_type: full.media_type.to_owned(),
            thumbnail_key,
            thumbnail_media_type: small.media_type.to_owned(),
        })
    }

    /// Deletes the files of a picture that no row names any more.
    pub(crate) async fn discard(&self, storage: &Storage) {
        storage.discard(&self.key).await;
        storage.discard(&self.thumbnail_key).await;
    }
}

/// Loads the pictures of one kind that these records have.
pub(crate) async fn load<P: Images>(
    db: &impl ConnectionTrait,
    scope: &Scope,
    wholes: &[i64],
) -> Result<Vec<P::Model>> {
    let mut images = Vec::new();
    for some in wholes.chunks(IDS_PER_QUERY) {
        images.extend(scope.parts::<P>(some.iter().copied()).all(db).await?);
    }
    Ok(images)
}

/// Loads one picture of a record.
pub async fn get<P: Images>(
    db: &impl ConnectionTrait,
    scope: &Scope,
    whole: i64,
    kind: P::Kind,
) -> Result<Image> {
    let image = scope.parts::<P>([whole]).filter(P::kind_condition(kind)).one(db).await?;
    image.map(Into::into).ok_or_else(Error::not_found)
}

/// Stores an uploaded file as the picture of a record and replaces the previous one.
pub async fn set<P: Images>(
    db: &Database,
    storage: &Storage,
    scope: &Scope,
    whole: i64,
    kind: P::Kind,
    version: Option<i64>,
    upload: &Path,
) -> Result<()>
where
    <P::Whole as EntityTrait>::ActiveModel: ActiveModelTrait<Entity = P::Whole>,
{
    // Decoding is expensive, so callers without permission are rejected before it.
    scope.refuse_change::<P::Whole>(db, whole, version).await?;
    let image = Image::store(storage, picture::read(upload).await?).await?;
    let replaced = replace::<P>(db, storage, scope, whole, kind, version, Some(image.clone())).await;
    if replaced.is_err() {
        image.discard(storage).await;
    }
    replaced
}

/// Removes a picture from a record.
pub async fn remove<P: Images>(
    db: &Database,
    storage: &Storage,
    scope: &Scope,
    whole: i64,
    kind: P::Kind,
) -> Result<()>
where
    <P::Whole as EntityTrait>::ActiveModel: ActiveModelTrait<Entity = P::Whole>,
{
    scope.claim::<P::Whole>()?;
    get::<P>(db, scope, whole, kind).await?;
    replace::<P>(db, storage, scope, whole, kind, None, None).await
}

async fn replace<P: Images>(
    db: &Database,
    storage: &Storage,
    scope: &Scope,
    whole: i64,
    kind: P::Kind,
    version: Option<i64>,
    image: Option<Image>,
) -> Result<()>
where
    <P::Whole as EntityTrait>::ActiveModel: ActiveModelTrait<Entity = P::Whole>,
{
    let tx = db.begin().await?;
    let unchanged = <<P::Whole as EntityTrait>::ActiveModel as ActiveModelTrait>::default();
    scope.update::<P::Whole>(&tx, whole, version, unchanged).await?;
    let before = scope.parts::<P>([whole]).filter(P::kind_condition(kind)).one(&tx).await?;
    scope.remove_parts::<P>(&tx, whole, P::kind_condition(kind)).await?;
    scope.add_parts::<P>(&tx, whole, image.map(|image| P::row(image, kind))).await?;
    tx.commit().await?;
    if let Some(before) = before {
        before.into().discard(storage).await;
    }
    Ok(())
}
