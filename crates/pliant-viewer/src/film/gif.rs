//! Animations as GIF 89a files that repeat forever.

use std::collections::HashMap;

use super::Picture;
use super::palette::Palette;

/// The transparent colour: the pixel is unchanged from the previous picture.
const UNCHANGED: u8 = 255;
/// Bits per pixel.
const DEPTH: u8 = 8;
/// The largest number of codes in the format.
const MAX_CODES: u16 = 4096;

/// Encodes pictures of one size as a GIF file; each is shown for `pause` hundredths of a second.
pub(super) fn gif(pictures: &[Picture], pause: u16) -> Vec<u8> {
    let palette = Palette::of(pictures);
    let [width, height] = pictures.first().map_or([0, 0], |picture| picture.size);
    let sides = [width as u16, height as u16].map(u16::to_le_bytes).concat();
    let mut file = b"GIF89a".to_vec();
    file.extend_from_slice(&sides);
    // A global table of 256 colours.
    file.extend_from_slice(&[0xf7, 0, 0]);
    let colours = palette.colours.iter().copied().chain(std::iter::repeat([0; 3]));
    file.extend(colours.take(256).flatten());
    file.extend_from_slice(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0");
    let mut before = vec![UNCHANGED; (width * height) as usize];
    for picture in pictures {
        let now: Vec<u8> = picture.pixels.iter().map(|pixel| palette.index(*pixel)).collect();
        let pairs = now.iter().zip(&before);
        let changed: Vec<u8> =
            pairs.map(|(now, before)| if now == before { UNCHANGED } else { *now }).collect();
        // Pictures are drawn over each other; one colour is transparent.
        file.extend_from_slice(&[0x21, 0xf9, 4, 0b101]);
        file.extend_from_slice(&pause.to_le_bytes());
        file.extend_from_slice(&[UNCHANGED, 0, 0x2c, 0, 0, 0, 0]);
        file.extend_from_slice(&sides);
        file.extend_from_slice(&[0, DEPTH]);
        for block in packed(&changed).chunks(255) {
            file.push(block.len() as u8);
            file.extend_from_slice(block);
        }
        file.push(0);
        before = now;
    }
    file.push(0x3b);
    file
}

/// A bit writer in the order of the format, lowest bit first.
#[derive(Debug, Default)]
struct Bits {
    bytes: Vec<u8>,
    open: u32,
    count: u32,
}

impl Bits {
    fn put(&mut self, code: u16, width: u32) {
        self.open |= u32::from(code) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.open as u8);
            self.open >>= 8;
            self.count -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.open as u8);
        }
        self.bytes
    }
}

/// Compresses pixels with LZW (Welch 1984).
fn packed(pixels: &[u8]) -> Vec<u8> {
    let (clear, end) = (1_u16 << DEPTH, (1_u16 << DEPTH) + 1);
    let (mut bits, mut known) = (Bits::default(), HashMap::new());
    let (mut next, mut width) = (end + 1, u32::from(DEPTH) + 1);
    bits.put(clear, width);
    let Some((first, others)) = pixels.split_first() else { return bits.finish() };
    let mut string = u16::from(*first);
    for pixel in others {
        if let Some(longer) = known.get(&(string, *pixel)) {
            string = *longer;
            continue;
        }
        bits.put(string, width);
        if next < MAX_CODES {
            known.insert((string, *pixel), next);
            width += u32::from(next == 1 << width);
            next += 1;
        } else {
            bits.put(clear, width);
            known.clear();
            (next, width) = (end + 1, u32::from(DEPTH) + 1);
        }
        string = u16::from(*pixel);
    }
    bits.put(string, width);
    bits.put(end, width);
    bits.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decompresses, as a reader does.
    fn unpacked(bytes: &[u8]) -> Vec<u8> {
        let (mut strings, mut pixels) = (Vec::<Vec<u8>>::new(), Vec::new());
        let (mut width, mut at, mut last) = (9, 0, None::<Vec<u8>>);
        loop {
            let bit = |k: usize| u16::from(bytes[k / 8] >> (k % 8) & 1) << (k - at);
            let code: u16 = (at..at + width).map(bit).sum();
            at += width;
            if code == 256 {
                strings = (0..258).map(|k| vec![k as u8]).collect();
                (width, last) = (9, None);
                continue;
            }
            if code == 257 {
                return pixels;
            }
            if let Some(last) = &last {
                let first = strings.get(usize::from(code)).unwrap_or(last)[0];
                strings.push([&last[..], &[first]].concat());
            }
            let string = strings[usize::from(code)].clone();
            pixels.extend_from_slice(&string);
            last = Some(string);
            width = match strings.len() {
                512..1024 => 10,
                1024..2048 => 11,
                2048.. => 12,
                _ => 9,
            };
        }
    }

    /// Decompression restores the pixels, also after the code table has overflowed several times.
    #[test]
    fn packing_loses_nothing() {
        let mut seed = 1_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8 % 37
        };
        let mut pixels: Vec<u8> = (0..30_000).map(|_| noise()).collect();
        pixels.extend(vec![UNCHANGED; 20_000]);
        assert_eq!(unpacked(&packed(&pixels)), pixels);
    }
}
