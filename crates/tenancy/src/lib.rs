//! tenancy
