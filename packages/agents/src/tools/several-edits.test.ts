import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createToolFixture, type ToolFixture } from "./tool-fixture.ts";

let fixture: ToolFixture;
beforeEach(async () => {
  fixture = await createToolFixture({ "a.txt": "one\ntwo\nthree\ntwo more\n" });
});
afterEach(() => fixture.remove());
const onDisk = () => readFile(join(fixture.root, "a.txt"), "utf8");

test("several edits are made in order, each in what the one before made", async () => {
  const edits = [
    { oldText: "one", newText: "1" },
    { oldText: "1\ntwo", newText: "1\n2" },
    { oldText: "e", newText: "E", replaceAll: true },
  ];
  expect(await fixture.call("edit", { path: "a.txt", edits })).toMatchObject({
    state: "completed",
    output: "Replaced 5 occurrences in a.txt.",
    structured: { oldContent: "one\ntwo\nthree\ntwo more\n", newContent: "1\n2\nthrEE\ntwo morE\n" },
  });
  expect(await onDisk()).toBe("1\n2\nthrEE\ntwo morE\n");
});

test("all or nothing: one that does not fit leaves the file as it was, and is named", async () => {
  const edits = [
    { oldText: "one", newText: "1" },
    { oldText: "two", newText: "2" },
  ];
  const result = await fixture.call("edit", { path: "a.txt", edits });
  expect(result.state).toBe("failed");
  expect(result.output).toContain("edit 2 of 2, and so none, was made: oldText was found 2 times, at lines 2, 4");
  expect(await onDisk()).toBe("one\ntwo\nthree\ntwo more\n");
});

test("edits that undo each other, both forms at once and none at all are reported", async () => {
  const back = [
    { oldText: "one", newText: "1" },
    { oldText: "1", newText: "one" },
  ];
  expect(await fixture.call("edit", { path: "a.txt", edits: back })).toMatchObject({ state: "failed" });
  for (const input of [{ edits: back, oldText: "one", newText: "x" }, { oldText: "one" }, {}, { edits: [] }]) {
    expect(await fixture.call("edit", { path: "a.txt", ...input })).toMatchObject({ state: "failed" });
  }
  expect(await onDisk()).toBe("one\ntwo\nthree\ntwo more\n");
});

test("[N3] more matches than are shown are all in a file that read opens", async () => {
  await writeFile(join(fixture.root, "many.txt"), "hit\n".repeat(1000));
  const { output } = await fixture.call("grep", { pattern: "hit" });
  const file = /all found are in (\S+?);/.exec(output)?.[1] ?? "";
  expect(await fixture.call("read", { path: file, offset: 1000 })).toMatchObject({
    output: "  1000\tmany.txt:1000: hit",
    state: "completed",
  });
});
