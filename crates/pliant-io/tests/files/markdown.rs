//! Extracts code, tables and sections from Markdown.

/// Splits a text into its lines outside of fenced code blocks, and the blocks with their languages.
pub(crate) fn blocks(text: &str) -> (String, Vec<(&str, String)>) {
    let (mut prose, mut blocks) = (String::new(), Vec::new());
    let mut open: Option<(&str, String)> = None;
    for line in text.lines() {
        open = match (open, line.strip_prefix("```")) {
            (None, Some(language)) => Some((language, String::new())),
            (Some(block), Some(_)) => {
                blocks.push(block);
                None
            }
            (Some((language, code)), None) => Some((language, code + line + "\n")),
            (None, None) => {
                prose = prose + line + "\n";
                None
            }
        };
    }
    (prose, blocks)
}

/// Returns the inline code of a text without fenced blocks.
pub(crate) fn spans(prose: &str) -> impl Iterator<Item = &str> {
    prose.split('`').skip(1).step_by(2)
}

/// Splits a text at its headings of the second level; each section begins with its title.
pub(crate) fn sections(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n## ")
}

/// Returns the tables of a text: rows of cells, the header first.
pub(crate) fn tables(prose: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables = vec![Vec::new()];
    for line in prose.lines() {
        match line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) {
            Some(line) if line.starts_with("---") => {}
            Some(line) => {
                let cells = line.replace("\\|", "¦");
                let cells = cells.split('|').map(|cell| cell.trim().to_owned()).collect();
                tables.last_mut().expect("there is one").push(cells);
            }
            None => tables.push(Vec::new()),
        }
    }
    tables.retain(|rows| !rows.is_empty());
    tables
}
