import { describe, expect, it } from "vitest";
import { root } from "../setup/repository.mjs";
import { explainViolation, findViolations, listImports } from "./import-boundaries.mjs";

const manifests = {
  contracts: { exports: { ".": "x" }, dependencies: { zod: "*" } },
  engine: { exports: { ".": "x" }, dependencies: { zod: "*" } },
  agents: { exports: { ".": "x", "./native-program": "x" }, dependencies: {} },
  storage: { exports: { ".": "x" }, dependencies: {} },
  server: { exports: { ".": "x" }, dependencies: { hono: "*" } },
  testkit: { exports: { ".": "x" } },
};
const explain = (file, specifier) => explainViolation({ file: `packages/${file}`, specifier, manifests });

describe("import boundaries", () => {
  it("finds every form of import", () => {
    const source = `
      import a from "a";
      import { b,
        c } from "b";
      import type { D } from 'd';
      export { e } from "e";
      export * from "f";
      import "g";
      const h = await import("h");
      // not one: import.meta.url, "from" alone
    `;
    expect(listImports(source)).toEqual(["a", "b", "d", "e", "f", "g", "h"]);
  });

  it.each([
    ["engine/src/a.ts", "@skein/contracts"],
    ["engine/src/pairing/a.ts", "../b.ts"],
    ["engine/src/a.test.ts", "@skein/testkit"],
    ["engine/src/a.test.ts", "node:fs"],
    ["server/src/a.ts", "@skein/agents/native-program"],
    ["server/src/a.ts", "hono/streaming"],
    ["server/src/a.ts", "node:fs"],
  ])("%s may import %s", (file, specifier) => {
    expect(explain(file, specifier)).toBeUndefined();
  });

  it.each([
    ["contracts/src/a.ts", "@skein/engine"],
    ["engine/src/a.ts", "@skein/storage"],
    ["agents/src/a.ts", "@skein/storage"],
    ["engine/src/a.ts", "node:fs"],
    ["engine/src/a.ts", "fs"],
    ["engine/src/a.ts", "../../contracts/src/ids.ts"],
    ["server/src/a.ts", "@skein/agents/src/native/turn.ts"],
    ["server/src/a.ts", "@skein/testkit"],
    ["server/src/a.ts", "kysely"],
  ])("%s must not import %s", (file, specifier) => {
    expect(explain(file, specifier)).toBeTypeOf("string");
  });

  it("reads the sources of this repository", () => {
    expect(findViolations(root)).toEqual([]);
  });
});
