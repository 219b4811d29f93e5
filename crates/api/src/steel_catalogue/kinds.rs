//! Article types and article type groups of the demo.

use catalog::{
    article_type::{ArticleTypeInput, TypeAttributeInput, group::ArticleTypeGroupInput},
    attribute::Attribute,
    shape::{Dimension, Shape},
};
use values::Unit;

/// Article type: its templates, its units, and its attributes with true for primary ones.
pub(super) struct Kind {
    pub(super) name: &'static str,
    number: &'static str,
    label: &'static str,
    base: Unit,
    /// Section; the weights of beams and angles are those of the tables, at their options.
    section: Option<Shape>,
    attributes: &'static [(&'static str, bool, Option<Dimension>)],
}

/// Group of article types.
pub(super) struct Group {
    pub(super) name: &'static str,
    description: &'static str,
    /// Commercial length of its article types.
    pub(super) ladder: Option<&'static str>,
    pub(super) kinds: &'static [&'static str],
}

pub(super) const GROUPS: &[Group] = &[
    Group {
        name: "Träger",
        description: "Formstahl: I-, H- und U-Profile",
        ladder: Some("Handelslängen Träger"),
        kinds: &["IPE", "HEA", "HEB", "UPE", "UPN"],
    },
    Group {
        name: "Stabstahl",
        description: "Flach-, Rund-, Vierkant-, Sechskant- und Winkelstahl, kleine U- und T-Profile",
        ladder: Some("Handelslängen Stabstahl"),
        kinds: &[
            "Flachstahl",
            "Rundstahl",
            "Vierkantstahl",
            "Sechskantstahl",
            "Winkelstahl",
            "Winkelstahl ungleichschenklig",
            "U-Profil",
            "T-Profil",
        ],
    },
    Group {
        name: "Rohre und Hohlprofile",
        description: "Rund, quadratisch und rechteckig, kalt- und warmgefertigt",
        ladder: None,
        kinds: &["Rohr", "Hohlprofil kaltgefertigt", "Hohlprofil warmgefertigt"],
    },
    Group {
        name: "Betonstahl",
        description: "Gerippte Stäbe nach DIN 488",
        ladder: Some("Handelslängen Betonstahl"),
        kinds: &["Betonstahl"],
    },
    Group {
        name: "Flachprodukte",
        description: "Bleche in Lagerformaten",
        ladder: None,
        kinds: &["Blech", "Tränenblech"],
    },
];

pub(super) const LENGTH: &str = "Länge";
pub(super) const FINISH: &str = "Ausführung";

