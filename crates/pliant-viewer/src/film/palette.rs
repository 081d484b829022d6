//! 255 colours for many pictures, by median cut (Heckbert 1982).

use super::Picture;

/// Significant bits of a channel.
const BITS: u32 = 6;
/// Number of colours; one more index is reserved for unchanged pixels.
const COLOURS: usize = 255;

/// The colours of a palette, and the map from any colour to one of them.
#[derive(Debug)]
pub(super) struct Palette {
    pub(super) colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

/// A bin of colours: its index and its number of pixels.
type Bin = (u32, u64);

impl Palette {
    pub(super) fn of(pictures: &[Picture]) -> Self {
        let mut counts = vec![0_u64; 1 << (3 * BITS)];
        for pixel in pictures.iter().flat_map(|picture| &picture.pixels) {
            counts[bin(*pixel) as usize] += 1;
        }
        let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let mut boxes: Vec<Vec<Bin>> =
            vec![used.map(|(bin, count)| (bin as u32, *count)).collect()];
        while boxes.len() < COLOURS {
            let widest = (0..boxes.len()).max_by_key(|k| weight(&boxes[*k])).unwrap_or(0);
            let Some(rest) = boxes.get_mut(widest).and_then(split) else { break };
            boxes.push(rest);
        }
        let mut nearest = vec![0; counts.len()];
        for (index, bins) in boxes.iter().enumerate() {
            bins.iter().for_each(|(bin, _)| nearest[*bin as usize] = index as u8);
        }
        Self { colours: boxes.iter().map(|bins| mean(bins)).collect(), nearest }
    }

    /// The index of the palette colour for a pixel.
    pub(super) fn index(&self, pixel: [u8; 3]) -> u8 {
        self.nearest[bin(pixel) as usize]
    }
}

fn bin(pixel: [u8; 3]) -> u32 {
    pixel.iter().fold(0, |bin, value| (bin << BITS) | u32::from(value >> (8 - BITS)))
}

fn channel(bin: u32, axis: u32) -> u32 {
    (bin >> (BITS * (2 - axis))) & ((1 << BITS) - 1)
}

/// The extent of the bins along a channel.
fn extent(bins: &[Bin], axis: u32) -> u32 {
    let values = || bins.iter().map(|(bin, _)| channel(*bin, axis));
    values().max().unwrap_or(0) - values().min().unwrap_or(0)
}

fn longest(bins: &[Bin]) -> u32 {
    (0..3).max_by_key(|axis| extent(bins, *axis)).unwrap_or(0)
}

/// Priority of a box for splitting: its squared extent times the square root of its number of pixels. The root lets
/// small bodies keep their shades in front of a large background.
fn weight(bins: &[Bin]) -> u64 {
    let count: u64 = bins.iter().map(|(_, count)| count).sum();
    u64::from(extent(bins, longest(bins))).pow(2) * count.isqrt()
}

/// Splits off the upper half of the pixels along the longest channel; `None` if there is only one bin.
fn split(bins: &mut Vec<Bin>) -> Option<Vec<Bin>> {
    let axis = longest(bins);
    bins.sort_by_key(|(bin, _)| channel(*bin, axis));
    let half = bins.iter().map(|(_, count)| count).sum::<u64>() / 2;
    let mut sum = 0;
    let below = bins.iter().take_while(|(_, count)| {
        sum += count;
        sum <= half
    });
    let at = below.count().clamp(1, bins.len().max(2) - 1);
    (bins.len() > 1).then(|| bins.split_off(at))
}

fn mean(bins: &[Bin]) -> [u8; 3] {
    let count = bins.iter().map(|(_, count)| count).sum::<u64>().max(1);
    [0, 1, 2].map(|axis| {
        let value = |bin: u32| u64::from((channel(bin, axis) << (8 - BITS)) + (1 << (7 - BITS)));
        (bins.iter().map(|(bin, n)| n * value(*bin)).sum::<u64>() / count) as u8
    })
}
