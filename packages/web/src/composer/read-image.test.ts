import { buildImage } from "@skein/testkit/histories";
import { describe, expect, it } from "vitest";
import { readImage } from "./read-image.ts";

const toBlob = (image: ReturnType<typeof buildImage>) => new Blob([Buffer.from(image.data, "base64")], { type: image.mediaType });

describe("[E9] readImage", () => {
  it("gives the bytes in base64 without a prefix, whatever their number", async () => {
    const image = buildImage("image/png", { width: 10, height: 20, filler: 100_001 });
    expect(await readImage(toBlob(image))).toEqual({ kind: "image", image });
  });

  it("takes no SVG, no other file, nothing empty and nothing too large", async () => {
    const blobs = [
      new Blob(["<svg/>"], { type: "image/svg+xml" }),
      new Blob(["x"], { type: "text/plain" }),
      new Blob([], { type: "image/png" }),
      new Blob(["BM no PNG at all"], { type: "image/png" }),
    ];
    const large = new Blob([new Uint8Array(5 * 1024 * 1024 + 1)], { type: "image/png" });
    const refused = { kind: "refused" };
    expect(await Promise.all([...blobs, large].map((blob) => readImage(blob)))).toEqual([refused, refused, refused, refused, refused]);
  });

  it("[X19] refuses too many pixels, and reports how many", async () => {
    const bomb = buildImage("image/png", { width: 16_000, height: 16_000 });
    expect(await readImage(toBlob(bomb))).toEqual({ kind: "too-large", width: 16_000, height: 16_000 });
  });
});
