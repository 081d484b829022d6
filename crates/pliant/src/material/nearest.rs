//! The name someone may have meant.

/// The name that takes the fewest edits to reach from `typed`; the first of equals, and empty if
/// there are no names.
pub(super) fn nearest(typed: &str, names: &[&'static str]) -> &'static str {
    let typed = typed.trim().to_lowercase();
    names.iter().copied().min_by_key(|name| edits(&typed, name)).unwrap_or("")
}

/// How many letters must be inserted, removed or replaced to turn `a` into `b` (Levenshtein 1966).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    // A hostile name may be of any length; beyond this its distance no longer matters.
    let a = a.chars().take(64);
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
