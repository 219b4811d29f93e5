//! Accounts of a demo, which the sign-in page shows.

/// Password of all demo accounts.
pub const PASSWORD: &str = "profil-traeger-walzwerk";

/// A demo account.
#[derive(Debug)]
pub struct Account {
    pub email: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    /// Short code of the tenant.
    pub tenant: Option<&'static str>,
    /// Name of the role.
    pub role: Option<&'static str>,
}

/// Name of the role with all permissions.
pub const PLATFORM: &str = "Plattformverwaltung";
/// Name of the role of tenants' administrators.
pub const TENANT_ADMIN: &str = "Mandantenverwaltung";
/// Name of the role of tenants' users.
pub const TENANT_USER: &str = "Sachbearbeitung";
/// Name of the role for the shop alone.
pub const SHOP: &str = "Shop";

/// Short code of the first tenant.
pub const NORDSTAHL: &str = "NORD";
/// Short code of the second tenant.
pub const SUEDROHR: &str = "SUED";

/// E-mail address of the platform's administrator.
pub const ADMINISTRATOR: &str = "admin@stalhof.example";

/// Accounts that a demo creates.
pub const ACCOUNTS: &[Account] = &[
    Account {
        email: ADMINISTRATOR,
        name: "Adele Brandt",
        description: "Plattformverwaltung",
        tenant: None,
        role: Some(PLATFORM),
    },
    Account {
        email: "leitung@nordstahl.example",
        name: "Lennart Petersen",
        description: "Mandantenverwaltung, Nordstahl",
        tenant: Some(NORDSTAHL),
        role: Some(TENANT_ADMIN),
    },
    Account {
        email: "mitarbeit@nordstahl.example",
        name: "Merle Hansen",
        description: "Sachbearbeitung, Nordstahl",
        tenant: Some(NORDSTAHL),
        role: Some(TENANT_USER),
    },
    Account {
        email: "shop@nordstahl.example",
        name: "Sönke Thomsen",
        description: "nur Shop, Nordstahl",
        tenant: Some(NORDSTAHL),
        role: Some(SHOP),
    },
    Account {
        email: "niemand@nordstahl.example",
        name: "Nele Voß",
        description: "keine Rechte, Nordstahl",
        tenant: Some(NORDSTAHL),
        role: None,
    },
    Account {
        email: "leitung@suedrohr.example",
        name: "Lorenz Huber",
        description: "Mandantenverwaltung, Südrohr",
        tenant: Some(SUEDROHR),
        role: Some(TENANT_ADMIN),
    },
];
