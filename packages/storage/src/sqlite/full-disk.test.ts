import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Storage } from "@skein/engine";
import { buildProject, testId } from "@skein/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageUnavailableError } from "../errors.ts";
import { createSqliteStorage } from "./create-sqlite-storage.ts";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";

let directory = "";
let writer: DatabaseSync;
let storage: Storage;
let published: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "skein-full-disk-"));
  const file = join(directory, "skein.db");
  writer = openDatabase({ file, migrations, now: Date.now });
  storage = createSqliteStorage({ file, writer });
  published = 0;
  storage.onCommitted((events) => {
    published += events.length;
  });
});
afterEach(async () => {
  await storage.close();
  rmSync(directory, { recursive: true });
});

function insertProject(number: number, name: string): Promise<void> {
  const project = buildProject({ id: testId("prj", number), name });
  return storage.transaction(async (tx) => {
    await tx.insertProject(project);
    await tx.appendEvent({ type: "project:created", projectId: project.id, project }, 1);
  });
}

const large = "x".repeat(1_000_000);

describe("a full disk", () => {
  it("[Q16] what does not fit is rejected with a clear message, and the storage works again when there is space", async () => {
    const pages = writer.prepare("PRAGMA page_count").get()?.page_count;
    writer.exec(`PRAGMA max_page_count = ${Number(pages) + 5}`);
    const refused = await insertProject(1, large).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StorageUnavailableError);
    expect(refused).toMatchObject({ failure: "disk-full", message: expect.stringContaining("Free some space") });
    expect(published).toBe(0);

    await insertProject(2, "small");
    writer.exec("PRAGMA max_page_count = 4294967294");
    await insertProject(3, large);
    expect((await storage.read.listProjects()).map(({ id }) => id)).toEqual(["prj_0002", "prj_0003"]);
    expect(published).toBe(2);
  });

  it("[Q16] a commit that fails rejects the whole group, publishes nothing, and the next one works", async () => {
    const first = insertProject(1, "first");
    const breaking = storage.transaction(async () => {
      // A deferred constraint, checked at the commit: the only way to make a commit itself fail on a healthy disk.
      writer.exec("PRAGMA defer_foreign_keys = ON; INSERT INTO ingest_positions VALUES ('exe_none', 0, NULL)");
    });
    const results = await Promise.allSettled([first, breaking]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(published).toBe(0);
    expect(await storage.read.listProjects()).toEqual([]);

    await insertProject(2, "second");
    expect((await storage.read.listProjects()).map(({ id }) => id)).toEqual(["prj_0002"]);
    expect(published).toBe(1);
  });

  it("[Q16] when SQLite ends the transaction by itself, the group is rejected and nothing is written outside of it", async () => {
    const first = insertProject(1, "first");
    const swallowing = storage.transaction(async (tx) => {
      writer.exec("ROLLBACK");
      await tx.insertProject(buildProject({ id: testId("prj", 2) })).catch(() => undefined);
    });
    const third = insertProject(3, "third");
    const results = await Promise.allSettled([first, swallowing, third]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect((await storage.read.listProjects()).map(({ id }) => id)).toEqual(["prj_0003"]);
    expect(published).toBe(1);
  });

  it("works of one turn of the event loop share one commit", async () => {
    const batches: number[] = [];
    storage.onCommitted((events) => batches.push(events.length));
    await Promise.all([1, 2, 3, 4].map((number) => insertProject(number, "shared")));
    expect(batches).toEqual([4]);
  });
});
