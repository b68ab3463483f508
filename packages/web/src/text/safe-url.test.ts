import { describe, expect, it } from "vitest";
import { parseImageUrl, safeLink, toImageUrl } from "./safe-url.ts";

describe("[X5] links and images", () => {
  it("opens http, https and mailto only", () => {
    const hostile = [
      "javascript:alert(1)",
      " javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "/relative",
      "",
      null,
    ];
    expect(hostile.map(safeLink)).toEqual(hostile.map(() => null));
    expect(["https://a.example", "http://127.0.0.1:1", "mailto:a@b.example"].every((url) => safeLink(url) === url)).toBe(true);
  });

  it("shows bitmaps that are in the page already, never a remote image or an SVG", () => {
    const hostile = [
      "https://evil.example/pixel.png",
      "//evil.example/p",
      "data:image/svg+xml;base64,PHN2Zz4=",
      "data:text/html;base64,PGI+",
      "blob:x",
      "",
    ];
    expect(hostile.map(parseImageUrl)).toEqual(hostile.map(() => null));
    expect(toImageUrl({ mediaType: "image/png", data: "iVBORw0KGgo=" })).toBe("data:image/png;base64,iVBORw0KGgo=");
    expect(toImageUrl({ mediaType: "image/png;x=", data: "AAAA" })).toBeNull();
  });
});
