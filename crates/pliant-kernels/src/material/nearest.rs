//! The name someone may have meant.

/// Letters of a name that are compared: a hostile one may be of any length.
const MOST: usize = 64;

/// The name that takes the fewest edits to reach from `typed`, and how many it takes: letters
/// inserted, removed or replaced, and neighbours swapped. Upper and lower case are the same.
///
/// The first of equals; `None` if there are no names.
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

/// The nearest of names that are never none, however far it is.
pub(super) fn nearest(typed: &str, names: &[&'static str]) -> &'static str {
    nearest_name(typed, names.iter().copied()).map_or("", |(name, _)| name)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (Damerau 1964).
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(MOST).collect(), b.chars().collect());
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

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("same", "same"), 0);
        assert_eq!(edits("td", "dt"), 1);
    }
}
