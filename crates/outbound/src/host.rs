//! Host that a user has entered: a name or an address in any spelling.

use std::net::{IpAddr, Ipv6Addr};

use crate::Failure;

/// The longest name (RFC 1035), with a dot at the end.
const NAME_MAX: usize = 254;

/// Host. Every spelling of an IPv4 address (decimal, octal, hexadecimal, shortened, other digits) is that
/// address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host(url::Host<String>);

impl Host {
    /// Reads a name or an address as people enter them: no scheme, no user, no path.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let is_foreign = |c: char| c.is_control() || c.is_whitespace() || "/\\@?#<>\"'`{}|^".contains(c);
        if text.is_empty() || text.len() > NAME_MAX || text.contains(is_foreign) {
            return Err(Failure::InvalidHost);
        }
        if let Ok(address) = text.parse::<Ipv6Addr>() {
            return Ok(Self(url::Host::Ipv6(address)));
        }
        url::Host::parse(text).map(Self).map_err(|_| Failure::InvalidHost)
    }

    pub(crate) fn from_url(url: &url::Url) -> Result<Self, Failure> {
        url.host().map(|host| Self(host.to_owned())).ok_or(Failure::InvalidUrl)
    }

    /// The address, if it is one and not a name.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        match &self.0 {
            url::Host::Domain(_) => None,
            url::Host::Ipv4(address) => Some(IpAddr::V4(*address)),
            url::Host::Ipv6(address) => Some(IpAddr::V6(*address)),
        }
    }

    /// The name, or the address without brackets.
    pub fn name(&self) -> String {
        match &self.0 {
            url::Host::Domain(name) => name.clone(),
            url::Host::Ipv4(address) => address.to_string(),
            url::Host::Ipv6(address) => address.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_and_addresses_are_accepted_as_hosts() {
        for (text, name) in [
            ("ftp.example.com", "ftp.example.com"),
            ("FTP.Example.COM", "ftp.example.com"),
            ("stähle.example", "xn--sthle-hra.example"),
            ("8.8.8.8", "8.8.8.8"),
            ("2606:4700::1111", "2606:4700::1111"),
            ("[2606:4700::1111]", "2606:4700::1111"),
        ] {
            assert_eq!(Host::parse(text).map(|host| host.name()).as_deref(), Ok(name));
        }
        for text in [
            "",
            " ",
            "ftp://example.com",
            "user@example.com",
            "example.com/stock",
            "example.com:21",
            "example.com#x",
            "a b.example",
            "example.com\r\nQUIT",
            "example\0.com",
            "[::1",
            "fe80::1%lo",
            "[fe80::1%25lo]",
            "1.2.3.4.5",
            "300.1.1.1",
            "0x100000000",
            &"a".repeat(300),
        ] {
            assert_eq!(Host::parse(text), Err(Failure::InvalidHost), "{text:?}");
        }
    }
}
