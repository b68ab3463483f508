import { describe, expect, it } from "vitest";
import { root } from "../setup/repository.mjs";
import { findUnusedExports, listExports, listImportedNames } from "./package-exports.mjs";

describe("exports of packages", () => {
  it("finds every name that a module exports", () => {
    const files = {
      "/a/index.ts": `
        export { b, type C, d as e } from "./b.ts";
        export * from "./f.ts";
        // export { notThis } from "./x.ts";
        export const g = 1;`,
      "/a/f.ts": "export async function f() {}\nexport interface H {}\nexport type { I } from './i.ts';",
    };
    expect(listExports("/a/index.ts", (file) => files[file])).toEqual(["g", "b", "C", "e", "f", "H", "I"]);
  });

  it("finds every name that is imported from another package", () => {
    const source = `
      import { a, type B, c as d } from "@skein/engine";
      import type { E } from "@skein/contracts";
      import { f } from "./f.ts";
      const { g } = await import("@skein/agents/mcp");
      type H = import("@skein/storage").H;
      /* import { notThis } from "@skein/engine"; */`;
    expect(listImportedNames(source).map(({ specifier, name }) => `${specifier} ${name}`)).toEqual([
      "@skein/engine a",
      "@skein/engine B",
      "@skein/engine c",
      "@skein/contracts E",
      "@skein/agents/mcp g",
      "@skein/storage H",
    ]);
  });

  it("every export of this repository's packages has a caller, or a reason", () => {
    expect(findUnusedExports(root)).toEqual([]);
  });
});
