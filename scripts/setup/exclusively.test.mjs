import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { exclusively } from "./exclusively.mjs";
import { workDirectory } from "./repository.mjs";

const newName = () => `test-${process.pid}-${Math.random().toString(36).slice(2)}`;

it("serializes work of the same name", async () => {
  const name = newName();
  let inside = 0;
  const most = [];
  const work = async () => {
    most.push(++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all([exclusively(name, work), exclusively(name, work), exclusively(name, work)]);
  expect(most).toEqual([1, 1, 1]);
});

it("takes over from a process that was killed", async () => {
  const name = newName();
  const lock = path.join(workDirectory, `${name}.lock`);
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  mkdirSync(lock, { recursive: true });
  writeFileSync(path.join(lock, "pid"), String(dead));
  expect(await exclusively(name, async () => "done")).toBe("done");
  expect(existsSync(lock)).toBe(false);
});

it("releases the lock after work that failed", async () => {
  const name = newName();
  await expect(exclusively(name, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await exclusively(name, async () => "done")).toBe("done");
});
