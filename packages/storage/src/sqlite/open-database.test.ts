import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buildProject } from "@skein/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NewerSchemaError, UnreadableDatabaseError } from "../errors.ts";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

let directory = "";
let file = "";
const now = () => Date.UTC(2026, 0, 2, 3, 4, 5);
const project = buildProject();

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "skein-open-"));
  file = join(directory, "skein.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

async function createDatabase(): Promise<void> {
  const storage = await openSqliteStorage({ file });
  await storage.transaction((tx) => tx.insertProject(project));
  await storage.close();
}

function query(path: string, sql: string): unknown {
  using database = new DatabaseSync(path, { readOnly: true });
  return Object.values(database.prepare(sql).get() ?? {})[0];
}

async function expectRefusedAndUntouched(error: new (...args: never[]) => Error, message: RegExp): Promise<void> {
  const before = readFileSync(file);
  const opening = openSqliteStorage({ file });
  await expect(opening).rejects.toThrow(error);
  await expect(opening).rejects.toThrow(message);
  expect(readFileSync(file).equals(before)).toBe(true);
}

describe("opening a database", () => {
  it("creates one that only its owner can read, and keeps what was stored", async () => {
    await createDatabase();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const storage = await openSqliteStorage({ file });
    expect(await storage.read.listProjects()).toEqual([project]);
    await storage.close();
    expect(readdirSync(directory)).toEqual(["skein.db"]);
  });

  it("writes with WAL, without a wait for the disk in the statement itself, and with foreign keys", async () => {
    using database = openDatabase({ file, migrations, now });
    const pragmas = ["journal_mode", "synchronous", "foreign_keys", "timeout"].map((name) => {
      const row = database.prepare(`PRAGMA ${name === "timeout" ? "busy_timeout" : name}`).get();
      return row?.[name];
    });
    expect(pragmas).toEqual(["wal", 1, 1, 2000]);
  });

  it("[Q16] projects of a database from before system prompts keep what they have, and have none", async () => {
    {
      using before = openDatabase({ file, migrations: migrations.filter(({ version }) => version <= 3), now });
      before
        .prepare("INSERT INTO projects (id, name, path, created_at, updated_at) VALUES (?, ?, ?, ?, ?)")
        .run(...[project.id, project.name, project.path, project.createdAt, project.updatedAt]);
    }
    const storage = await openSqliteStorage({ file });
    expect(await storage.read.listProjects()).toEqual([{ ...project, systemPrompt: "" }]);
    await storage.close();
  });

  it("[Q16] a database of a newer Skein is rejected with what to do, and not touched", async () => {
    await createDatabase();
    {
      using database = new DatabaseSync(file);
      database.exec("PRAGMA user_version = 99");
    }
    await expectRefusedAndUntouched(NewerSchemaError, /schema version 99.*versions up to \d+\..*Update Skein/);
    expect(readdirSync(directory).filter((name) => name.includes("backup"))).toEqual([]);
  });

  it("[Q16] a newer database whose last commits are still in its WAL is not touched either", async () => {
    await createDatabase();
    using other = new DatabaseSync(file);
    other.exec("PRAGMA user_version = 99");
    await expectRefusedAndUntouched(NewerSchemaError, /version 99/);
  });

  it("[Q16] a file that is not a database is rejected and not overwritten", async () => {
    writeFileSync(file, "My notes, which must not be lost.\n".repeat(100));
    await expectRefusedAndUntouched(UnreadableDatabaseError, /no SQLite database.*Restore a backup/s);
  });

  it("[Q16] a damaged database is rejected and not overwritten", async () => {
    await createDatabase();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 100, 4096);
    writeFileSync(file, bytes);
    await expectRefusedAndUntouched(UnreadableDatabaseError, /damaged/);
  });

  it("[Q16] a database that was cut short is rejected and not overwritten, also where its first pages are whole", async () => {
    await createDatabase();
    const bytes = readFileSync(file);
    for (const kept of [4096, Math.floor(bytes.length / 2), bytes.length - 4096, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, kept));
      await expectRefusedAndUntouched(UnreadableDatabaseError, /cut short: \d+ bytes are missing.*skein restore/s);
    }
  });

  it("a short file whose WAL has the rest is whole", async () => {
    await createDatabase();
    const bytes = readFileSync(file);
    // as an interrupted checkpoint leaves it
    const short = join(directory, "short.db");
    {
      using source = new DatabaseSync(file);
      source.exec("PRAGMA wal_autocheckpoint = 0; CREATE TABLE more (text TEXT) STRICT;");
      source.prepare("INSERT INTO more VALUES (?)").run("x".repeat(100_000));
      const grown = Buffer.from(bytes);
      writeFileSync(short, grown);
      writeFileSync(`${short}-wal`, readFileSync(`${file}-wal`));
      source.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      readFileSync(file).copy(grown, 0, 0, 4096); // the first page is written, with the new page count
      writeFileSync(short, grown);
    }
    const storage = await openSqliteStorage({ file: short });
    expect(await storage.read.listProjects()).toEqual([project]);
    await storage.close();
  });

  it("[Q16] a database of another program is rejected and not touched", async () => {
    {
      using database = new DatabaseSync(file);
      database.exec("CREATE TABLE recipes (id INTEGER PRIMARY KEY)");
    }
    await expectRefusedAndUntouched(UnreadableDatabaseError, /another program/);
  });

  it("[Q16] a folder that does not exist is reported with the name of the file", async () => {
    const missing = join(directory, "missing", "skein.db");
    await expect(openSqliteStorage({ file: missing })).rejects.toThrow(missing);
  });
});

