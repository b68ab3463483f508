import { expect, it } from "vitest";
import { root } from "../setup/repository.mjs";
import { findDocumentProblems, findMissingPaths, listReadingOrder } from "./document-paths.mjs";

const files = ["packages/server/src/a/b.ts", "packages/host/src/git", "docs/guide.md", "tests/kill.test.ts"];
const find = (text, document = "ARCHITECTURE.md") =>
  findMissingPaths({ document, text, exists: (name) => files.includes(name), packages: ["host", "server"] });

it.each([
  "`a/b.ts` and `server/src/a/b.ts`, in `host/src/git`",
  "see [the guide](docs/guide.md#part) and [a site](https://example.com)",
  "```ts\nimport `x/y.ts`\n```",
  "`config.json`, `thread/fork`, `refs/skein/late` and `run/` are not paths of sources",
])("accepts %j", (text) => {
  expect(find(text)).toEqual([]);
});

it.each([
  ["`a/c.ts`", "a/c.ts"],
  ["`host/src/nowhere`", "host/src/nowhere"],
  ["`tests/gone.test.ts`", "tests/gone.test.ts"],
  ["[the guide](docs/gone.md)", "docs/gone.md"],
])("reports %j", (text, name) => {
  expect(find(text)).toEqual([`ARCHITECTURE.md names ${name}, which does not exist`]);
});

it("resolves links from the document's own folder", () => {
  expect(find("[next](guide.md)", "docs/http.md")).toEqual([]);
});

it("reads the files of the reading order in order", () => {
  expect(listReadingOrder("### Reading order\n\n| a | `x/1.ts`, `y/2.tsx` |\n\n### Next\n`z/3.ts`")).toEqual(["x/1.ts", "y/2.tsx"]);
});

it("holds in this repository", () => {
  expect(findDocumentProblems(root)).toEqual([]);
});
