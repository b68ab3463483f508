import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "@skein/engine";
import { buildProject, testId } from "@skein/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { StorageUnavailableError } from "../errors.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

let directory = "";
let file = "";
let storage: Storage;
const insert = (number: number) =>
  storage.transaction((tx) => tx.insertProject(buildProject({ id: testId("prj", number), path: `/p${number}` })));

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "skein-watch-"));
  file = join(directory, "skein.db");
  storage = await openSqliteStorage({ file });
  await insert(1);
});
afterEach(async () => {
  await storage.close();
  rmSync(directory, { recursive: true });
});

it("[Q16] a healthy database is not reported as damaged, also while it grows", async () => {
  expect(await storage.inspect()).toBeUndefined();
  await Promise.all(Array.from({ length: 100 }, (_, i) => insert(i + 2)));
  expect(await storage.inspect()).toBeUndefined();
});

it("[Q16] a deleted database is noticed, saved whole to a new file, and nothing is written into nowhere", async () => {
  for (const name of readdirSync(directory)) rmSync(join(directory, name));
  const damage = await storage.inspect();
  expect(damage).toMatchObject({ kind: "missing", message: expect.stringContaining("skein restore"), rescuedTo: expect.any(String) });
  const refused = await insert(2).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StorageUnavailableError);
  expect((await storage.read.listProjects()).map(({ id }) => id)).toEqual(["prj_0001"]);
  const rescuedTo = damage?.rescuedTo ?? "";
  expect(statSync(rescuedTo).mode & 0o777).toBe(0o600);
  const rescued = await openSqliteStorage({ file: rescuedTo });
  expect((await rescued.read.listProjects()).map(({ id }) => id)).toEqual(["prj_0001"]);
  await rescued.close();
  await storage.inspect();
  expect(readdirSync(directory).filter((name) => name.includes("rescued") && !/-(wal|shm)$/.test(name))).toHaveLength(1);
});

it("[Q16] a database that is moved away and back can be written to again", async () => {
  renameSync(file, `${file}.away`);
  expect(await storage.inspect()).toMatchObject({ kind: "missing" });
  renameSync(`${file}.away`, file);
  expect(await storage.inspect()).toBeUndefined();
  await insert(2);
  expect(await storage.read.listProjects()).toHaveLength(2);
});

it("[Q16] another database in its place, a WAL that is gone, a file cut short and one overwritten are distinguished", async () => {
  const kinds: unknown[] = [];
  const look = async () => kinds.push((await storage.inspect())?.kind);
  copyFileSync(file, `${file}.copy`);
  renameSync(file, `${file}.away`);
  renameSync(`${file}.copy`, file);
  await look();
  renameSync(`${file}.away`, file);
  await look();
  renameSync(`${file}-wal`, `${file}-wal.away`);
  await look();
  renameSync(`${file}-wal.away`, `${file}-wal`);
  await look();
  writeFileSync(file, "x".repeat(statSync(file).size), { flag: "r+" });
  await look();
  truncateSync(file, 0);
  await look();
  expect(kinds).toEqual(["replaced", undefined, "missing", undefined, "overwritten", "truncated"]);
});
