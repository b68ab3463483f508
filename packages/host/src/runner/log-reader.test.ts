import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogLine } from "@skein/engine";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { executionFolder } from "./execution-folder.ts";
import { createLogReader, type LogReader } from "./log-reader.ts";

const newFolder = () => executionFolder(mkdtempSync(join(tmpdir(), "skein-log-")));

function timesEntry(offset: number, at: number): Buffer {
  const entry = Buffer.alloc(16);
  entry.writeBigUInt64LE(BigInt(offset), 0);
  entry.writeDoubleLE(at, 8);
  return entry;
}

async function readAll(reader: LogReader, final = false): Promise<LogLine[]> {
  const all: LogLine[] = [];
  for (let lines = reader.readLines({ final }); lines.length > 0; lines = reader.readLines({ final })) all.push(...lines);
  return all;
}

describe("reading an execution's log", () => {
  test("[Q7] every line is read once with its offset, whatever the chunks and wherever a reader stopped", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", " ")),
          { maxLength: 12 },
        ),
        fc.array(fc.nat(200), { maxLength: 6 }),
        async (texts, cuts) => {
          const folder = newFolder();
          const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
          const seen: LogLine[] = [];
          let offset = 0;
          let written = 0;
          for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
            appendFileSync(folder.log, bytes.subarray(written, Math.max(written, cut)));
            written = Math.max(written, Math.min(cut, bytes.length));
            const reader = createLogReader(folder, offset);
            seen.push(...(await readAll(reader)));
            offset = reader.offset;
            reader.close();
          }
          expect(seen.map((line) => line.text)).toEqual(texts);
          expect(seen.map((line) => line.offset)).toEqual(
            texts.map((_, i) =>
              Buffer.byteLength(
                texts
                  .slice(0, i)
                  .map((text) => `${text}\n`)
                  .join(""),
              ),
            ),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test("[Q13] an unterminated last line is returned only when the log is complete", async () => {
    const folder = newFolder();
    writeFileSync(folder.log, "one\ntwo");
    const reader = createLogReader(folder, 0);
    expect((await readAll(reader)).map((line) => line.text)).toEqual(["one"]);
    expect(reader.offset).toBe(4);
    expect((await readAll(reader, true)).map((line) => line.text)).toEqual(["two"]);
    expect(reader.offset).toBe(7);
    reader.close();
  });

  test("[Q13] a line longer than 8 MiB is truncated, and the following lines are read", async () => {
    const folder = newFolder();
    writeFileSync(folder.log, `${"x".repeat(9 * 1024 * 1024)}\nnext\n`);
    const reader = createLogReader(folder, 0);
    const [long, next] = await readAll(reader);
    expect(long?.text.length).toBe(64 * 1024);
    expect(next).toMatchObject({ text: "next", offset: 9 * 1024 * 1024 + 1 });
    reader.close();
  });

  test("[T0] a line's time is that of the chunk that completed it, whenever it is read", async () => {
    const folder = newFolder();
    writeFileSync(folder.log, "aaa\nbb" + "b\nccc\n");
    writeFileSync(folder.times, Buffer.concat([timesEntry(0, 1000), timesEntry(6, 2000)]));
    for (const from of [0, 4, 8]) {
      const reader = createLogReader(folder, from);
      const times = (await readAll(reader)).map((line) => line.at);
      expect(times).toEqual([1000, 2000, 2000].slice(from / 4));
      reader.close();
    }
  });

  test("a missing log has no lines", async () => {
    const reader = createLogReader(newFolder(), 0);
    expect(reader.readLines({ final: true })).toEqual([]);
    reader.close();
  });
});