pub(super) const KINDS: &[Kind] = &[
    Kind {
        name: "IPE",
        number: "IPE-{ipe_profil}-{material}-{laenge}",
        label: "IPE {ipe_profil} {material} {laenge} m",
        base: Unit::Metre,
        section: None,
        attributes: &[("IPE-Profil", true, None), (LENGTH, true, Some(Dimension::Length))],
    },
    Kind {
        name: "HEA",
        number: "HEA-{hea_profil}-{material}-{laenge}",
        label: "HEA {hea_profil} {material} {laenge} m",
        base: Unit::Metre,
        section: None,
        attributes: &[("HEA-Profil", true, None), (LENGTH, true, Some(Dimension::Length))],
    },
    Kind {
        name: "HEB",
        number: "HEB-{heb_profil}-{material}-{laenge}",
        label: "HEB {heb_profil} {material} {laenge} m",
        base: Unit::Metre,
        section: None,
        attributes: &[("HEB-Profil", true, None), (LENGTH, true, Some(Dimension::Length))],
    },
    Kind {
        name: "UPE",
        number: "UPE-{upe_profil}-{material}-{laenge}",
        label: "UPE {upe_profil} {material} {laenge} m",
        base: Unit::Metre,
        section: None,
        attributes: &[("UPE-Profil", true, None), (LENGTH, true, Some(Dimension::Length))],
    },
    Kind {
        name: "UPN",
        number: "UPN-{upn_profil}-{material}-{laenge}",
        label: "UPN {upn_profil} {material} {laenge} m",
        base: Unit::Metre,
        section: None,
        attributes: &[("UPN-Profil", true, None), (LENGTH, true, Some(Dimension::Length))],
    },
    Kind {
        name: "Flachstahl",
        number: "FL-{breite}x{dicke}-{material}-{laenge}",
        label: "Flachstahl {breite} x {dicke} {material} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::Flat),
        attributes: &[
            ("Breite", true, Some(Dimension::Width)),
            ("Dicke", true, Some(Dimension::Thickness)),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "Rundstahl",
        number: "RD-{durchmesser}-{material}-{ausfuehrung}-{laenge}",
        label: "Rundstahl {durchmesser} {material} {ausfuehrung} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::Round),
        attributes: &[
            ("Durchmesser", true, Some(Dimension::Diameter)),
            (FINISH, true, None),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "Vierkantstahl",
        number: "VK-{kantenlaenge}-{material}-{ausfuehrung}-{laenge}",
        label: "Vierkantstahl {kantenlaenge} {material} {ausfuehrung} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::Square),
        attributes: &[
            ("Kantenlänge", true, Some(Dimension::Side)),
            (FINISH, true, None),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "Sechskantstahl",
        number: "SK-{schluesselweite}-{material}-{ausfuehrung}-{laenge}",
        label: "Sechskantstahl SW {schluesselweite} {material} {ausfuehrung} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::Hexagon),
        attributes: &[
            ("Schlüsselweite", true, Some(Dimension::AcrossFlats)),
            (FINISH, true, None),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "Winkelstahl",
        number: "L-{winkelprofil}-{material}-{laenge}",
        label: "Winkelstahl {winkelprofil} {material} {laenge} m",
        base: Unit::Metre,
        section: None,
        attributes: &[("Winkelprofil", true, None), (LENGTH, true, Some(Dimension::Length))],
    },
    Kind {
        name: "Winkelstahl ungleichschenklig",
        number: "L-{hoehe}x{breite}x{dicke}-{material}-{laenge}",
        label: "Winkelstahl ungleichschenklig {hoehe} x {breite} x {dicke} {material} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::Angle),
        attributes: &[
            ("Höhe", true, Some(Dimension::Height)),
            ("Breite", true, Some(Dimension::Width)),
            ("Dicke", true, Some(Dimension::Thickness)),
            ("Wurzelradius", false, Some(Dimension::Radius)),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "U-Profil",
        number: "U-{hoehe}x{breite}x{stegdicke}-{material}-{laenge}",
        label: "U-Profil {hoehe} x {breite} x {stegdicke} {material} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::ChannelTapered),
        attributes: &[
            ("Höhe", true, Some(Dimension::Height)),
            ("Breite", true, Some(Dimension::Width)),
            ("Stegdicke", true, Some(Dimension::WebThickness)),
            ("Flanschdicke", false, Some(Dimension::FlangeThickness)),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "T-Profil",
        number: "T-{hoehe}x{breite}x{dicke}-{material}-{laenge}",
        label: "T-Profil {hoehe} x {breite} x {dicke} {material} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::Tee),
        attributes: &[
            ("Höhe", true, Some(Dimension::Height)),
            ("Breite", true, Some(Dimension::Width)),
            ("Dicke", true, Some(Dimension::Thickness)),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "Betonstahl",
        number: "BST-{durchmesser}-{material}-{laenge}",
        label: "Betonstahl {durchmesser} {material} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::Rebar),
        attributes: &[
            ("Durchmesser", true, Some(Dimension::Diameter)),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "Hohlprofil kaltgefertigt",
        number: "HPK-{hoehe}x{breite}x{wanddicke}-{material}-{laenge}",
        label: "Hohlprofil kalt {hoehe} x {breite} x {wanddicke} {material} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::HollowCold),
        attributes: &[
            ("Höhe", true, Some(Dimension::Height)),
            ("Breite", true, Some(Dimension::Width)),
            ("Wanddicke", true, Some(Dimension::Thickness)),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "Hohlprofil warmgefertigt",
        number: "HPW-{hoehe}x{breite}x{wanddicke}-{material}-{laenge}",
        label: "Hohlprofil warm {hoehe} x {breite} x {wanddicke} {material} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::HollowHot),
        attributes: &[
            ("Höhe", true, Some(Dimension::Height)),
            ("Breite", true, Some(Dimension::Width)),
            ("Wanddicke", true, Some(Dimension::Thickness)),
            (LENGTH, true, Some(Dimension::Length)),
        ],
    },
    Kind {
        name: "Rohr",
        number: "RO-{aussendurchmesser}x{wanddicke}-{material}-{herstellart}-{laenge}",
        label: "Rohr {aussendurchmesser} x {wanddicke} {material} {herstellart} {laenge} m",
        base: Unit::Metre,
        section: Some(Shape::Tube),
        attributes: &[
            ("Außendurchmesser", true, Some(Dimension::Diameter)),
            ("Wanddicke", true, Some(Dimension::Thickness)),
            ("Herstellart", true, None),
            (LENGTH, true, Some(Dimension::Length)),
            ("Norm", false, None),
        ],
    },
    Kind {
        name: "Blech",
        number: "BL-{blechdicke}-{format}-{material}",
        label: "Blech {blechdicke} x {format} {material}",
        base: Unit::SquareMetre,
        section: Some(Shape::Sheet),
        attributes: &[
            ("Blechdicke", true, Some(Dimension::Thickness)),
            ("Format", true, Some(Dimension::Format)),
        ],
    },
    Kind {
        name: "Tränenblech",
        number: "TR-{blechdicke}-{format}-{material}",
        label: "Tränenblech {blechdicke} x {format} {material}",
        base: Unit::SquareMetre,
        section: Some(Shape::TearPlate),
        attributes: &[
            ("Blechdicke", true, Some(Dimension::Thickness)),
            ("Format", true, Some(Dimension::Format)),
        ],
    },
];

impl Group {
    pub(super) fn input(&self) -> ArticleTypeGroupInput {
        ArticleTypeGroupInput {
            name: self.name.to_owned(),
            description: Some(self.description.to_owned()),
            version: None,
        }
    }
}

impl Kind {
    pub(super) fn input(&self, attributes: &[Attribute]) -> ArticleTypeInput {
        let ids = self.attributes.iter().filter_map(|&(name, primary, dimension)| {
            let attribute = attributes.iter().find(|attribute| attribute.name == name)?;
            Some(TypeAttributeInput { attribute_id: attribute.id, primary, dimension })
        });
        ArticleTypeInput {
            name: self.name.to_owned(),
            article_number_template: self.number.to_owned(),
            article_name_template: self.label.to_owned(),
            base_unit_of_measure: self.base,
            listing_unit_of_measure: self.base,
            price_unit_of_measure: Unit::Tonne,
            article_type_group_id: None,
            section: self.section,
            trade_dimension_id: None,
            attributes: ids.collect(),
            change_articles: None,
            version: None,
        }
    }
}
