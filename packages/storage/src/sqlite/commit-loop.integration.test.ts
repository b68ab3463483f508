import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { testId } from "@skein/testkit/builders";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

const program = join(import.meta.dirname, "__fixtures__", "commit-loop.ts");
let directory = "";
let file = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "skein-commit-loop-"));
  file = join(directory, "skein.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Runs the loop and kills it when it has reported `killAfter` commits. Returns what it reported. */
async function runCommitLoop({
  prefix = [],
  size = 100,
  killAfter,
}: {
  prefix?: string[];
  size?: number;
  killAfter?: number;
}): Promise<string[]> {
  const [command = "", ...args] = [...prefix, process.execPath, program, file, String(size)];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("close", resolve));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === killAfter) child.kill("SIGKILL");
  }
  await exited;
  return lines;
}

async function readBack() {
  const storage = await openSqliteStorage({ file });
  try {
    const executionId = testId("exe");
    const attemptId = testId("att");
    const { offset } = await storage.read.getIngestPosition({ executionId });
    const messages = await storage.read.listMessages({ attemptId });
    const conversation = await storage.read.listConversationMessages({ attemptId, limit: 100_000 });
    const events = await storage.read.listEvents({ after: 0, limit: 100_000 });
    return { offset, messages: messages.length, conversation: conversation.messages.length, events: events.length };
  } finally {
    await storage.close();
  }
}

function checkIntegrity(): unknown {
  using database = new DatabaseSync(file);
  return { ...database.prepare("PRAGMA integrity_check").get(), ...database.prepare("PRAGMA foreign_key_check").get() };
}

describe("a process that is killed between commits", () => {
  it("[Q5] everything reported as committed before kill -9 is complete, and nothing is partial", async () => {
    let reported = 0;
    for (const killAfter of [1, 7, 23, 40]) {
      const lines = await runCommitLoop({ killAfter });
      expect(Number(lines[0])).toBeGreaterThan(reported);
      reported = Number(lines.at(-1));
      const { offset, ...counts } = await readBack();
      expect(offset).toBeGreaterThanOrEqual(reported);
      expect(counts).toEqual({ messages: offset, conversation: offset, events: offset });
      reported = offset;
    }
    expect(checkIntegrity()).toEqual({ integrity_check: "ok" });
  });

  it.skipIf(process.platform === "win32")(
    "[Q16] a disk that takes no more bytes: the commit is refused, and what was committed stays",
    async () => {
      // Blocks of 1024 bytes; without the trap the first write over the limit would kill the process.
      const prefix = ["bash", "-c", 'trap "" XFSZ; ulimit -f 2000; exec "$@"', "bash"];
      const lines = await runCommitLoop({ prefix, size: 20_000 });
      const refusal = lines.pop();
      expect(refusal).toMatch(/^refused: (disk-full|input-output)$/);
      expect(lines.length).toBeGreaterThan(3);
      const { offset, ...counts } = await readBack();
      expect(offset).toBe(lines.length);
      expect(counts).toEqual({ messages: offset, conversation: offset, events: offset });
      expect(checkIntegrity()).toEqual({ integrity_check: "ok" });
    },
  );
});
