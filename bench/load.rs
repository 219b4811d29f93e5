//! A load generator without dependencies: `rustc -O bench/load.rs`, then
//!
//!     load 127.0.0.1:8080 CONNECTIONS SECONDS REQUESTS [HEADER]…
//!
//! REQUESTS is a file of lines `METHOD PATH [BODY]`, sent in turn by all connections; `{n}` becomes a unique
//! number in each request, `{address}` in a header a unique address. Each connection waits for the answer
//! before its next request. Prints one line of JSON.

use std::{
    collections::BTreeMap,
    env, fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

struct Plan {
    address: String,
    duration: Duration,
    requests: Vec<String>,
    headers: String,
    sent: AtomicUsize,
    first_number: u128,
}

#[derive(Default)]
struct Outcome {
    statuses: BTreeMap<u16, usize>,
    microseconds: Vec<u32>,
    bytes: usize,
}

fn main() -> ExitCode {
    match run(&env::args().skip(1).collect::<Vec<_>>()) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let [address, connections, seconds, requests, headers @ ..] = arguments else {
        return Err("usage: load ADDRESS CONNECTIONS SECONDS REQUESTS [HEADER]…".into());
    };
    let plan = Plan {
        address: address.clone(),
        duration: Duration::from_secs_f64(seconds.parse()?),
        requests: fs::read_to_string(requests)?.lines().map(str::to_owned).collect(),
        headers: headers.iter().map(|header| format!("{header}\r\n")).collect(),
        sent: AtomicUsize::new(0),
        first_number: SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros(),
    };
    if plan.requests.is_empty() {
        return Err("no requests".into());
    }
    let started = Instant::now();
    let outcomes = thread::scope(|scope| {
        let workers: Vec<_> = (0..connections.parse()?).map(|_| scope.spawn(|| plan.work(started))).collect();
        workers.into_iter().map(|worker| Ok(worker.join().map_err(|_| "a connection panicked")??)).collect()
    });
    let outcomes: Result<Vec<Outcome>, Box<dyn std::error::Error + Send + Sync>> = outcomes;
    let elapsed = started.elapsed().as_secs_f64();
    Ok(report(outcomes?, elapsed))
}

impl Plan {
    fn work(&self, started: Instant) -> io::Result<Outcome> {
        let mut stream = BufReader::with_capacity(1 << 16, TcpStream::connect(&self.address)?);
        stream.get_ref().set_nodelay(true)?;
        stream.get_ref().set_read_timeout(Some(Duration::from_secs(60)))?;
        let mut outcome = Outcome::default();
        let mut body = Vec::new();
        while started.elapsed() < self.duration {
            let turn = self.sent.fetch_add(1, Ordering::Relaxed);
            let request = self.request(turn);
            let sent = Instant::now();
            stream.get_mut().write_all(request.as_bytes())?;
            let (status, open) = answer(&mut stream, &mut body)?;
            outcome.microseconds.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
            *outcome.statuses.entry(status).or_default() += 1;
            outcome.bytes += body.len();
            if !open {
                *stream.get_mut() = TcpStream::connect(&self.address)?;
                stream.get_ref().set_nodelay(true)?;
            }
        }
        Ok(outcome)
    }

    fn request(&self, turn: usize) -> String {
        let line = self.requests[turn % self.requests.len()]
            .replace("{n}", &(self.first_number + turn as u128).to_string());
        let mut parts = line.splitn(3, ' ');
        let (method, path) = (parts.next().unwrap_or("GET"), parts.next().unwrap_or("/"));
        let body = parts.next().unwrap_or_default();
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let length =
            if method == "GET" { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let [_, high, middle, low] = u32::try_from(turn & 0xFF_FFFF).unwrap_or_default().to_be_bytes();
        let headers = self.headers.replace("{address}", &format!("10.{high}.{middle}.{low}"));
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n{headers}{kind}{length}\r\n{body}", self.address)
    }
}

/// Reads one answer into `body`; returns its status and whether the connection stays open.
fn answer(stream: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<(u16, bool)> {
    let malformed = || io::Error::new(io::ErrorKind::InvalidData, "no HTTP answer");
    body.clear();
    let mut line = String::new();
    let mut status = None;
    let (mut length, mut chunked, mut open) = (0, false, true);
    loop {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            return Err(malformed());
        }
        let header = line.trim_end();
        match status {
            None => {
                status = Some(
                    header
                        .split(' ')
                        .nth(1)
                        .and_then(|code| code.parse::<u16>().ok())
                        .ok_or_else(malformed)?,
                )
            }
            Some(_) if header.is_empty() => break,
            Some(_) => {
                let (name, value) = header.split_once(':').ok_or_else(malformed)?;
                match name.to_ascii_lowercase().as_str() {
                    "content-length" => length = value.trim().parse().map_err(|_| malformed())?,
                    "transfer-encoding" => chunked = value.trim().eq_ignore_ascii_case("chunked"),
                    "connection" => open = !value.trim().eq_ignore_ascii_case("close"),
                    _ => {}
                }
            }
        }
    }
    if !chunked {
        stream.take(length).read_to_end(body)?;
    }
    while chunked {
        line.clear();
        stream.read_line(&mut line)?;
        let size = u64::from_str_radix(line.trim(), 16).map_err(|_| malformed())?;
        stream.take(size).read_to_end(body)?;
        line.clear();
        stream.read_line(&mut line)?;
        chunked = size > 0;
    }
    Ok((status.ok_or_else(malformed)?, open))
}

fn report(outcomes: Vec<Outcome>, seconds: f64) -> String {
    let mut all = Outcome::default();
    for outcome in outcomes {
        all.bytes += outcome.bytes;
        all.microseconds.extend(outcome.microseconds);
        for (status, count) in outcome.statuses {
            *all.statuses.entry(status).or_default() += count;
        }
    }
    all.microseconds.sort_unstable();
    let count = all.microseconds.len();
    let quantile = |per_mille: usize| {
        all.microseconds.get(count.saturating_sub(1) * per_mille / 1000).copied().unwrap_or(0)
    };
    let statuses: Vec<_> =
        all.statuses.iter().map(|(status, count)| format!("\"{status}\": {count}")).collect();
    format!(
        "{{ \"requests\": {count}, \"per_second\": {:.1}, \"p50_us\": {}, \"p99_us\": {}, \"max_us\": {}, \"bytes\": {}, \"statuses\": {{ {} }} }}",
        count as f64 / seconds,
        quantile(500),
        quantile(990),
        quantile(1000),
        all.bytes,
        statuses.join(", ")
    )
}
