import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageUnavailableError } from "../errors.ts";
import { GroupCommit } from "../group-commit.ts";
import { connectWriter } from "./connect.ts";
import { SqliteWriteConnection } from "./sqlite-write-connection.ts";

let directory: string;
let database: DatabaseSync;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "skein-commit-"));
  database = connectWriter(join(directory, "test.db"));
  database.exec("CREATE TABLE things (name TEXT)");
});

afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true });
});

function createCommits(sync: () => Promise<void>) {
  const published: string[] = [];
  const commits = new GroupCommit<(name: string) => void, string>({
    connection: new SqliteWriteConnection(database, sync),
    open() {
      const written: string[] = [];
      const insert = (name: string): void => {
        database.prepare("INSERT INTO things VALUES (?)").run(name);
        written.push(name);
      };
      return { transaction: insert, written, end: () => {} };
    },
    publish: (written) => void published.push(...written),
  });
  return { commits, published };
}

describe("a commit", () => {
  it("[E6] is reported when it is on the disk, and not before; work that arrives meanwhile shares the next one", async () => {
    const disk = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let syncs = 0;
    const { commits, published } = createCommits(() => disk[syncs++]?.promise ?? Promise.resolve());
    const first = commits.submit(async (insert) => insert("a"));
    while (syncs === 0) await new Promise(setImmediate);
    const later = ["b", "c"].map((name) => commits.submit(async (insert) => insert(name)));
    await new Promise(setImmediate);
    expect({ published, syncs }).toEqual({ published: [], syncs: 1 });
    disk[0]?.resolve();
    await first;
    expect(published).toEqual(["a"]);
    disk[1]?.resolve();
    await Promise.all(later);
    expect({ published, syncs }).toEqual({ published: ["a", "b", "c"], syncs: 2 });
    await commits.close();
  });

  it("[E6] a failing unit of work rolls back only itself, wherever it is in its group", async () => {
    const names = ["a", "b", "c"];
    for (const failing of names) {
      database.exec("DELETE FROM things");
      const { commits, published } = createCommits(() => Promise.resolve());
      const works = names.map((name) =>
        commits.submit(async (insert) => {
          insert(name);
          if (name === failing) throw new Error("refused");
        }),
      );
      const outcomes = (await Promise.allSettled(works)).map(({ status }) => status);
      const kept = names.filter((name) => name !== failing);
      expect(outcomes).toEqual(names.map((name) => (name === failing ? "rejected" : "fulfilled")));
      expect(database.prepare("SELECT name FROM things").all()).toEqual(kept.map((name) => ({ name })));
      expect(published).toEqual(kept);
      await commits.close();
    }
  });

  it("[Q15] other work may run between long work and its commit", async () => {
    const order: string[] = [];
    const { commits } = createCommits(async () => void order.push("commit"));
    await commits.submit(async (insert) => {
      insert("a");
      for (const until = performance.now() + 10; performance.now() < until; );
      setImmediate(() => order.push("turn"));
    });
    expect(order).toEqual(["turn", "commit"]);
    await commits.close();
  });

  it("[Q16] that did not reach the disk is not reported as if it had", async () => {
    const { commits, published } = createCommits(() => Promise.reject(Object.assign(new Error("EIO"), { code: "EIO" })));
    await expect(commits.submit(async (insert) => insert("a"))).rejects.toBeInstanceOf(StorageUnavailableError);
    expect(published).toEqual([]);
    await commits.close();
  });
});
