//! Articles: one value for each attribute of their type; name and number follow the type's templates, and the number
//! is unique across the platform.

use kernel::{Code, Owner, Scoped};

pub use crate::entity::article::{Column, Entity as Articles, Model as Article};

impl Scoped for Articles {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [(&'static str, &'static str, Code)] =
        &[("article_number_fold", "article_number", Code::Taken)];
}
