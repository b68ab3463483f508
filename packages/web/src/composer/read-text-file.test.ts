import { describe, expect, it } from "vitest";
import { readTextFile } from "./read-text-file.ts";

const file = (content: BlobPart, name = "a.log") => new File([content], name);

describe("readTextFile", () => {
  it("quotes a text with its name, in a fence that it cannot end", async () => {
    expect(await readTextFile(file("one\ntwo\n"))).toBe("a.log:\n```\none\ntwo\n```\n");
    expect(await readTextFile(file("```\n"))).toBe("a.log:\n````\n```\n````\n");
  });

  it("refuses bytes, empty files and long ones", async () => {
    for (const content of [new Uint8Array([1, 0, 2]), new Uint8Array([0xff, 0xfe]), "", "x".repeat(200_001)])
      expect(await readTextFile(file(content))).toBeNull();
  });
});
