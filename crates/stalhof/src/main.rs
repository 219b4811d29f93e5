//! The binary: `serve`, `migrate`, `seed`, `create-admin`, `backup`, `restore`, `check`,
//! `remove-tenant`, `distribute`, `rotate-keys`, `openapi`.

use std::{path::PathBuf, process::ExitCode};

use api::{
    app,
    server_process::ServerProcess,
    steel_catalogue::{self, Part},
};
use clap::{Parser, Subcommand, ValueEnum};
use identity::{link, user};
use secrets::rotation::{self, ColumnRotation};
use stalhof::{
    backup::{self, Report},
    codes,
    config::Settings,
    demo, distribute, file_place, folder,
    removal::{self, TenantData},
    sealed_columns::SEALED_COLUMNS,
    serve,
    traces::Traces,
};
use store::Scope;
use values::{Error, Result, now};

#[derive(Parser)]
#[command(
    name = "stalhof",
    version,
    about = "The admin back-office of a B2B trade platform for steel-like articles"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Bring the schema up to date and serve
    Serve {
        #[command(flatten)]
        settings: Box<Settings>,
        /// Fill an empty database with demo data and name its accounts
        #[arg(long)]
        demo: bool,
        /// Wait until `stalhof migrate` has brought the schema up to date instead of doing so
        #[arg(long)]
        no_migrate: bool,
    },
    /// Bring the schema up to date and end
    Migrate(Box<Settings>),
    /// Fill an empty database with demo data and end; with `--catalogue` fill the steel catalogue alone, into
    /// any database
    Seed {
        /// Fill the steel catalogue alone: no companies, accounts or articles; what is there stays as it is
        #[arg(long)]
        catalogue: bool,
        /// Parts of the catalogue to fill, separated by commas; all if not given
        #[arg(long, requires = "catalogue", value_delimiter = ',')]
        parts: Vec<Part>,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Make a platform administrator and print a one-time link to choose a password
    CreateAdmin {
        email: String,
        /// Name of the person; the e-mail address if not given
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Save the database and its files into one file, while the server runs
    Backup {
        file: PathBuf,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Bring a backup back into an empty place, and check it
    Restore {
        file: PathBuf,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Look whether the database is intact and every file is there
    Check(Box<Settings>),
    /// Remove a tenant whole, after everything of theirs has been written into a folder
    RemoveTenant {
        /// The tenant's short code
        short_code: String,
        /// Print the numbers of rows without removing anything
        #[arg(long)]
        dry_run: bool,
        /// Folder for the export; `removed/tenant-<id>` in the data folder if not given
        #[arg(long)]
        export: Option<PathBuf>,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Distribute a PostgreSQL with Citus by tenant, while no server runs
    Distribute {
        /// Print the statements without sending them
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        settings: Box<Settings>,
    },
    /// Seal all credentials for other systems again, under the first key of the list
    RotateKeys(Box<Settings>),
    /// Write `openapi.json` and `permissions.txt` into a folder
    Openapi { folder: PathBuf },
}

/// Exit code of a server that finds another one using its data folder.
const ALREADY_SERVED: u8 = 3;

#[actix_web::main]
async fn main() -> ExitCode {
    folder::set_private_umask();
    match run(Cli::parse().command).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            match &error {
                Error::Internal(cause) => eprintln!("stalhof: {cause}"),
                error => eprintln!("stalhof: {error}"),
            }
            if error.code() == codes::DATABASE_SERVED {
                ExitCode::from(ALREADY_SERVED)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

#[expect(clippy::print_stdout, reason = "this is the program's output")]
async fn run(command: Command) -> Result<()> {
    match command {
        Command::Serve { settings, demo, no_migrate } => {
            let process = ServerProcess::current();
            let traces = Traces::start(&settings.traces, &process)?;
            serve::log(settings.log, &traces);
            let served = Box::pin(serve::serve(*settings, process, demo, !no_migrate)).await;
            traces.end().await;
            served
        }
        Command::Migrate(settings) => {
            serve::log(settings.log, &Traces::default());
            serve::open(&settings).await.map(|_| ())
        }
        Command::Seed { catalogue: true, parts, settings } => seed_catalogue(&settings, &parts).await,
        Command::Seed { settings, .. } => {
            let (db, files) = (serve::open(&settings).await?, settings.storage()?);
            file_place::verify(&db, &files).await?;
            demo::fill(&db, &files).await
        }
        Command::CreateAdmin { email, name, settings } => create_admin(&settings, email, name).await,
        Command::Backup { file, settings } => {
            let made = backup::backup(&settings, &file).await?;
            println!("{}: {} rows, {} files", file.display(), made.tables.values().sum::<u64>(), made.files);
            Ok(())
        }
        Command::Restore { file, settings } => {
            let (made, report) = backup::restore(&settings, &file).await?;
            println!("The backup of {} is back.", made.made_at);
            print_report(&report)
        }
        Command::Check(settings) => print_report(&backup::check(&settings).await?),
        Command::RemoveTenant { short_code, dry_run, export, settings } => {
            remove_tenant(&settings, &short_code, dry_run, export).await
        }
        Command::Distribute { dry_run, settings } => {
            let plan = distribute::distribute(&settings, dry_run).await?;
            for statement in plan.statements() {
                println!("{statement};");
            }
            println!(
                "-- {}",
                if dry_run { "nothing was changed" } else { "the database is distributed by tenant" }
            );
            Ok(())
        }
        Command::RotateKeys(settings) => rotate_keys(&settings).await,
        Command::Openapi { folder } => write_contract(&folder).map_err(Error::internal),
    }
}

/// Prints the result of a check; returns an error if there are problems.
#[expect(clippy::print_stdout, reason = "this is the program's output")]
fn print_report(report: &Report) -> Result<()> {
    for (table, rows) in &report.tables {
        println!("{rows:>12}  {table}");
    }
    println!("{:>12}  files", report.files);
    if report.problems.is_empty() {
        println!("Everything is there.");
        return Ok(());
    }
    for problem in &report.problems {
        println!("{problem}");
    }
    Err(Error::internal(format!("{} problems", report.problems.len())))
}

#[expect(clippy::print_stdout, reason = "this is the program's output")]
async fn remove_tenant(
    settings: &Settings,
    short_code: &str,
    dry_run: bool,
    export: Option<PathBuf>,
) -> Result<()> {
    let db = serve::open(settings).await?;
    let TenantData { company, tables, files } = if dry_run {
        removal::count_data(&db, short_code).await?
    } else {
        let folder = match export {
            Some(folder) => folder,
            None => removal::default_folder(settings, &db, short_code).await?,
        };
        file_place::verify(&db, &settings.storage()?).await?;
        let gone = removal::remove(settings, &db, short_code, &folder).await?;
        println!("What was there is in {}.", folder.display());
        gone
    };
    for (table, rows) in &tables {
        println!("{rows:>12}  {table}");
    }
    println!("{files:>12}  files");
    println!("{company} {}.", if dry_run { "would be removed" } else { "is removed" });
    Ok(())
}

#[expect(clippy::print_stdout, reason = "this is the program's output")]
async fn rotate_keys(settings: &Settings) -> Result<()> {
    let keys = settings.keys()?;
    let db = serve::open(settings).await?;
    let mut unreadable = 0;
    for rotated in rotation::rotate(&db, &keys, SEALED_COLUMNS).await? {
        let ColumnRotation { column, resealed, current, unreadable: rows } = rotated;
        println!("{resealed:>12}  {column} ({current} were under the current key already)");
        for row in &rows {
            println!("{column}: no key opens row {row}; the credentials have to be entered again");
        }
        unreadable += rows.len();
    }
    if unreadable > 0 {
        return Err(Error::internal(format!("{unreadable} values cannot be opened with any of the keys")));
    }
    println!("Everything is under the current key.");
    Ok(())
}

/// Fills some parts of the steel catalogue, or all, and prints the number of records that were created.
#[expect(clippy::print_stdout, reason = "this is the program's output")]
async fn seed_catalogue(settings: &Settings, parts: &[Part]) -> Result<()> {
    let db = serve::open(settings).await?;
    let chosen = if parts.is_empty() { Part::ALL } else { parts };
    for (part, created) in steel_catalogue::fill(&db, &Scope::platform(), chosen).await? {
        let name = part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        println!("{created:>12}  {name}");
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "this is the program's output")]
async fn create_admin(settings: &Settings, email: String, name: Option<String>) -> Result<()> {
    let db = serve::open(settings).await?;
    let role = demo::platform_role(&db).await?;
    let input = user::Account {
        name: name.unwrap_or_else(|| email.clone()),
        email,
        tenant_id: None,
        role_ids: vec![role],
        password_hash: None,
    };
    let user = user::enroll(&db, &Scope::platform(), input).await?;
    let token = link::invite(&db, user.id, now()).await?;
    println!("{}", link::invitation_address(&settings.public_url(), &token));
    println!("The link works once, for {} days.", link::invitation_lifetime().num_days());
    Ok(())
}

fn write_contract(folder: &std::path::Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("openapi.json"), app::openapi())?;
    std::fs::write(folder.join("permissions.txt"), app::routes().permissions())
}