describe("migrations", () => {
  const current = migrations.at(-1)?.version ?? 0;
  const addNotes = {
    version: current + 1,
    sql: "CREATE TABLE notes (id TEXT PRIMARY KEY) STRICT; INSERT INTO notes SELECT id FROM projects;",
  };

  it("[Q16] an older database is copied to a file next to it before it is migrated", async () => {
    await createDatabase();
    openDatabase({ file, migrations: [...migrations, addNotes], now }).close();
    const backup = `${file}.backup-v${current}-20260102T030405000Z`;
    expect(readdirSync(directory).toSorted()).toEqual(["skein.db", `skein.db.backup-v${current}-20260102T030405000Z`]);
    expect(query(file, "PRAGMA user_version")).toBe(current + 1);
    expect(query(file, "SELECT id FROM notes")).toBe(project.id);
    expect(query(backup, "PRAGMA user_version")).toBe(current);
    expect(query(backup, "SELECT id FROM projects")).toBe(project.id);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });

  it("[Q16] the backup can be put in the database's place", async () => {
    await createDatabase();
    openDatabase({ file, migrations: [...migrations, addNotes], now }).close();
    const storage = await openSqliteStorage({ file: `${file}.backup-v${current}-20260102T030405000Z` });
    expect(await storage.read.listProjects()).toEqual([project]);
    await storage.close();
  });

  it("a migration that fails changes nothing and is tried again at the next start", async () => {
    await createDatabase();
    const failing = { version: current + 1, sql: "CREATE TABLE notes (id TEXT) STRICT; INSERT INTO nowhere VALUES (1);" };
    expect(() => openDatabase({ file, migrations: [...migrations, failing], now })).toThrow("nowhere");
    expect(query(file, "PRAGMA user_version")).toBe(current);
    expect(query(file, "SELECT count(*) FROM sqlite_schema WHERE name = 'notes'")).toBe(0);
    const later = () => now() + 1;
    openDatabase({ file, migrations: [...migrations, addNotes], now: later }).close();
    expect(query(file, "PRAGMA user_version")).toBe(current + 1);
  });

  it("a new or current database needs no backup", async () => {
    await createDatabase();
    await (await openSqliteStorage({ file })).close();
    expect(readdirSync(directory)).toEqual(["skein.db"]);
  });
});
