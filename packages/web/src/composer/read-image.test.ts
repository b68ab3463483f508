import { describe, expect, it } from "vitest";
import { readImage } from "./read-image.ts";

describe("[E9] readImage", () => {
  it("gives the bytes in base64 without a prefix, whatever their number", async () => {
    const bytes = Uint8Array.from({ length: 100_001 }, (_, i) => i % 256);
    const image = await readImage(new Blob([bytes], { type: "image/png" }));
    expect(image).toEqual({ type: "image", mediaType: "image/png", data: Buffer.from(bytes).toString("base64") });
  });

  it("takes no SVG, no other file, nothing empty and nothing too large", async () => {
    const blobs = [
      new Blob(["<svg/>"], { type: "image/svg+xml" }),
      new Blob(["x"], { type: "text/plain" }),
      new Blob([], { type: "image/png" }),
    ];
    const large = new Blob([new Uint8Array(5 * 1024 * 1024 + 1)], { type: "image/png" });
    expect(await Promise.all([...blobs, large].map((blob) => readImage(blob)))).toEqual([null, null, null, null]);
  });
});
