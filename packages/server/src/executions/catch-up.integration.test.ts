import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { agentEnd, openCatchUp, toLog, writeLog } from "./catch-up.fixture.ts";

const program = join(import.meta.dirname, "__fixtures__", "follow-log.ts");
const turns = 8000;

function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "skein-catch-up-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeLog(directory, toLog(turns));
  return directory;
}

/** Follows the log in a process of its own, until `killAfter` commits and a moment, or to its end. Returns how often it committed. */
async function follow(directory: string, killAfter = Number.POSITIVE_INFINITY): Promise<number> {
  const child = spawn(process.execPath, [program, directory], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("close", resolve));
  let commits = 0;
  for await (const _ of createInterface({ input: child.stdout })) {
    commits++;
    if (commits === killAfter) setTimeout(() => child.kill("SIGKILL"), Math.random() * 10);
  }
  await exited;
  return commits;
}

async function readBack(directory: string) {
  const { storage, readAll } = await openCatchUp(directory);
  try {
    const found = await Promise.all(
      Array.from({ length: turns / 200 }, (_, n) => storage.read.search({ text: `step${n * 200}`, limit: 200 })),
    );
    return { ...(await readAll()), found: found.map((hits) => hits.length) };
  } finally {
    await storage.close();
  }
}

it("[Q5] [Q7] kill -9 again and again while a long log is read: all of it is stored once, numbered once and found", {
  timeout: 300_000,
}, async () => {
  const whole = createDirectory();
  const { storage, follow: followHere } = await openCatchUp(whole);
  const follower = await followHere();
  await follower.finish(agentEnd);
  await follower.close();
  await storage.close();

  const killed = createDirectory();
  for (const killAfter of [1, 2, 1]) await follow(killed, killAfter);
  expect(await follow(killed)).toBeGreaterThan(1);

  const expected = await readBack(whole);
  expect(expected.found.every((hits) => hits > 0)).toBe(true);
  expect(await readBack(killed)).toEqual(expected);
  using database = new DatabaseSync(join(killed, "skein.db"));
  const twice = database.prepare(
    "SELECT message_id FROM events WHERE type = 'message:added' GROUP BY message_id, revision HAVING count(*) > 1",
  );
  expect(twice.all()).toEqual([]);
  expect({ ...database.prepare("PRAGMA integrity_check").get() }).toEqual({ integrity_check: "ok" });
});
