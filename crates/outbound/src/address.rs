//! Addresses that may be connected to: public ones, and networks that the operator allows.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// Network: an address, and the number of its leading bits that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// Error for a text that is not a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotANetwork;

impl fmt::Display for NotANetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected is a network like 10.1.2.0/24 or fd00:1::/64, or an address")
    }
}

impl std::error::Error for NotANetwork {}

impl FromStr for Network {
    type Err = NotANetwork;

    /// Parses `10.1.2.0/24`, `fd00:1::/64`, or one address.
    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| NotANetwork)?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().map_err(|_| NotANetwork)?
            }
            Some(_) => return Err(NotANetwork),
            None => longest,
        };
        if prefix > longest { Err(NotANetwork) } else { Ok(Self { address, prefix }) }
    }
}

impl Network {
    /// True if the address is in the network. An IPv4 address embedded in IPv6 is in no IPv4 network.
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => within_v4(own, self.prefix, other),
            (IpAddr::V6(own), IpAddr::V6(other)) => within_v6(own, self.prefix, other),
            _ => false,
        }
    }
}

const fn within_v4(network: Ipv4Addr, prefix: u8, address: Ipv4Addr) -> bool {
    let different = network.to_bits() ^ address.to_bits();
    prefix == 0 || different >> (32 - prefix) == 0
}

const fn within_v6(network: Ipv6Addr, prefix: u8, address: Ipv6Addr) -> bool {
    let different = network.to_bits() ^ address.to_bits();
    prefix == 0 || different >> (128 - prefix) == 0
}

/// IPv4 networks that are not public (IANA's special-purpose registry), and one public address at which
/// clouds serve metadata.
const NOT_PUBLIC_V4: &[(Ipv4Addr, u8)] = &[
    (Ipv4Addr::UNSPECIFIED, 8),            // this host
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // carriers' NAT; metadata 100.100.100.200
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // metadata
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local; metadata 169.254.169.254
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments; metadata 192.0.0.192
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // relays of 6to4
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),      // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),      // reserved, broadcast
];

/// IPv6 range that is assigned to the public.
const PUBLIC_V6: (Ipv6Addr, u8) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks within it that are not public, or that embed an IPv4 address. All other embedding ranges, such as
/// `::ffff:0:0/96`, `64:ff9b::/96` and `64:ff9b:1::/48`, are outside of it, as are loopback, link-local,
/// unique-local and multicast.
const NOT_PUBLIC_V6: &[(Ipv6Addr, u8)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, Teredo, ORCHID
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// True if the address is publicly reachable on the internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            !NOT_PUBLIC_V4.iter().any(|(network, prefix)| within_v4(*network, *prefix, address))
        }
        IpAddr::V6(address) => {
            within_v6(PUBLIC_V6.0, PUBLIC_V6.1, address)
                && !NOT_PUBLIC_V6.iter().any(|(network, prefix)| within_v6(*network, *prefix, address))
        }
    }
}

/// The addresses that may be connected to: public ones, and networks of the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    allowed: Vec<Network>,
}

impl Rules {
    /// Allows public addresses, and those of these networks.
    pub fn with_networks(allowed: Vec<Network>) -> Self {
        Self { allowed }
    }

    /// True if the address may be connected to.
    pub fn admit(&self, address: IpAddr) -> bool {
        is_public(address) || self.allowed.iter().any(|network| network.contains(address))
    }

    /// True if the address is not public: a server behind NAT may announce it by mistake.
    pub(crate) fn is_internal(address: IpAddr) -> bool {
        !is_public(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn the_bounds_of_each_forbidden_network_are_exact() {
        for (inside, outside) in [
            ("0.255.255.255", "1.0.0.0"),
            ("10.0.0.0", "9.255.255.255"),
            ("10.255.255.255", "11.0.0.0"),
            ("100.64.0.0", "100.63.255.255"),
            ("100.127.255.255", "100.128.0.0"),
            ("127.255.255.255", "128.0.0.0"),
            ("168.63.129.16", "168.63.129.17"),
            ("169.254.0.0", "169.253.255.255"),
            ("172.16.0.0", "172.15.255.255"),
            ("172.31.255.255", "172.32.0.0"),
            ("192.0.0.255", "192.0.1.0"),
            ("192.168.255.255", "192.169.0.0"),
            ("198.19.255.255", "198.20.0.0"),
            ("224.0.0.0", "223.255.255.255"),
            ("255.255.255.255", "8.8.8.8"),
            ("1fff:ffff::", "2000::"),
            ("4000::", "3ffe:ffff::"),
            ("2001:0:1::", "2001:200::"),
            ("2001:db8:ffff::", "2001:db9::"),
            ("2002:808:808::", "2003::"),
            ("3fff:fff::", "3fff:1000::"),
            ("::1", "2606:4700::1111"),
            ("::ffff:8.8.8.8", "2a00:1450::8"),
        ] {
            let rules = Rules::default();
            assert!(!rules.admit(address(inside)), "{inside}");
            assert!(rules.admit(address(outside)), "{outside}");
        }
    }

    #[test]
    fn internal_networks_are_admitted_only_if_the_operator_allows_them() {
        let networks = ["10.1.2.0/24", "fd00:1::/64", "192.168.7.7"].map(|text| text.parse().unwrap());
        let rules = Rules::with_networks(networks.to_vec());
        for allowed in ["10.1.2.0", "10.1.2.255", "fd00:1::9", "192.168.7.7", "8.8.8.8"] {
            assert!(rules.admit(address(allowed)), "{allowed}");
        }
        for refused in
            ["10.1.3.0", "10.1.1.255", "fd00:1:0:1::", "192.168.7.8", "::ffff:10.1.2.3", "::10.1.2.3"]
        {
            assert!(!rules.admit(address(refused)), "{refused}");
        }
    }

    #[test]
    fn invalid_networks_are_refused() {
        for text in [
            "",
            "10.0.0.0/33",
            "::/129",
            "10.0.0/8",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0.0.0/-1",
            "localhost",
            "10.0.0.0/8/8",
        ] {
            assert_eq!(text.parse::<Network>(), Err(NotANetwork), "{text}");
        }
        for (text, contained) in [("0.0.0.0/0", "255.1.2.3"), ("::/0", "fe80::1"), ("::1", "::1")] {
            assert!(text.parse::<Network>().unwrap().contains(address(contained)), "{text}");
        }
    }
}
