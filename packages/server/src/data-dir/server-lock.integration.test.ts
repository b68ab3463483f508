import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquireServerLock, findRunningServer, ServerAlreadyRunningError } from "./server-lock.ts";

const lockModule = fileURLToPath(new URL("./server-lock.ts", import.meta.url));
const holder = `
  const { acquireServerLock } = await import(process.argv[1]);
  try {
    const lock = acquireServerLock(process.argv[2]);
    lock.setUrl(process.argv[3]);
    console.log("acquired");
    process.stdin.resume();
    process.stdin.on("end", () => { lock.release(); process.exit(0); });
  } catch (error) {
    console.log(error.name);
    process.exit(3);
  }
`;

let home: string;
let children: ChildProcess[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skein-lock-"));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true });
});

async function startHolder(url: string): Promise<{ child: ChildProcess; outcome: string }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", holder, lockModule, home, url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const [outcome] = await once(createInterface({ input: child.stdout }), "line");
  return { child, outcome };
}

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("acquireServerLock", () => {
  it("[Q16] a second server on the same data dir gets the first one's address and process id", async () => {
    const { child, outcome } = await startHolder("http://127.0.0.1:4180");
    expect(outcome).toBe("acquired");
    const error = catchError(() => acquireServerLock(home));
    expect(error).toBeInstanceOf(ServerAlreadyRunningError);
    expect(error).toMatchObject({ pid: child.pid, url: "http://127.0.0.1:4180" });
    expect(String(error)).toContain(`pid ${child.pid}`);
    expect(findRunningServer(home)).toMatchObject({ pid: child.pid, url: "http://127.0.0.1:4180" });
  });

  it("[Q16] kill -9 of the first server frees the data dir", async () => {
    const { child } = await startHolder("http://127.0.0.1:1");
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    const lock = acquireServerLock(home, { url: "http://127.0.0.1:2" });
    expect(findRunningServer(home)).toMatchObject({ pid: process.pid, url: "http://127.0.0.1:2" });
    lock.release();
  });

  it("[Q16] of several servers that start at the same moment exactly one gets the data dir", async () => {
    const outcomes = await Promise.all([1, 2, 3, 4].map((port) => startHolder(`http://127.0.0.1:${port}`)));
    expect(outcomes.map((start) => start.outcome).sort()).toEqual([
      "ServerAlreadyRunningError",
      "ServerAlreadyRunningError",
      "ServerAlreadyRunningError",
      "acquired",
    ]);
  });

  it("a released lock leaves no record and can be taken again, also in the same process", () => {
    const first = acquireServerLock(home);
    expect(() => acquireServerLock(home)).toThrow(ServerAlreadyRunningError);
    first.release();
    expect(existsSync(join(home, "server.json"))).toBe(false);
    acquireServerLock(home).release();
  });

  it("releasing twice does not release the next owner's lock", async () => {
    const first = acquireServerLock(home);
    first.release();
    const { child, outcome } = await startHolder("http://127.0.0.1:9");
    expect(outcome).toBe("acquired");
    first.release();
    expect(findRunningServer(home)).toMatchObject({ pid: child.pid });
    expect(() => acquireServerLock(home)).toThrow(ServerAlreadyRunningError);
  });
});
