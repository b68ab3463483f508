import type { ImagePart } from "@skein/contracts";

export interface ImageHeader {
  mediaType: ImagePart["mediaType"];
  width: number;
  height: number;
}

// A camera's JPEG keeps thumbnails and colour profiles before its size: enough for nearly all without decoding megabytes.
const headLength = 256 * 1024;

/** Type and size in pixels, from the image's own first bytes; undefined when they are of no format that models read. */
export function readImageHeader(base64: string): ImageHeader | undefined {
  const head = read(Buffer.from(base64.slice(0, headLength), "base64"));
  return head ?? (base64.length > headLength ? read(Buffer.from(base64, "base64")) : undefined);
}

function read(bytes: Buffer): ImageHeader | undefined {
  const header = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  return header === undefined || header.width === 0 || header.height === 0 ? undefined : header;
}

const has = (bytes: Buffer, offset: number, text: string) => bytes.toString("latin1", offset, offset + text.length) === text;

function readPng(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 24 || !has(bytes, 0, "\x89PNG\r\n\x1a\n")) return undefined;
  return { mediaType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 10 || !(has(bytes, 0, "GIF87a") || has(bytes, 0, "GIF89a"))) return undefined;
  return { mediaType: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function readWebp(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 30 || !has(bytes, 0, "RIFF") || !has(bytes, 8, "WEBP")) return undefined;
  const mediaType = "image/webp";
  if (has(bytes, 12, "VP8X")) return { mediaType, width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (has(bytes, 12, "VP8L")) {
    const bits = bytes.readUInt32LE(21);
    return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (!has(bytes, 12, "VP8 ")) return undefined;
  return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

// The size is in the first start-of-frame segment; C4, C8 and CC have frame numbers but are tables.
function readJpeg(bytes: Buffer): ImageHeader | undefined {
  if (!has(bytes, 0, "\xff\xd8")) return undefined;
  let offset = 2;
  while (offset + 9 <= bytes.length && bytes[offset] === 0xff) {
    const marker = bytes[offset + 1] ?? 0;
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { mediaType: "image/jpeg", width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) };
    }
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return undefined;
}
