import { constants, copyFile, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ImportProblem } from "@skein/contracts";

const maxBytes = 20 * 1024 ** 3;
const attempts = 5;
const oldMs = 3_600_000;

/** A private copy of a database of another program. */
export interface CopiedDatabase extends AsyncDisposable {
  database: DatabaseSync;
}

/**
 * Copies a database and its log, and opens the copy: even reading would change files next to a database in WAL mode. A copy during which
 * neither file changed is what the program would find after a crash. Returns a problem if that does not succeed.
 */
export async function copyDatabase(file: string, scratch: string): Promise<CopiedDatabase | ImportProblem> {
  const log = `${file}-wal`;
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  await removeOldCopies(scratch);
  const folder = await mkdtemp(join(scratch, "copy-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const copy = join(folder, "copy.db");
  try {
    for (let attempt = 1; ; attempt++) {
      const before = [await describe(file), await describe(log)];
      if ((before[0]?.size ?? 0) > maxBytes) return await fail({ code: "large-file", file });
      await copyFile(file, copy, constants.COPYFILE_FICLONE);
      if (before[1] === undefined) await rm(`${copy}-wal`, { force: true });
      else await copyFile(log, `${copy}-wal`, constants.COPYFILE_FICLONE);
      const after = [await describe(file), await describe(log)];
      if (JSON.stringify(before) === JSON.stringify(after)) break;
      if (attempt === attempts) return await fail({ code: "busy-database", file });
    }
    const database = new DatabaseSync(copy);
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return {
      database,
      async [Symbol.asyncDispose]() {
        database.close();
        await remove();
      },
    };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    return await fail({ code: isOfSystem ? "unreadable-file" : "unreadable-database", file, detail });
  }

  async function fail(problem: ImportProblem): Promise<ImportProblem> {
    await remove();
    return problem;
  }
}

/** A server that was killed leaves its copy. */
async function removeOldCopies(scratch: string): Promise<void> {
  for (const name of await readdir(scratch)) {
    const stats = await lstat(join(scratch, name)).catch(() => undefined);
    if (name.startsWith("copy-") && stats !== undefined && Date.now() - stats.mtimeMs > oldMs) {
      await rm(join(scratch, name), { recursive: true, force: true });
    }
  }
}

/** Undefined if it does not exist, or is not a file. */
async function describe(file: string): Promise<{ size: number; modified: number } | undefined> {
  const stats = await lstat(file).catch(() => undefined);
  return stats?.isFile() ? { size: stats.size, modified: stats.mtimeMs } : undefined;
}

/** Whether a table has all of these columns. */
export function hasColumns(database: DatabaseSync, table: string, ...columns: string[]): boolean {
  const found = new Set(
    database
      .prepare("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => String(name)),
  );
  return columns.every((column) => found.has(column));
}
