import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { contentHash } from "./content-hash.mjs";

let root;
const file = (name) => path.join(root, name);
const hash = () => contentHash([root], root);

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "skein-hash-"));
  writeFileSync(file("a.ts"), "a");
});
afterEach(() => rmSync(root, { recursive: true }));

it("changes with content, name and new files, and with nothing else", () => {
  const first = hash();
  writeFileSync(file("a.ts"), "a");
  expect(hash()).toBe(first);
  writeFileSync(file("a.ts"), "b");
  const changed = hash();
  renameSync(file("a.ts"), file("b.ts"));
  const renamed = hash();
  mkdirSync(file("inner"));
  writeFileSync(file("inner/c.ts"), "c");
  expect(new Set([first, changed, renamed, hash()]).size).toBe(4);
});

it("ignores files that cannot end up in a build", () => {
  const first = hash();
  writeFileSync(file("a.test.ts"), "test");
  for (const folder of ["node_modules", "dist"]) {
    mkdirSync(file(folder));
    writeFileSync(file(`${folder}/x.js`), "x");
  }
  expect(hash()).toBe(first);
});
