export interface ImageSize {
  width: number;
  height: number;
}

/** Where a camera writes much before the picture itself, its size is not among the first bytes. */
const headLength = 64 * 1024;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The size that the first bytes of a PNG, GIF, WebP or JPEG tell; undefined for anything else. */
export function readImageSize(base64: string): ImageSize | undefined {
  const head = decodeStart(base64, 32);
  const view = new DataView(head.buffer);
  const tag = String.fromCharCode(...head.subarray(0, 16));
  if (tag.startsWith("\x89PNG\r\n\x1a\n")) return toSize(view.getUint32(16), view.getUint32(20));
  if (tag.startsWith("GIF8")) return toSize(view.getUint16(6, true), view.getUint16(8, true));
  if (tag.startsWith("RIFF") && tag.slice(8, 12) === "WEBP") return readWebpSize(tag.slice(12), view);
  if (tag.startsWith("\xff\xd8")) return readJpegSize(decodeStart(base64, headLength));
  return undefined;
}

function readWebpSize(kind: string, view: DataView): ImageSize | undefined {
  if (kind === "VP8X") return toSize(readUint24(view, 24) + 1, readUint24(view, 27) + 1);
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return toSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  return kind === "VP8 " ? toSize(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff) : undefined;
}

/** Walks from segment to segment to the one that begins the picture. */
function readJpegSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer);
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return toSize(view.getUint16(at + 7), view.getUint16(at + 5));
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function readUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function toSize(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** By hand: `atob` is the browser's and decodes all of a text of which 32 bytes are needed. A short text is filled up with zeros. */
function decodeStart(base64: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let i = 0, bits = 0, bitCount = 0, at = 0; i < base64.length && at < length; i++) {
    const value = alphabet.indexOf(base64.charAt(i));
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[at++] = (bits >> bitCount) & 0xff;
    }
  }
  return bytes;
}
