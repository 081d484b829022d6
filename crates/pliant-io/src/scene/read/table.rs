//! Tables of a scene file: structs that are read key by key.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::key::Key;
use super::read::Read;
use super::read_error::{missing_key, unknown_key, wrong_type};
use super::value::Value;
use crate::scene::problem::problem::Problem;

/// Defines structs that are read from tables: each field from the key of its name, or from the key after `as`. Other
/// keys are errors.
macro_rules! tables {
    ($(
        $(#[$of_table:meta])*
        struct $name:ident { $($(#[$of_field:meta])* $field:ident $(as $key:literal)?: $type:ty,)* }
    )*) => {$(
        $(#[$of_table])*
        #[derive(Debug)]
        pub(crate) struct $name { $($(#[$of_field])* pub(crate) $field: $type,)* }

        impl $crate::scene::read::read::Read for $name {
            fn read(
                value: &$crate::scene::read::value::Value<'_>,
                key: $crate::scene::read::key::Key<'_>,
            ) -> Result<Self, Box<$crate::scene::Problem>> {
                let keys = [$(tables!(@key $field $($key)?)),*];
                let table = $crate::scene::read::table::Table::of(value, key, &keys)?;
                Ok(Self { $($field: table.get(tables!(@key $field $($key)?))?,)* })
            }
        }
    )*};
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
}

pub(crate) use tables;

/// The values of a table, and its position.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    values: &'a DeTable<'a>,
    place: Range<usize>,
}

impl<'a> Table<'a> {
    /// Returns `value` as a table; a problem if it is not a table or has keys that are not in `known`.
    pub(crate) fn of(
        value: &'a Value<'a>,
        key: Key<'_>,
        known: &[&str],
    ) -> Result<Self, Box<Problem>> {
        let DeValue::Table(values) = value.get_ref() else {
            return Err(wrong_type(value, &format!("a table such as {}", key.table_example())));
        };
        match values.keys().find(|key| !known.contains(&key.get_ref().as_ref())) {
            Some(key) => Err(unknown_key(key.get_ref(), key.span(), known)),
            None => Ok(Self { values, place: value.span() }),
        }
    }

    /// Reads the value of `key`.
    pub(crate) fn get<T: Read>(&self, key: &str) -> Result<T, Box<Problem>> {
        match self.values.get(key) {
            Some(value) => T::read(value, Key::new(key)),
            None => T::default_if_missing().ok_or_else(|| missing_key(key, self.place.clone())),
        }
    }
}
