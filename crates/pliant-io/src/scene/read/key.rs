//! The key of a value, for examples in errors.

/// The key under which a value was typed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key<'a> {
    name: &'a str,
    in_list: bool,
}

impl<'a> Key<'a> {
    /// The key of a value of its own.
    pub(crate) fn new(name: &'a str) -> Self {
        Self { name, in_list: false }
    }

    /// The key of the items of a list.
    pub(crate) fn of_items(self) -> Self {
        Self { in_list: true, ..self }
    }

    /// Shows how a table is written: `wind = { … }`, or `pin = [{ … }]` in a list.
    pub(crate) fn table_example(self) -> String {
        let name = self.name;
        match self.in_list {
            false => format!("`{name} = {{ … }}`"),
            true => format!("`{name} = [{{ … }}]`"),
        }
    }
}
