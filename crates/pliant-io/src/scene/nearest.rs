//! The name that was probably meant.

/// Letters of a name that are compared: a hostile one may be of any length.
const MOST: usize = 64;

/// The known name nearest to `name`, if it is near enough to be a slip of the finger.
pub(super) fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).max(1);
    let distances = known.iter().map(|candidate| (distance(name, candidate), candidate));
    let (distance, candidate) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= allowed).then_some(candidate.as_str())
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (Damerau 1964).
fn distance(a: &str, b: &str) -> usize {
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
    use super::{distance, nearest};

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
        assert_eq!(distance("td", "dt"), 1);
    }

    #[test]
    fn only_near_names_are_proposed() {
        let known = ["young".to_owned(), "poisson".to_owned()];
        assert_eq!(nearest("yong", &known), Some("young"));
        assert_eq!(nearest("elephant", &known), None);
    }
}
