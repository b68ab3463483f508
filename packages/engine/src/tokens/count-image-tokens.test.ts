import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readImageHeader } from "../images/read-image-header.ts";
import { countImageTokens } from "./count-image-tokens.ts";

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString("base64");
const ascii = (text: string) => [...Buffer.from(text, "latin1")];
const zeros = (count: number) => new Array<number>(count).fill(0);

const samples = {
  png: base64(...ascii("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13, ...ascii("IHDR"), 0, 0, 3, 0x20, 0, 0, 2, 0x58, 8, 6, 0, 0, 0),
  gif: base64(...ascii("GIF89a"), 0x20, 3, 0x58, 2, ...zeros(30)),
  webpExtended: base64(...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WEBPVP8X"), 10, 0, 0, 0, 0, 0, 0, 0, 0x1f, 3, 0, 0x57, 2, 0, 0, 0),
  webpLossy: base64(...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WEBPVP8 "), ...zeros(10), 0x20, 3, 0x58, 2, 0, 0),
  webpLossless: base64(...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WEBPVP8L"), 0, 0, 0, 0, 0x2f, 0x1f, 0xc3, 0x95, 0, ...zeros(9)),
  jpegAfterComment: base64(0xff, 0xd8, 0xff, 0xfe, 0, 40, ...zeros(38), 0xff, 0xc0, 0, 17, 8, 2, 0x58, 3, 0x20, ...zeros(12)),
};

describe("image size", () => {
  it.each(Object.entries(samples))("[R10] is read from the first bytes: %s", (_, data) => {
    expect(readImageHeader(data)).toMatchObject({ width: 800, height: 600 });
  });

  it("[R10] its tokens follow its size, and an unknown image counts as a large one", () => {
    expect(countImageTokens({ type: "image", mediaType: "image/png", data: samples.png })).toBe(640);
    expect(countImageTokens({ type: "image", mediaType: "image/png", data: "" })).toBe(1600);
  });

  it("[Q13] no bytes make it throw", () => {
    const starts = ["", ...Object.values(samples)].map((data) => Buffer.from(data, "base64"));
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.nat(40), fc.uint8Array({ maxLength: 60 }), (start, length, rest) => {
        const data = Buffer.concat([start.subarray(0, length), rest]).toString("base64");
        const tokens = countImageTokens({ type: "image", mediaType: "image/jpeg", data });
        expect(tokens).toBeGreaterThanOrEqual(85);
        expect(tokens).toBeLessThanOrEqual(1600);
      }),
    );
  });
});
