export interface ImageHeader {
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  width: number;
  height: number;
}

/** Type and size in pixels from the first bytes of an image; undefined when they are of no known format. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
}

function startsWith(view: DataView, offset: number, text: string): boolean {
  if (view.byteLength < offset + text.length) return false;
  for (let i = 0; i < text.length; i++) if (view.getUint8(offset + i) !== text.charCodeAt(i)) return false;
  return true;
}

function readPng(view: DataView): ImageHeader | undefined {
  if (!startsWith(view, 0, "\x89PNG\r\n\x1a\n") || view.byteLength < 24) return undefined;
  return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageHeader | undefined {
  if (!(startsWith(view, 0, "GIF87a") || startsWith(view, 0, "GIF89a")) || view.byteLength < 10) return undefined;
  return { mediaType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageHeader | undefined {
  if (!startsWith(view, 0, "RIFF") || !startsWith(view, 8, "WEBP") || view.byteLength < 30) return undefined;
  const mediaType = "image/webp";
  if (startsWith(view, 12, "VP8X")) return { mediaType, width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (startsWith(view, 12, "VP8L")) {
    const bits = view.getUint32(21, true);
    return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (startsWith(view, 12, "VP8 ")) {
    return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  return undefined;
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

// The size is in the first start-of-frame segment, behind any number of others (EXIF, ICC): C4, C8 and CC are no frames.
function readJpeg(view: DataView): ImageHeader | undefined {
  if (!startsWith(view, 0, "\xff\xd8")) return undefined;
  let offset = 2;
  while (offset + 9 <= view.byteLength && view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1);
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { mediaType: "image/jpeg", width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    }
    offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}
