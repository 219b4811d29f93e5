//! The servers that suppliers really have: OpenSSH's `sshd` and `vsftpd`, started as an unprivileged user.

use std::{
    ffi::OsStr,
    fs,
    net::TcpListener,
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Instant,
};

use russh::keys::{HashAlg, PrivateKey, ssh_key::LineEnding};
use testkit::{
    certificates::Authority,
    file_server::sftp::{ed25519_key, rsa_key},
};

use super::*;

/// A daemon that ends with its test.
struct Daemon {
    child: Child,
    port: u16,
    /// Its configuration, keys, and the folder that it serves.
    folder: tempfile::TempDir,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // it may have ended by itself
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The user that a daemon runs as: not root, where the tests do.
struct User {
    name: String,
    ids: Option<(u32, u32)>,
}

fn user() -> User {
    let own = fs::metadata("/proc/self").map_or(0, |process| process.uid());
    let passwd = fs::read_to_string("/etc/passwd").unwrap();
    let entry = |matches: &dyn Fn(&[&str]) -> bool| {
        let mut lines = passwd.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let fields = lines.find(|fields| matches(fields)).unwrap();
        (fields[0].to_owned(), fields[2].parse::<u32>().unwrap(), fields[3].parse::<u32>().unwrap())
    };
    if own == 0 {
        let (name, uid, gid) = entry(&|fields| fields[0] == "nobody");
        return User { name, ids: Some((uid, gid)) };
    }
    let own = own.to_string();
    User { name: entry(&|fields| fields.get(2) == Some(&&*own)).0, ids: None }
}

/// Finds the program, or prints why a test is skipped. `scripts/provide` installs it on Debian.
fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var("PATH").unwrap_or_default();
    let folders = folders.split(':').chain(["/usr/sbin", "/usr/local/sbin"]);
    let program_path = folders.map(|folder| Path::new(folder).join(name)).find(|path| path.is_file());
    if program_path.is_none() {
        println!("skipped: {name} is not installed");
    }
    program_path
}

fn give(path: &Path, ids: (u32, u32)) {
    chown(path, Some(ids.0), Some(ids.1)).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path(), ids);
        }
    }
}

/// Starts a daemon; `configure` writes its files and gives its command.
fn start(configure: impl FnOnce(&Path, &User, u16) -> Command) -> Daemon {
    let folder = tempfile::tempdir().unwrap();
    let served = folder.path().join("served");
    fs::create_dir_all(served.join("archiv")).unwrap();
    fs::write(served.join("preise.csv"), price_file()).unwrap();
    let port = TcpListener::bind((LISTEN, 0)).unwrap().local_addr().unwrap().port();
    let user = user();
    let mut command = configure(folder.path(), &user, port);
    if let Some((uid, gid)) = user.ids {
        give(folder.path(), (uid, gid));
        command.uid(uid).gid(gid);
    }
    let log = fs::File::create(folder.path().join("log")).unwrap();
    command.current_dir("/").stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
    let mut daemon = Daemon { child: command.spawn().unwrap(), port, folder };
    let began = Instant::now();
    while std::net::TcpStream::connect((LISTEN, port)).is_err() {
        let ended = daemon.child.try_wait().unwrap();
        let log = fs::read_to_string(daemon.folder.path().join("log")).unwrap();
        assert!(ended.is_none() && began.elapsed().as_secs() < 20, "the daemon does not listen: {log}");
        std::thread::sleep(Duration::from_millis(50));
    }
    daemon
}

