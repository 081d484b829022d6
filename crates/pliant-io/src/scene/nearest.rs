//! The name that was probably meant.

/// The known name nearest to `name`, if it is near enough to be a slip of the finger.
pub(super) fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).max(1);
    let distances = known.iter().map(|candidate| (distance(name, candidate), candidate));
    let (distance, candidate) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= allowed).then_some(candidate.as_str())
}

/// Insertions, deletions and replacements that turn `a` into `b` (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn only_near_names_are_proposed() {
        let known = ["young".to_owned(), "poisson".to_owned()];
        assert_eq!(nearest("yong", &known), Some("young"));
        assert_eq!(nearest("elephant", &known), None);
    }
}
