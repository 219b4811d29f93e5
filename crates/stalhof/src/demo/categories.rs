//! Categories of the demo, by which buyers find articles, with drawings of the sections.

use catalog::{
    article_type::{ArticleType, ArticleTypes},
    category::{
        self, Categories, CategoryInput,
        image::{CategoryImages, ImageKind},
    },
    image,
};
use lists::Creatable;
use sea_orm::{ColumnTrait, QueryFilter};
use storage::Storage;
use store::{Database, Scope};
use values::{Error, Result, fold};

/// Category: its article type, its name for buyers, its drawing, and its subcategories.
struct Node {
    name: &'static str,
    display_name: Option<&'static str>,
    article_type: Option<&'static str>,
    picture: Option<&'static [u8]>,
    below: &'static [Self],
}

macro_rules! drawing {
    ($name:literal) => {
        Some(include_bytes!(concat!("pictures/", $name, ".png")).as_slice())
    };
}

const fn area(name: &'static str, picture: Option<&'static [u8]>, below: &'static [Node]) -> Node {
    Node { name, display_name: None, article_type: None, picture, below }
}

const fn leaf(
    name: &'static str,
    display_name: &'static str,
    article_type: &'static str,
    picture: Option<&'static [u8]>,
) -> Node {
    Node { name, display_name: Some(display_name), article_type: Some(article_type), picture, below: &[] }
}

const TREE: &[Node] = &[
    area(
        "Langprodukte",
        None,
        &[
            area(
                "Träger",
                drawing!("heb"),
                &[
                    leaf("HEA", "Breitflanschträger leicht (HEA)", "HEA", drawing!("hea")),
                    leaf("HEB", "Breitflanschträger (HEB)", "HEB", drawing!("heb")),
                    leaf("IPE", "Mittelbreite I-Träger (IPE)", "IPE", drawing!("ipe")),
                    leaf("UPE", "U-Träger mit parallelen Flanschen (UPE)", "UPE", drawing!("upe")),
                    leaf("UPN", "U-Träger mit geneigten Flanschen (UPN)", "UPN", drawing!("upn")),
                ],
            ),
            area(
                "Stabstahl",
                drawing!("round"),
                &[
                    leaf("Flach", "Flachstahl", "Flachstahl", drawing!("flat")),
                    leaf("Rund", "Rundstahl", "Rundstahl", drawing!("round")),
                    leaf("Vierkant", "Vierkantstahl", "Vierkantstahl", drawing!("square")),
                    leaf("Sechskant", "Sechskantstahl", "Sechskantstahl", drawing!("hexagon")),
                    leaf("Winkel", "Gleichschenkliger Winkelstahl", "Winkelstahl", drawing!("angle")),
                    leaf(
                        "Winkel ungleichschenklig",
                        "Ungleichschenkliger Winkelstahl",
                        "Winkelstahl ungleichschenklig",
                        drawing!("unequal-angle"),
                    ),
                    leaf("U", "Kleine U-Profile", "U-Profil", drawing!("u")),
                    leaf("T", "T-Profile", "T-Profil", drawing!("tee")),
                ],
            ),
            leaf("Betonstahl", "Betonstabstahl gerippt (DIN 488)", "Betonstahl", drawing!("rebar")),
        ],
    ),
    area(
        "Flachprodukte",
        None,
        &[
            leaf("Bleche", "Bleche in Lagerformaten", "Blech", drawing!("sheet")),
            leaf("Tränenbleche", "Tränenbleche in Lagerformaten", "Tränenblech", drawing!("tear-plate")),
        ],
    ),
    area(
        "Rohre und Hohlprofile",
        None,
        &[
            leaf("Rohre", "Stahlrohre", "Rohr", drawing!("tube")),
            area(
                "Hohlprofile",
                drawing!("hollow-cold"),
                &[
                    leaf(
                        "Kaltgefertigt",
                        "Hohlprofile kaltgefertigt (EN 10219)",
                        "Hohlprofil kaltgefertigt",
                        drawing!("hollow-cold"),
                    ),
                    leaf(
                        "Warmgefertigt",
                        "Hohlprofile warmgefertigt (EN 10210)",
                        "Hohlprofil warmgefertigt",
                        drawing!("hollow-hot"),
                    ),
                ],
            ),
        ],
    ),
];

/// Creates missing categories: an earlier run may have been interrupted.
pub(super) async fn fill(db: &Database, storage: &Storage) -> Result<()> {
    let types: Vec<ArticleType> = Scope::platform().find::<ArticleTypes>().all(db).await?;
    let mut open: Vec<(Option<i64>, &Node)> = TREE.iter().rev().map(|node| (None, node)).collect();
    while let Some((parent, node)) = open.pop() {
        let id = insert(db, storage, parent, node, &types).await?;
        open.extend(node.below.iter().rev().map(|node| (Some(id), node)));
    }
    Ok(())
}

async fn insert(
    db: &Database,
    storage: &Storage,
    parent_id: Option<i64>,
    node: &Node,
    types: &[ArticleType],
) -> Result<i64> {
    let scope = Scope::platform();
    let has_parent = match parent_id {
        Some(parent) => category::Column::ParentId.eq(parent),
        None => category::Column::ParentId.is_null(),
    };
    let has_name = category::Column::NameFold.eq(fold(node.name));
    let existing = scope.find::<Categories>().filter(has_parent).filter(has_name).one(db).await?;
    let article_type = types.iter().find(|kind| node.article_type == Some(&kind.name));
    let input = CategoryInput {
        name: node.name.to_owned(),
        display_name: node.display_name.map(str::to_owned),
        parent_id,
        article_type_id: article_type.map(|kind| kind.id),
        version: None,
    };
    let id = match existing {
        Some(category) => category.id,
        None => Categories::create(db, &scope, input).await?.category.id,
    };
    if let Some(picture) = node.picture
        && image::get::<CategoryImages>(db, &scope, id, ImageKind::Category).await.is_err()
    {
        let file = storage.spool_file()?;
        std::fs::write(file.path(), picture).map_err(Error::internal)?;
        let kind = ImageKind::Category;
        image::set::<CategoryImages>(db, storage, &scope, id, kind, None, file.path()).await?;
    }
    Ok(id)
}