fn private_key(path: &Path, key: &PrivateKey) {
    fs::write(path, key.to_openssh(LineEnding::LF).unwrap()).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

/// OpenSSH with a host key, and the key of its one user.
fn sshd(host_key: &PrivateKey) -> Option<(Daemon, Endpoint)> {
    let program = program("sshd")?;
    let user_key = ed25519_key();
    let mut name = String::new();
    let daemon = start(|folder, user, port| {
        name.clone_from(&user.name);
        private_key(&folder.join("host_key"), host_key);
        fs::write(folder.join("authorized_keys"), user_key.public_key().to_openssh().unwrap()).unwrap();
        let folder = folder.display();
        // Without PAM it would reject a user whose password is locked.
        let lines = [
            format!("ListenAddress {LISTEN}:{port}"),
            format!("HostKey {folder}/host_key"),
            format!("AuthorizedKeysFile {folder}/authorized_keys"),
            format!("Subsystem sftp internal-sftp -d {folder}/served"),
            "PidFile none\nUsePAM yes\nStrictModes no\nPasswordAuthentication no".to_owned(),
            "KbdInteractiveAuthentication no\nPrintMotd no\n".to_owned(),
        ];
        fs::write(format!("{folder}/config"), lines.join("\n")).unwrap();
        let mut command = Command::new(program);
        command.args(["-D", "-e", "-f"]).arg(format!("{folder}/config"));
        command
    });
    let key = SecretString::from(user_key.to_openssh(LineEnding::LF).unwrap().to_string());
    let endpoint = Endpoint {
        user_name: name,
        credential: Credential::PrivateKey { key, passphrase: None },
        ..endpoint(Protocol::Sftp, daemon.port, "")
    };
    Some((daemon, endpoint))
}

/// vsftpd, where everybody signs in as `ftp`.
fn vsftpd(authority: Option<&Authority>, settings: &str) -> Option<Daemon> {
    let program = program("vsftpd")?;
    Some(start(|folder, user, port| {
        let mut lines = vec![
            format!("listen=YES\nlisten_address={LISTEN}\nlisten_port={port}\nbackground=NO"),
            "run_as_launching_user=YES\nanonymous_enable=YES\nseccomp_sandbox=NO\nconnect_from_port_20=NO"
                .to_owned(),
            "write_enable=YES\nanon_upload_enable=YES\nanon_other_write_enable=YES".to_owned(),
            "anon_world_readable_only=NO\nutf8_filesystem=YES".to_owned(),
            format!("ftp_username={}\nanon_root={}/served", user.name, folder.display()),
            settings.to_owned(),
        ];
        if let Some(authority) = authority {
            let (chain, key) = authority.issue(LISTEN, 2099).write(folder);
            lines.push("ssl_enable=YES\nallow_anon_ssl=YES\nforce_anon_logins_ssl=YES".to_owned());
            lines.push("force_anon_data_ssl=YES\nrequire_ssl_reuse=YES\nssl_ciphers=HIGH".to_owned());
            lines.push(format!("rsa_cert_file={}\nrsa_private_key_file={}", chain.display(), key.display()));
        }
        let config = folder.join("config");
        fs::write(&config, lines.join("\n") + "\n").unwrap();
        let mut command = Command::new(program);
        command.arg(config);
        command
    }))
}

fn ftp(protocol: Protocol, daemon: &Daemon, authority: Option<&Authority>) -> Endpoint {
    Endpoint {
        user_name: "ftp".to_owned(),
        authorities: authority.map(Authority::pem),
        ..endpoint(protocol, daemon.port, "x")
    }
}

#[tokio::test]
async fn a_feed_works_with_openssh() {
    for (host_key, algorithm) in [(ed25519_key(), "ssh-ed25519"), (rsa_key(), "ssh-rsa")] {
        let Some((daemon, endpoint)) = sshd(&host_key) else { return };
        let source = connect(endpoint.clone()).await.unwrap();
        let expected_key = format!("{algorithm} {}", host_key.fingerprint(HashAlg::Sha256));
        assert_eq!(source.host_key().unwrap().to_string(), expected_key);
        source.close().await;
        works_at(Endpoint { host_key: Some(expected_key.parse().unwrap()), ..endpoint.clone() }).await;

        let refused = Credential::Password(SecretString::from(PASSWORD.to_owned()));
        let error = connect(Endpoint { credential: refused, ..endpoint.clone() }).await.unwrap_err();
        assert_eq!(error.failure, SourceFailure::SignInRefused);
        let other: HostKey =
            format!("ssh-ed25519 {}", ed25519_key().fingerprint(HashAlg::Sha256)).parse().unwrap();
        let error = connect(Endpoint { host_key: Some(other), ..endpoint }).await.unwrap_err();
        assert!(matches!(error.failure, SourceFailure::HostKeyChanged { .. }), "{error:?}");
        drop(daemon);
    }
}

#[tokio::test]
async fn names_that_are_not_utf_8_are_left_out_by_openssh() {
    let Some((daemon, endpoint)) = sshd(&ed25519_key()) else { return };
    let served = daemon.folder.path().join("served");
    for name in [&b"pr\xe9is.csv"[..], b"a\nb.csv", b"a\\b.csv", b"a\x1bb.csv"] {
        fs::write(served.join(OsStr::from_bytes(name)), "x").unwrap();
    }
    let mut source = connect(endpoint).await.unwrap();
    let listing = source.list().await.unwrap();
    assert_eq!((listing.entries.len(), listing.unsafe_names), (2, 4), "{listing:?}");
}

#[tokio::test]
async fn a_feed_works_with_vsftpd_in_the_clear() {
    let Some(daemon) = vsftpd(None, "") else { return };
    works_at(ftp(Protocol::Ftp, &daemon, None)).await;
}

#[tokio::test]
async fn a_feed_works_with_vsftpd_by_explicit_tls() {
    let authority = Authority::new();
    let Some(daemon) = vsftpd(Some(&authority), "") else { return };
    works_at(ftp(Protocol::FtpsExplicit, &daemon, Some(&authority))).await;
    let error = connect(ftp(Protocol::Ftp, &daemon, None)).await.unwrap_err();
    assert_eq!(error.failure, SourceFailure::SignInRefused);
}

#[tokio::test]
async fn a_feed_works_with_vsftpd_by_implicit_tls() {
    let authority = Authority::new();
    let Some(daemon) = vsftpd(Some(&authority), "implicit_ssl=YES") else { return };
    works_at(ftp(Protocol::FtpsImplicit, &daemon, Some(&authority))).await;
    let error = connect(ftp(Protocol::FtpsImplicit, &daemon, None)).await.unwrap_err();
    assert_eq!(error, outbound::Failure::Untrusted.into());
}

#[tokio::test]
async fn names_that_are_not_utf_8_are_left_out_by_vsftpd() {
    let Some(daemon) = vsftpd(None, "") else { return };
    let served = daemon.folder.path().join("served");
    for name in [&b"pr\xe9is.csv"[..], b"a\\b.csv"] {
        fs::write(served.join(OsStr::from_bytes(name)), "x").unwrap();
    }
    let mut source = connect(ftp(Protocol::Ftp, &daemon, None)).await.unwrap();
    let listing = source.list().await.unwrap();
    let names: Vec<_> = listing.entries.iter().map(|entry| &*entry.name).collect();
    assert!(names.iter().all(|name| matches!(*name, "archiv" | "preise.csv" | "pr?is.csv")), "{names:?}");
}
