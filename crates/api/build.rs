//! The UI's folder has to be there before its path is embedded, so that a debug build finds what is built
//! into it later.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    std::fs::create_dir_all("../../frontend/dist")
}
