//! Connections: a name is resolved once, each of its addresses is checked, and a checked address is connected to.

use std::{
    fmt,
    io::{self, ErrorKind},
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use futures_util::future::BoxFuture;
use tokio::{net::TcpStream, time::timeout};

use crate::{Failure, Host, Rules};

/// Timeout for resolving a name, and again for connecting to one of its addresses.
pub const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// Maximum number of addresses of a name that are tried.
const ADDRESSES_TRIED: usize = 4;
/// Lowest port of a data connection: lower ones belong to system services.
const DATA_PORT_MIN: u16 = 1024;

/// Resolver of names.
pub trait Resolve: Send + Sync {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// Resolver of the operating system.
struct System;

impl Resolve for System {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let addresses = tokio::net::lookup_host((name, 0)).await?;
            Ok(addresses.map(|address| address.ip()).collect())
        })
    }
}

/// Outgoing connections, limited to allowed addresses. Cheap to clone.
#[derive(Clone)]
pub struct Outbound {
    rules: Arc<Rules>,
    resolver: Arc<dyn Resolve>,
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl Outbound {
    /// Creates connections that resolve names with the system's resolver.
    pub fn new(rules: Rules) -> Self {
        Self::with_resolver(rules, System)
    }

    /// Uses another resolver for names.
    pub fn with_resolver(rules: Rules, resolver: impl Resolve + 'static) -> Self {
        Self { rules: Arc::new(rules), resolver: Arc::new(resolver) }
    }

    /// Connects to a host. No time limit follows: each protocol sets its own.
    pub async fn connect(&self, host: &Host, port: u16) -> Result<TcpStream, Failure> {
        let addresses = self.checked_addresses(host).await?;
        let attempts = async {
            for address in addresses.into_iter().take(ADDRESSES_TRIED) {
                match open(SocketAddr::new(address, port)).await {
                    Ok(stream) => return Ok(stream),
                    Err(error) => {
                        tracing::debug!(%address, port, %error, "an address cannot be connected to");
                    }
                }
            }
            Err(Failure::Unreachable)
        };
        timeout(CONNECT_WITHIN, attempts).await.unwrap_or(Err(Failure::Unreachable))
    }

    /// Opens the data connection that a server has announced (PASV, EPSV), always to the address of the
    /// control connection. An announced internal address, as of servers behind NAT, is ignored; another
    /// public one is refused.
    pub async fn connect_data(
        &self,
        control: &TcpStream,
        announced: SocketAddr,
    ) -> Result<TcpStream, Failure> {
        let peer = control.peer_addr().map_err(|_| Failure::Interrupted)?.ip();
        self.check(&peer.to_string(), peer)?;
        let is_elsewhere = announced.ip() != peer && !Rules::is_internal(announced.ip());
        if is_elsewhere || announced.port() < DATA_PORT_MIN {
            tracing::warn!(%peer, %announced, "a data connection to another place was refused");
            return Err(Failure::DataHostDiffers);
        }
        let opened = timeout(CONNECT_WITHIN, open(SocketAddr::new(peer, announced.port()))).await;
        opened.map_err(|_| Failure::Silent)?.map_err(|_| Failure::Interrupted)
    }

    /// Returns all addresses of a host, or an error if any of them is forbidden, because its name server
    /// could choose between them.
    async fn checked_addresses(&self, host: &Host) -> Result<Vec<IpAddr>, Failure> {
        let name = host.name();
        let addresses = match host.address() {
            Some(address) => vec![address],
            None => match timeout(CONNECT_WITHIN, self.resolver.resolve(&name)).await {
                Ok(Ok(addresses)) => addresses,
                Ok(Err(error)) => {
                    tracing::debug!(host = name, %error, "a name cannot be resolved");
                    return Err(Failure::Unreachable);
                }
                Err(_) => return Err(Failure::Unreachable),
            },
        };
        for address in &addresses {
            self.check(&name, *address)?;
        }
        if addresses.is_empty() { Err(Failure::Unreachable) } else { Ok(addresses) }
    }

    fn check(&self, host: &str, address: IpAddr) -> Result<(), Failure> {
        if self.rules.admit(address) {
            return Ok(());
        }
        tracing::warn!(host, %address, "an outbound connection to an address that is not allowed was refused");
        Err(Failure::Unreachable)
    }
}

async fn open(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    // A connection to a port of our own ephemeral range can connect to itself.
    if stream.local_addr()? == address { Err(ErrorKind::AddrInUse.into()) } else { Ok(stream) }
}
