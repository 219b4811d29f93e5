//! Tests of spellings of forbidden addresses, at every place that opens connections.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    net::{TcpListener, TcpStream},
    time::Instant,
};

use crate::{
    Failure, Host, Outbound, Rules, Tls,
    http::{
        Client, HttpsUrl, Limits,
        tests::{LISTEN, Mood, NAME, Names, Server, get, rules_of_listener},
    },
};

/// Hosts as they are written in a URL.
const SPELLINGS: &[&str] = &[
    // Loopback, as numbers of every kind.
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7f.1",
    "0x7F.0x0.0x0.0x1",
    "017700000001",
    "0177.0.0.1",
    "0177.1",
    "0000177.0.0.01",
    "127.0.0.1.",
    "0x7f.1.",
    "127.0.0.0x1",
    "127.0x0.1",
    // With other digits, dots and escapes.
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127．0．0．1",
    "１２７．０．０．１",
    "0ⓧ7f.1",
    // Names of this machine, which resolve.
    "localhost",
    "LOCALHOST",
    "localhost.",
    "loc%61lhost",
    "ｌｏｃａｌｈｏｓｔ",
    // Unspecified address and this network.
    "0",
    "0.0.0.0",
    "0x0",
    "00000000000",
    "0.1.2.3",
    // Private networks.
    "10.0.0.1",
    "10.1",
    "167772161",
    "0xa.0.0.1",
    "012.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "0xac100001",
    "192.168.0.1",
    "192.168.257",
    "3232235521",
    "0300.0250.0.1",
    // Link-local and metadata addresses.
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    // Carriers' NAT, benchmarks, documentation, multicast, reserved, broadcast.
    "100.64.0.1",
    "198.18.0.1",
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "4294967295",
    // IPv6: loopback, unspecified, link-local, unique-local, multicast, documentation
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000::0001]",
    "[::]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[100::1]",
    // IPv6 that carries IPv4: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:10.0.0.1]",
    "[::ffff:8.8.8.8]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::169.254.169.254]",
    "[64:ff9b:1::10.0.0.1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2001:0:7f00:1::]",
    "[2001::ffff:80ff:fffe]",
    "[fe80::5efe:127.0.0.1]",
    "[5f00::1]",
];

/// Server that counts connections, on both loopback addresses.
struct Canary {
    port: u16,
    accepted: Arc<AtomicUsize>,
}

