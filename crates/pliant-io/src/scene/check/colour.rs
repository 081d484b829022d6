//! Checks of colours.

use super::problems::Problems;
use crate::scene::problem::fault::Fault;
use crate::scene::read::value::Word;

/// Checks a colour `#rrggbb`.
pub(crate) fn colour(word: &Word, problems: &mut Problems) -> Option<[u8; 3]> {
    let text = word.get_ref();
    let hexadecimal = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let digits = text.strip_prefix('#');
    let digits = digits.filter(|digits| digits.len() == 6 && hexadecimal(digits));
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    if number.is_none() {
        problems.add(word.span(), Fault::BadColour { colour: text.clone() });
    }
    number.map(|number| [(number >> 16) as u8, (number >> 8) as u8, number as u8])
}
