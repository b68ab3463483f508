import { buildImage } from "@skein/testkit/histories";
import { describe, expect, it } from "vitest";
import { canBeShown, findImageProblem } from "./image-limits.ts";
import { readImageHeader } from "./read-image-header.ts";

describe("readImageHeader", () => {
  it.each(["image/png", "image/jpeg", "image/gif", "image/webp"] as const)("reads the size of a %s from its first bytes", (type) => {
    const image = buildImage(type, { width: 1234, height: 567, filler: 3000 });
    expect(readImageHeader(image.data)).toEqual({ mediaType: type, width: 1234, height: 567 });
  });

  it("finds a JPEG's size behind a large profile", () => {
    const profile = Array.from({ length: 6 }, () => Buffer.concat([Buffer.from("ffe2ffff", "hex"), Buffer.alloc(65_533)]));
    const frame = Buffer.from("ffc000110800100020000000000000000000", "hex");
    const jpeg = Buffer.concat([Buffer.from("ffd8", "hex"), ...profile, frame]).toString("base64");
    expect(readImageHeader(jpeg)).toEqual({ mediaType: "image/jpeg", width: 32, height: 16 });
  });

  it("[X19] the first frame of a GIF counts where it is larger than its screen", () => {
    const comment = Buffer.from("21fe03616263" + "00", "hex");
    const frame = Buffer.from("2c00000000ffffffff00", "hex");
    const gif = Buffer.concat([Buffer.from("GIF89a\x01\0\x01\0\0\0\0", "latin1"), comment, frame, Buffer.alloc(20)]);
    expect(readImageHeader(gif.toString("base64"))).toEqual({ mediaType: "image/gif", width: 65_535, height: 65_535 });
  });

  it("[X19] other formats, whatever their type claims, and invalid headers are rejected", () => {
    const bitmap = Buffer.concat([Buffer.from("BM"), Buffer.alloc(100, 1)]);
    const icon = Buffer.from("0000010001000000", "hex");
    const avif = Buffer.from("\0\0\0\x1cftypavif", "latin1");
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>");
    const texts = [bitmap, icon, avif, svg, Buffer.alloc(0), Buffer.from("89504e47", "hex"), Buffer.from("ffd8", "hex")];
    expect(texts.map((bytes) => readImageHeader(bytes.toString("base64")))).toEqual(texts.map(() => undefined));
    expect(readImageHeader("!!! no base64 !!!")).toBeUndefined();
    expect(readImageHeader(Buffer.concat([Buffer.from("ffd8", "hex"), Buffer.alloc(3_000_000, 0xff)]).toString("base64"))).toBeUndefined();
  });
});

describe("image limits", () => {
  it("[X19] 16,000 × 16,000 pixels are neither shown nor sent to an agent", () => {
    const bomb = buildImage("image/png", { width: 16_000, height: 16_000 });
    expect(findImageProblem(bomb.data)).toMatchObject({ kind: "too-large", header: { width: 16_000 } });
    expect(canBeShown({ width: 16_000, height: 16_000 })).toBe(false);
    expect(findImageProblem(buildImage("image/png", { width: 8001, height: 1 }).data)).toMatchObject({ kind: "too-large" });
    expect(findImageProblem(buildImage("image/jpeg", { width: 6000, height: 4000 }).data)).toBeUndefined();
    expect(findImageProblem("AAAA")).toEqual({ kind: "unreadable" });
  });
});
