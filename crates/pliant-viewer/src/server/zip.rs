//! ZIP archives without compression.

use flate2::Crc;

/// An archive under construction.
#[derive(Debug, Default)]
pub(super) struct Zip {
    bytes: Vec<u8>,
    /// The central directory, which comes last.
    directory: Vec<u8>,
    count: u16,
}

impl Zip {
    /// Adds a file. Archives of more than 4 GiB or 65,535 files are not supported; callers stay far below.
    pub(super) fn add(&mut self, name: &str, bytes: &[u8]) {
        let mut crc = Crc::new();
        crc.update(bytes);
        let offset = self.bytes.len() as u32;
        let size = (bytes.len() as u32).to_le_bytes();
        // Version 2.0, no flags, stored, 1 January 1980.
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        common.extend_from_slice(&crc.sum().to_le_bytes());
        common.extend_from_slice(&size);
        common.extend_from_slice(&size);
        common.extend_from_slice(&(name.len() as u16).to_le_bytes());
        common.extend_from_slice(&[0, 0]);
        self.bytes.extend_from_slice(b"PK\x03\x04");
        self.bytes.extend_from_slice(&common);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(bytes);
        self.directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        self.directory.extend_from_slice(&common);
        // No comment, first disk, no attributes.
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&offset.to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.count += 1;
    }

    /// Returns the finished archive.
    pub(super) fn finish(self) -> Vec<u8> {
        let Self { mut bytes, directory, count } = self;
        let (offset, size) = (bytes.len() as u32, directory.len() as u32);
        bytes.extend_from_slice(&directory);
        bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        bytes.extend_from_slice(&count.to_le_bytes());
        bytes.extend_from_slice(&count.to_le_bytes());
        bytes.extend_from_slice(&size.to_le_bytes());
        bytes.extend_from_slice(&offset.to_le_bytes());
        bytes.extend_from_slice(&[0, 0]);
        bytes
    }
}
