//! Suggestions for misspelled names.

use pliant_kernels::material::nearest_name;

/// Returns the known name nearest to `name`, if it is near enough to be a typing error.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).max(1);
    nearest_name(name, known).filter(|(_, edits)| *edits <= allowed).map(|(known, _)| known)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    /// A known name is proposed only if it is similar, ignoring case.
    #[test]
    fn only_near_names_are_proposed() {
        let known = ["young", "poisson"];
        assert_eq!(nearest("yong", known), Some("young"));
        assert_eq!(nearest("Young", known), Some("young"));
        assert_eq!(nearest("elephant", known), None);
    }
}
