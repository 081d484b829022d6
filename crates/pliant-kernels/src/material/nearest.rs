//! Suggestions for misspelt names.

/// Largest number of letters compared: input from outside may have any length.
const MAX_CHARACTERS: usize = 64;

/// Returns the name with the smallest edit distance from `typed`, and that distance: the number of letters inserted,
/// removed or replaced, and of neighbours swapped. Case is ignored.
///
/// The first of equally near names; `None` if there are no names.
///
/// ```
/// use pliant_kernels::material::nearest_name;
///
/// assert_eq!(nearest_name("Rubebr", ["cork", "rubber"]), Some(("rubber", 1)));
/// ```
pub fn nearest_name<'a>(
    typed: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<(&'a str, usize)> {
    let typed = typed.trim().to_lowercase();
    let edits = names.into_iter().map(|name| (name, edits(&typed, &name.to_lowercase())));
    edits.min_by_key(|(_, edits)| *edits)
}

/// Returns the nearest of a non-empty list of names, however far it is.
pub(super) fn nearest(typed: &str, names: &[&'static str]) -> &'static str {
    nearest_name(typed, names.iter().copied()).map_or("", |(name, _)| name)
}

/// Edit distance: the number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (Damerau 1964).
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(MAX_CHARACTERS).collect(), b.chars().collect());
    let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            d[i][j] = if i == 0 || j == 0 {
                i.max(j)
            } else {
                let replaced = d[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                replaced.min(d[i - 1][j] + 1).min(d[i][j - 1] + 1)
            };
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d[i][j] = d[i][j].min(d[i - 2][j - 2] + 1);
            }
        }
    }
    d[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::edits;

    /// The number of edits between words is the known one; a transposition counts as one edit.
    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("same", "same"), 0);
        assert_eq!(edits("td", "dt"), 1);
    }
}
