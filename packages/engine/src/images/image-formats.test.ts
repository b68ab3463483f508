import { describe, expect, it } from "vitest";
import { readImageHeader } from "./read-image-header.ts";

const bytes = (text: string) => Buffer.from(text, "latin1").toString("base64");

describe("readImageHeader", () => {
  it("[A11] reads the size of GIF, JPEG and the three kinds of WebP", () => {
    expect(readImageHeader(bytes("GIF89a\x02\x01\x03\x00\x00\x00\x00"))).toEqual({ mediaType: "image/gif", width: 258, height: 3 });
    const exif = "\xff\xe1\x00\x08Exif\x00\x00";
    const frame = "\xff\xc2\x00\x11\x08\x00\x0a\x01\x00\x03";
    expect(readImageHeader(bytes(`\xff\xd8${exif}${frame}`))).toEqual({ mediaType: "image/jpeg", width: 256, height: 10 });
    expect(readImageHeader(bytes(`\xff\xd8${exif}\xff${frame}`))).toMatchObject({ width: 256 });
    const webp = (chunk: string) => bytes(`RIFF\x00\x00\x00\x00WEBP${chunk}`.padEnd(40, "\x00"));
    const lossy = "VP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x40\x01\xf0\x00";
    expect(readImageHeader(webp(lossy))).toEqual({ mediaType: "image/webp", width: 320, height: 240 });
    const extended = "VP8X\x0a\x00\x00\x00\x00\x00\x00\x00\xff\x01\x00\x1f\x00\x01";
    expect(readImageHeader(webp(extended))).toEqual({ mediaType: "image/webp", width: 512, height: 65_568 });
    const lossless = "VP8L\x00\x00\x00\x00\x2f\x3f\x81\x3b\x00";
    expect(readImageHeader(webp(lossless))).toEqual({ mediaType: "image/webp", width: 320, height: 239 });
  });

  it("[A11] does not mistake other bytes for an image", () => {
    expect(readImageHeader(bytes(""))).toBeUndefined();
    expect(readImageHeader(bytes("<svg/>"))).toBeUndefined();
    expect(readImageHeader(bytes("\x89PNG\r\n\x1a\n"))).toBeUndefined();
    expect(readImageHeader(bytes("\xff\xd8\xff\xd9"))).toBeUndefined();
  });
});
