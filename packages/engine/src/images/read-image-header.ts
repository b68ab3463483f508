import type { ImagePart } from "@skein/contracts";
import { decodeBase64Start } from "./decode-base64-start.ts";

/** Media type and size in pixels of an image. */
export interface ImageHeader {
  mediaType: ImagePart["mediaType"];
  width: number;
  height: number;
}

/** Enough for all but JPEGs of cameras, which have thumbnails and colour profiles before their size. */
const headLength = 4096;
const longHeadLength = 1024 * 1024;

/**
 * Type and size from an image's own bytes (base64), whatever its name or media type claims: browsers and models look at the bytes, too.
 * Undefined for formats that models do not support. Reads at most the first megabyte, and decodes no pixels. Not the package
 * `image-size`, which needs decoded bytes, and reads the screen size of a GIF, which a first frame may exceed.
 */
export function readImageHeader(base64: string): ImageHeader | undefined {
  const head = decodeBase64Start(base64, headLength);
  const header = readPng(head) ?? readWebp(head) ?? readLong(base64, head, readGif) ?? readLong(base64, head, readJpeg);
  return header === undefined || header.width === 0 || header.height === 0 ? undefined : header;
}

function readLong(base64: string, head: DataView, read: (view: DataView) => ImageHeader | undefined): ImageHeader | undefined {
  const isShort = head.byteLength < headLength;
  return read(head) ?? (isShort || !(isGif(head) || isJpeg(head)) ? undefined : read(decodeBase64Start(base64, longHeadLength)));
}

function has(view: DataView, offset: number, text: string): boolean {
  if (view.byteLength < offset + text.length) return false;
  for (let i = 0; i < text.length; i++) if (view.getUint8(offset + i) !== text.charCodeAt(i)) return false;
  return true;
}

function readPng(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 24 || !has(view, 0, "\x89PNG\r\n\x1a\n")) return undefined;
  return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function readWebp(view: DataView): ImageHeader | undefined {
  if (view.byteLength < 30 || !has(view, 0, "RIFF") || !has(view, 8, "WEBP")) return undefined;
  const mediaType = "image/webp";
  if (has(view, 12, "VP8X")) return { mediaType, width: 1 + readUint24(view, 24), height: 1 + readUint24(view, 27) };
  if (has(view, 12, "VP8L")) {
    const bits = view.getUint32(21, true);
    return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (!has(view, 12, "VP8 ")) return undefined;
  return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function readUint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

const isGif = (view: DataView) => has(view, 0, "GIF87a") || has(view, 0, "GIF89a");

/** A first frame that is larger than its screen counts: browsers enlarge the screen to the frame. */
function readGif(view: DataView): ImageHeader | undefined {
  if (!isGif(view) || view.byteLength < 13) return undefined;
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const flags = view.getUint8(10);
  let offset = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (offset + 9 < view.byteLength) {
    const block = view.getUint8(offset);
    if (block === 0x2c) {
      const width = view.getUint16(offset + 1, true) + view.getUint16(offset + 5, true);
      const height = view.getUint16(offset + 3, true) + view.getUint16(offset + 7, true);
      return { mediaType: "image/gif", width: Math.max(screen.width, width), height: Math.max(screen.height, height) };
    }
    if (block !== 0x21) break;
    offset += 2;
    while (offset < view.byteLength && view.getUint8(offset) !== 0) offset += 1 + view.getUint8(offset);
    offset += 1;
  }
  return { mediaType: "image/gif", ...screen };
}

const isJpeg = (view: DataView) => has(view, 0, "\xff\xd8");

/** The size is in the first start-of-frame segment; C4, C8 and CC are in the same range but are tables. */
function readJpeg(view: DataView): ImageHeader | undefined {
  if (!isJpeg(view)) return undefined;
  let offset = 2;
  while (offset + 9 <= view.byteLength && view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1);
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { mediaType: "image/jpeg", width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    }
    offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}
