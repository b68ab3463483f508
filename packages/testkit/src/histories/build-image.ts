import type { ImagePart } from "@skein/contracts";

/** The first bytes of an image of that size, which is all that is ever read here; `filler` sets its length. */
export function buildImage(mediaType: ImagePart["mediaType"], size: { width: number; height: number; filler?: number }): ImagePart {
  const bytes = Buffer.concat([headers[mediaType](size.width, size.height), Buffer.alloc(size.filler ?? 0)]);
  return { type: "image", mediaType, data: bytes.toString("base64") };
}

const headers: Record<ImagePart["mediaType"], (width: number, height: number) => Buffer> = {
  "image/png": (width, height) =>
    Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), uint32(width), uint32(height), Buffer.alloc(9)]),
  "image/gif": (width, height) => Buffer.concat([Buffer.from("GIF89a", "latin1"), uint16le(width), uint16le(height), Buffer.alloc(4)]),
  "image/jpeg": (width, height) =>
    Buffer.concat([
      Buffer.from("ffd8ffe000104a46494600010100000100010000ffc0001108", "hex"),
      uint16(height),
      uint16(width),
      Buffer.alloc(12),
    ]),
  "image/webp": (width, height) =>
    Buffer.concat([
      Buffer.from("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0", "latin1"),
      uint24le(width - 1),
      uint24le(height - 1),
      Buffer.alloc(8),
    ]),
};

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint16le(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint24le(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
