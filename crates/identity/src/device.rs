//! Names of browsers and operating systems, read from the user agent.

/// Device of a sign-in. Parts that are not recognised are missing instead of guessed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Browser, or another program.
    pub browser: Option<String>,
    pub system: Option<&'static str>,
}

/// Browsers in the order of the search, because most of them also claim to be later ones.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi/", "Vivaldi"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: &[(&str, &str)] = &[
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

const NAME_MAX: usize = 40;

impl Device {
    /// Recognises browser and operating system from a `User-Agent` header.
    pub fn read(user_agent: &str) -> Self {
        let find = |table: &[(&str, &'static str)]| {
            table.iter().find(|(sign, _)| user_agent.contains(sign)).map(|(_, name)| *name)
        };
        Self {
            browser: find(BROWSERS).map(str::to_owned).or_else(|| program(user_agent)),
            system: find(SYSTEMS),
        }
    }
}

/// Name of a program in a user agent: `curl` of `curl/8.5.0`.
fn program(user_agent: &str) -> Option<String> {
    let name = user_agent.split(['/', ' ', '(']).next().unwrap_or_default();
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    (plain && name != "Mozilla" && (1..=NAME_MAX).contains(&name.len())).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_named_by_its_browser_and_system() {
        const MAC: &str =
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";
        const WINDOWS: &str =
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";
        const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15";
        const ANDROID: &str = "Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko)";
        for (agent, browser, system) in [
            (format!("{WINDOWS} Chrome/140.0 Safari/537.36 Edg/140.0"), "Edge", "Windows"),
            (format!("{WINDOWS} Chrome/140.0 Safari/537.36 OPR/120.0"), "Opera", "Windows"),
            (format!("{WINDOWS} Chrome/140.0 Safari/537.36"), "Chrome", "Windows"),
            (format!("{ANDROID} Chrome/140.0 Mobile Safari/537.36 EdgA/140.0"), "Edge", "Android"),
            (
                format!("{ANDROID} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36"),
                "Samsung Internet",
                "Android",
            ),
            (format!("{IPHONE} Version/18.0 Mobile/15E148 Safari/604.1"), "Safari", "iPhone"),
            (format!("{IPHONE} CriOS/140.0 Mobile/15E148 Safari/604.1"), "Chrome", "iPhone"),
            (format!("{MAC} Version/18.0 Safari/605.1.15"), "Safari", "macOS"),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0".into(),
                "Firefox",
                "Linux",
            ),
            ("Mozilla/5.0 (X11; CrOS x86_64) Chrome/140.0 Safari/537.36".into(), "Chrome", "ChromeOS"),
        ] {
            let expected = Device { browser: Some(browser.into()), system: Some(system) };
            assert_eq!(Device::read(&agent), expected, "{agent}");
        }
    }

    #[test]
    fn programs_keep_their_own_name_and_unknown_agents_have_none() {
        let browser_and_system = |agent: &str| (Device::read(agent).browser, Device::read(agent).system);
        assert_eq!(browser_and_system("curl/8.5.0"), (Some("curl".into()), None));
        for unknown in ["", "Mozilla/5.0", "<script>alert(1)</script>", "\u{202e}x", &"a".repeat(41)] {
            assert_eq!(browser_and_system(unknown), (None, None), "{unknown}");
        }
    }
}
