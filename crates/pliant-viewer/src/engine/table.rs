//! Access to the tables of a scene file.

use glam::DVec3;
use toml_edit::{Array, ArrayOfTables, InlineTable, Item, Table, TableLike, Value, value};

/// The table of this key, inline or not; created if missing. A string in its place, such as the name of a material,
/// becomes its entry `word`.
pub(super) fn table<'a>(
    parent: &'a mut dyn TableLike,
    key: &str,
    word: &str,
) -> Option<&'a mut dyn TableLike> {
    let name = parent.get(key).and_then(Item::as_str).map(str::to_owned);
    if parent.get(key).is_none_or(|item| !item.is_table_like()) {
        let mut made = InlineTable::new();
        if let Some(name) = name {
            made.insert(word, name.into());
        }
        parent.insert(key, value(made));
    }
    parent.get_mut(key)?.as_table_like_mut()
}

/// The tables of this key, `[[key]]`, inline or not; created if missing.
pub(super) fn tables<'a>(
    parent: &'a mut dyn TableLike,
    key: &str,
) -> Option<&'a mut ArrayOfTables> {
    if parent.get(key).is_none_or(|item| !item.is_array_of_tables()) {
        let item = parent.remove(key).unwrap_or(Item::ArrayOfTables(ArrayOfTables::new()));
        let made = item.into_array_of_tables().ok()?;
        parent.insert(key, Item::ArrayOfTables(made));
    }
    parent.get_mut(key)?.as_array_of_tables_mut()
}

/// The tables of this key, if there are any.
pub(super) fn list<'a>(parent: &'a dyn TableLike, key: &str) -> Vec<&'a dyn TableLike> {
    match parent.get(key) {
        Some(Item::ArrayOfTables(tables)) => {
            tables.iter().map(|table| table as &dyn TableLike).collect()
        }
        Some(Item::Value(Value::Array(values))) => {
            let inline = values.iter().filter_map(Value::as_inline_table);
            inline.map(|table| table as &dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

/// An array of three numbers.
pub(super) fn triple(numbers: [f64; 3]) -> Value {
    Value::Array(numbers.into_iter().collect())
}

/// `{ sphere = { centre, radius } }`.
pub(super) fn sphere(centre: [f64; 3], radius: f64) -> Value {
    let mut ball = InlineTable::new();
    ball.insert("centre", triple(centre));
    ball.insert("radius", radius.into());
    let mut shape = InlineTable::new();
    shape.insert("sphere", ball.into());
    shape.into()
}

/// A new table for a list.
pub(super) fn new_table<const N: usize>(entries: [(&str, Value); N]) -> Table {
    let mut table = Table::new();
    for (key, entry) in entries {
        table.insert(key, value(entry));
    }
    table
}

/// Puts the given entries into the table of a key, which is created if needed.
pub(super) fn put<const N: usize>(
    parent: &mut dyn TableLike,
    key: &str,
    word: &str,
    entries: [(&str, Option<Value>); N],
) {
    if entries.iter().all(|(_, entry)| entry.is_none()) {
        return;
    }
    let Some(table) = table(parent, key, word) else { return };
    for (key, entry) in entries {
        if let Some(entry) = entry {
            table.insert(key, value(entry));
        }
    }
}

/// Reads a float or an integer as a number.
pub(super) fn number(item: &Item) -> Option<f64> {
    item.as_float().or(item.as_integer().map(|whole| whole as f64))
}

/// The numbers of a list.
pub(super) fn numbers(array: &Array) -> Vec<f64> {
    array.iter().filter_map(|entry| number(&Item::Value(entry.clone()))).collect()
}

/// An array of points, one per line.
pub(super) fn points(points: &[DVec3]) -> Array {
    let mut list: Array = points.iter().map(|point| triple(point.to_array())).collect();
    list.iter_mut().for_each(|point| point.decor_mut().set_prefix("\n  "));
    list.set_trailing("\n");
    list
}
