import { describe, expect, it } from "vitest";
import { root } from "../setup/repository.mjs";
import { findCyclesOf, findFolderCycles } from "./folder-cycles.mjs";

const sources = (files) => Object.entries(files).map(([file, text]) => ({ file: `packages/server/src/${file}`, text }));

describe("cycles between folders", () => {
  it("finds two folders that import each other, with the imports", () => {
    const files = { "a/one.ts": 'import { two } from "../b/two.ts";', "b/two.ts": 'import { one } from "../a/one.ts";' };
    expect(findFolderCycles(sources(files))).toEqual(["packages/server: a → b → a (a/one.ts imports b/two.ts; b/two.ts imports a/one.ts)"]);
  });

  it("finds a cycle of several folders, through deeper files, types, re-exports and lazy imports", () => {
    const files = {
      "a/deep/one.ts": 'import type { Two } from "../../b/two.ts";',
      "b/two.ts": 'export { three } from "../c/three.ts";',
      "c/three.ts": 'const one = await import("../a/deep/one.ts");',
    };
    expect(findFolderCycles(sources(files))).toEqual([expect.stringContaining("packages/server: a → b → c → a")]);
  });

  it("counts each file of src itself as a folder", () => {
    const files = { "logger.ts": 'import { a } from "./a/one.ts";', "a/one.ts": 'import { log } from "../logger.ts";' };
    expect(findFolderCycles(sources(files))).toEqual([expect.stringContaining("a → logger.ts → a")]);
  });

  it("allows one direction, cycles inside a folder, and imports of tests", () => {
    const files = {
      "a/one.ts": 'import { two } from "../b/two.ts";\nimport { other } from "./other.ts";',
      "a/other.ts": 'import { one } from "./one.ts";',
      "b/two.test.ts": 'import { one } from "../a/one.ts";',
      "b/two.fixture.ts": 'import { one } from "../a/one.ts";',
      "index.ts": 'export * from "./a/one.ts";\nexport * from "./b/two.ts";',
    };
    expect(findFolderCycles(sources(files))).toEqual([]);
  });

  it("finds none in this repository", () => {
    expect(findCyclesOf(root)).toEqual([]);
  });
});
