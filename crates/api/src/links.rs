//! Menu entries of the operator: links to other systems, from `STALHOF_LINKS`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::Permission;

/// Menu entries that the operator adds.
#[derive(Debug, Clone, Default)]
pub struct Links(pub Vec<MenuLink>);

/// Menu entry that leads to another system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MenuLink {
    title: MenuLinkTitle,
    /// Address of the link.
    #[schema(example = "https://erp.example.org")]
    url: String,
    /// Group of the menu, in which it follows the product's own entries.
    #[serde(default)]
    group: MenuLinkGroup,
    /// True if the address opens in a new tab.
    #[serde(default = "default_true")]
    new_tab: bool,
    /// True if the entry is shown but disabled, for example during maintenance of the other system.
    #[serde(default)]
    disabled: bool,
    /// Permissions that users need, all of them, to see the entry.
    #[serde(default)]
    permissions: Vec<Permission>,
    #[serde(default)]
    #[schema(required)]
    chip: Option<MenuLinkChip>,
}

/// Name of the entry in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MenuLinkTitle {
    #[schema(example = "Warenwirtschaft")]
    de: String,
    #[schema(example = "ERP")]
    en: String,
}

/// Short label after the entry's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MenuLinkChip {
    #[schema(example = "Test")]
    label: String,
    #[serde(default)]
    color: MenuLinkColor,
    /// One or two letters in a circle before the label.
    #[serde(default)]
    #[schema(required, example = "T")]
    avatar: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum MenuLinkColor {
    #[default]
    Default,
    Info,
    Success,
    Warning,
    Error,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum MenuLinkGroup {
    MasterData,
    Stock,
    Prices,
    Logistics,
    Exchange,
    #[default]
    Administration,
    UserManagement,
}

fn default_true() -> bool {
    true
}

/// Reads the address of a link; refuses `javascript:`, which a browser would run as a script of our page.
pub fn web_address(text: &str) -> Result<String, String> {
    let is_web_address = text.parse::<actix_web::http::Uri>().is_ok_and(|url| {
        let host = url.host().is_some_and(|host| !host.is_empty() && !host.contains('%'));
        let plain = url.authority().is_some_and(|part| !part.as_str().contains('@'));
        matches!(url.scheme_str(), Some("http" | "https")) && host && plain
    });
    if is_web_address {
        Ok(text.to_owned())
    } else {
        Err("expected is an address like https://stalhof.example.org".to_owned())
    }
}

/// Reads `STALHOF_LINKS`: a JSON array of entries.
pub fn parse(text: &str) -> Result<Links, String> {
    let links: Vec<MenuLink> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    for MenuLink { url, title, chip, .. } in &links {
        web_address(url).map_err(|expected| format!("url {url}: {expected}"))?;
        if [&title.de, &title.en].iter().any(|name| name.trim().is_empty()) {
            return Err(format!("url {url}: the title needs a name in de and in en"));
        }
        if let Some(MenuLinkChip { label, avatar, .. }) = chip {
            let letters = avatar.as_ref().map_or(1, |text| text.chars().count());
            if label.trim().is_empty() || label.chars().count() > 12 || !(1..=2).contains(&letters) {
                return Err(format!(
                    "url {url}: a chip has a label of 1 to 12 characters and an avatar of 1 or 2"
                ));
            }
        }
    }
    Ok(Links(links))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERP: &str = r#"{"title":{"de":"Warenwirtschaft","en":"ERP"},"url":"https://erp.example.org"}"#;

    #[test]
    fn an_entry_needs_only_a_title_and_an_address() {
        let Links(links) = parse(&format!("[{ERP}]")).unwrap();
        assert_eq!(links.len(), 1);
        assert_eq!(
            serde_json::to_value(&links[0]).unwrap(),
            serde_json::json!({
                "title": { "de": "Warenwirtschaft", "en": "ERP" }, "url": "https://erp.example.org",
                "group": "administration", "new_tab": true, "disabled": false, "permissions": [], "chip": null,
            })
        );
    }

    #[test]
    fn invalid_links_are_refused_with_the_offending_part() {
        let with = |from: &str, to: &str| parse(&format!("[{}]", ERP.replace(from, to))).unwrap_err();
        assert!(with("https://erp.example.org", "javascript:alert(1)").contains("javascript:alert(1)"));
        assert!(with("Warenwirtschaft", " ").contains("needs a name in de"));
        assert!(with("\"url\"", "\"group\":\"kitchen\",\"url\"").contains("kitchen"));
        assert!(with("\"url\"", "\"colour\":1,\"url\"").contains("colour"));
        assert!(with("\"url\"", "\"permissions\":[\"stock.fly\"],\"url\"").contains("stock.fly"));
        assert!(with("\"url\"", "\"chip\":{\"label\":\"\"},\"url\"").contains("label"));
        assert!(parse("{").is_err());
    }
}
