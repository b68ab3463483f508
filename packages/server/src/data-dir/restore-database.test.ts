import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStorage, skipEventNumbers } from "@skein/storage";
import { expect, onTestFinished, test, vi } from "vitest";
import { backUpDataDir } from "./back-up-data-dir.ts";
import { restoreDatabase } from "./restore-database.ts";

vi.mock(import("@skein/storage"), async (importOriginal) => {
  const original = await importOriginal();
  return { ...original, skipEventNumbers: vi.fn(original.skipEventNumbers) };
});

test("[Q16] a disk that is full when a backup is almost restored leaves the database in its place", async () => {
  const home = mkdtempSync(join(tmpdir(), "skein-restore-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  await (await openSqliteStorage({ file: join(home, "skein.db") })).close();
  const backup = backUpDataDir({ home }).path;
  const listDatabases = () => readdirSync(home).filter((name) => /^skein\.db(\.replaced-\w+)?$/.test(name));

  vi.mocked(skipEventNumbers).mockImplementationOnce(() => {
    throw new Error("database or disk is full");
  });
  await expect(restoreDatabase({ home, backup })).rejects.toThrow("full");
  expect(listDatabases()).toEqual(["skein.db"]);

  await restoreDatabase({ home, backup });
  expect(listDatabases()).toEqual(["skein.db", expect.stringContaining("skein.db.replaced-")]);
});
