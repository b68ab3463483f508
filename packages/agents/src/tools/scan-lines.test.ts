import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scanLines } from "./scan-lines.ts";
import { createToolFixture } from "./tool-fixture.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-lines-"));
});
afterAll(() => rm(folder, { recursive: true }));
const { signal } = new AbortController();

async function scan(text: string, range: { offset: number; limit: number }) {
  const path = join(folder, "file");
  await writeFile(path, text);
  const file = await open(path);
  try {
    return await scanLines(file, { ...range, maximumLength: 10, signal });
  } finally {
    await file.close();
  }
}

test("[N3] returns the lines that reading the whole file would return", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "😀", "ä", " ", "\r"), maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.boolean(),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (all, ends, offset, limit) => {
        const text = all.join("\n") + (ends ? "\n" : "");
        const lines = text.split(/\r?\n/);
        if (lines.at(-1) === "") lines.pop();
        const expected = { lines: lines.slice(offset - 1, offset - 1 + limit), goesOn: lines.length > offset - 1 + limit };
        expect(await scan(text, { offset, limit })).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});

test("[Q14] an endless line takes bounded memory: it is truncated", async () => {
  const { lines, goesOn } = await scan(`${"x".repeat(3_000_000)}\nnext\n`, { offset: 1, limit: 1 });
  expect([lines[0]?.length, goesOn]).toEqual([12, true]);
});

describe("read", () => {
  test("[N3] opens a file of any size in pieces", async () => {
    const fixture = await createToolFixture({ "large.txt": "0123456789abcde\n".repeat(1_400_000) });
    expect(await fixture.call("read", { path: "large.txt", offset: 1_399_999, limit: 1 })).toEqual({
      output: "1399999\t0123456789abcde\n(lines 1399999 to 1399999, and there are more; read on with offset 1400000)",
      state: "completed",
      structured: { filePath: "large.txt", content: "0123456789abcde", startLine: 1_399_999 },
    });
    expect((await fixture.call("read", { path: "large.txt", offset: 1_400_000 })).output).toBe("1400000\t0123456789abcde");
    expect(await fixture.call("read", { path: "large.txt", offset: 1_400_001 })).toMatchObject({ state: "failed" });
    await fixture.remove();
  });
});