impl Canary {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let accepted = Arc::<AtomicUsize>::default();
        let mut listeners = vec![listener];
        // Some machines have no IPv6.
        listeners.extend(TcpListener::bind(("::1", port)).await);
        for listener in listeners {
            let accepted = accepted.clone();
            tokio::spawn(async move {
                while listener.accept().await.is_ok() {
                    accepted.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        Self { port, accepted }
    }

    /// Checks that a connection is counted at all, and that it is the only one.
    async fn saw_nobody(&self) {
        TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(self.accepted.load(Ordering::SeqCst), 1);
    }
}

fn quick() -> Limits {
    Limits { idle: Duration::from_secs(1), total: Duration::from_secs(2), ..Limits::default() }
}

#[test]
fn the_table_is_long_and_has_no_duplicates() {
    let all: std::collections::HashSet<_> = SPELLINGS.iter().collect();
    assert_eq!(all.len(), SPELLINGS.len());
    assert!(all.len() >= 60, "{}", all.len());
}

#[tokio::test]
async fn spellings_of_forbidden_addresses_are_never_connected_to() {
    let (canary, outbound) = (Canary::start().await, Outbound::new(Rules::default()));
    for spelling in SPELLINGS {
        let began = Instant::now();
        let refused = match Host::parse(spelling) {
            Ok(host) => outbound.connect(&host, canary.port).await.unwrap_err(),
            // A field for a host does not decode escapes.
            Err(failure) => failure,
        };
        assert!(matches!(refused, Failure::Unreachable | Failure::InvalidHost), "{spelling}: {refused:?}");
        assert!(began.elapsed() < Duration::from_secs(3), "{spelling} was tried");
    }
    canary.saw_nobody().await;
}

#[tokio::test]
async fn spellings_of_forbidden_addresses_are_never_called_by_http() {
    let canary = Canary::start().await;
    let client = Client::new(Outbound::new(Rules::default()), Tls::default());
    for spelling in SPELLINGS {
        for place in [spelling.to_string(), format!("erp.example@{spelling}")] {
            let url = format!("https://{place}:{}/", canary.port);
            let refused = match HttpsUrl::parse(&url) {
                Ok(_) => client.send(get(&url), quick()).await.unwrap_err(),
                Err(failure) => failure,
            };
            assert!(matches!(refused, Failure::Unreachable | Failure::InvalidUrl), "{place}: {refused:?}");
        }
    }
    canary.saw_nobody().await;
}

#[tokio::test]
async fn redirects_to_forbidden_addresses_are_refused() {
    let canary = Canary::start().await;
    for spelling in SPELLINGS {
        let location = format!("https://{spelling}:{}/", canary.port);
        let answer = format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
        let server = Server::start(Mood::Says(answer.into_bytes())).await;
        let limits = Limits { redirects: 3, ..quick() };
        // The names resolve to the address of this server, which answers with the same redirect.
        let refused = server.client.send(get(&server.url("/")), limits).await.unwrap_err();
        assert!(matches!(refused, Failure::Redirected), "{spelling}: {refused:?}");
    }
    canary.saw_nobody().await;
}

#[tokio::test]
async fn names_that_resolve_to_forbidden_addresses_are_refused() {
    let canary = Canary::start().await;
    let addresses = SPELLINGS.iter().filter_map(|spelling| Host::parse(spelling).ok()?.address());
    let addresses: Vec<IpAddr> = addresses.collect();
    assert!(addresses.len() > 60, "{}", addresses.len());
    for address in addresses {
        let address = address.to_string();
        for answer in [vec![&*address], vec!["8.8.8.8", &address], vec![&address, "2606:4700::1111"]] {
            let outbound = Outbound::with_resolver(Rules::default(), Names::answering(&[&answer]));
            let refused = outbound.connect(&Host::parse(NAME).unwrap(), canary.port).await.unwrap_err();
            assert_eq!(refused, Failure::Unreachable, "{answer:?}");
        }
    }
    let nothing = Outbound::with_resolver(Rules::default(), Names::answering(&[&[]]));
    let refused = nothing.connect(&Host::parse(NAME).unwrap(), canary.port).await.unwrap_err();
    assert_eq!(refused, Failure::Unreachable);
    canary.saw_nobody().await;
}

#[tokio::test]
async fn a_name_that_resolves_differently_is_checked_on_each_connection() {
    let canary = Canary::start().await;
    let listener = TcpListener::bind((LISTEN, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let names = Names::answering(&[&[LISTEN], &["127.0.0.1"]]);
    let outbound = Outbound::with_resolver(rules_of_listener(), names);
    let host = Host::parse(NAME).unwrap();
    // The first answer is used for the connection, and the name is not resolved again.
    let stream = outbound.connect(&host, port).await.unwrap();
    assert_eq!(stream.peer_addr().unwrap().ip().to_string(), LISTEN);
    assert_eq!(outbound.connect(&host, canary.port).await.unwrap_err(), Failure::Unreachable);
    canary.saw_nobody().await;
}

#[tokio::test]
async fn data_connections_go_only_to_the_host_of_the_control_connection() {
    let canary = Canary::start().await;
    let listener = TcpListener::bind((LISTEN, 0)).await.unwrap();
    let data = TcpListener::bind((LISTEN, 0)).await.unwrap();
    let data_port = data.local_addr().unwrap().port();
    let outbound = Outbound::new(rules_of_listener());
    let port = listener.local_addr().unwrap().port();
    let control = outbound.connect(&Host::parse(LISTEN).unwrap(), port).await.unwrap();
    let announced = |address: &str, port: u16| SocketAddr::new(address.parse().unwrap(), port);

    for elsewhere in ["8.8.8.8", "2606:4700::1111", "1.1.1.1"] {
        let refused = outbound.connect_data(&control, announced(elsewhere, data_port)).await.unwrap_err();
        assert_eq!(refused, Failure::DataHostDiffers, "{elsewhere}");
    }
    for port in [0, 1, 21, 22, 80, 1023] {
        let refused = outbound.connect_data(&control, announced(LISTEN, port)).await.unwrap_err();
        assert_eq!(refused, Failure::DataHostDiffers, "{port}");
    }
    let addresses = SPELLINGS.iter().filter_map(|spelling| Host::parse(spelling).ok()?.address());
    for address in addresses {
        // The control connection's address has no listener on that port.
        let refused =
            outbound.connect_data(&control, SocketAddr::new(address, canary.port)).await.unwrap_err();
        assert_eq!(refused, Failure::Interrupted, "{address}");
    }
    canary.saw_nobody().await;
    for own in [LISTEN, "10.0.0.7", "0.0.0.0"] {
        let stream = outbound.connect_data(&control, announced(own, data_port)).await.unwrap();
        assert_eq!(stream.peer_addr().unwrap(), data.local_addr().unwrap());
    }
}

#[tokio::test]
async fn forbidden_and_unreachable_hosts_give_the_same_failure() {
    let closed = TcpListener::bind((LISTEN, 0)).await.unwrap();
    let port = closed.local_addr().unwrap().port();
    drop(closed);
    let outbound = Outbound::new(rules_of_listener());
    let away = outbound.connect(&Host::parse(LISTEN).unwrap(), port).await.unwrap_err();
    let forbidden = outbound.connect(&Host::parse("127.0.0.1").unwrap(), port).await.unwrap_err();
    assert_eq!(away, forbidden);
}
