import { describe, expect, it } from "vitest";
import { languageOfFence, languageOfPath } from "./language-of.ts";

describe("the language of a file", () => {
  it("follows from its extension or its name", () => {
    expect(["src/a.test.ts", "Dockerfile", "x/Makefile", "a.YML", ".bashrc"].map(languageOfPath)).toEqual([
      "typescript",
      "docker",
      "make",
      "yaml",
      "shellscript",
    ]);
  });
  it("is none for an unknown name, also for names that every object has", () => {
    expect(["LICENSE", "a.unknown", "x.constructor", "a."].map(languageOfPath)).toEqual([null, null, null, null]);
    expect(["constructor", "", "ts", "Python"].map(languageOfFence)).toEqual([null, null, "typescript", "python"]);
  });
});
