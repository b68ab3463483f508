import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { attemptExportSchema } from "@skein/contracts";
import { describe, expect, it, vi } from "vitest";
import { createSandbox, type Sandbox } from "../testing/spawn-skein.ts";

const says = (text: string) => [{ text }];
const timeout = 120_000;

/** A message and its answer, by `skein run`, which starts its own server. */
async function work(sandbox: Sandbox, message: string, answer: string): Promise<void> {
  const { code, stderr } = await sandbox.skein(["run", message, "--repo", sandbox.repository, "--model", sandbox.script(says(answer))])
    .ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

const run = (sandbox: Sandbox, ...args: string[]) => sandbox.skein(args).ended;

/** The titles of the tasks, while no server runs. */
function find({ home }: Sandbox): string[] {
  using database = new DatabaseSync(path.join(home, "skein.db"), { readOnly: true });
  return database
    .prepare("SELECT title FROM tasks ORDER BY title")
    .all()
    .map(({ title }) => String(title));
}

function listFiles(folder: string): { name: string; mode: number }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => ({
    name,
    mode: statSync(path.join(folder, name)).mode & 0o777,
  }));
}

/** The attempt of the first task as JSON, with thousands of messages. Returns their number. */
async function writeLongExport(sandbox: Sandbox, file: string): Promise<number> {
  using database = new DatabaseSync(path.join(sandbox.home, "skein.db"), { readOnly: true });
  const id = String(database.prepare("SELECT id FROM attempts").get()?.id);
  const exported = attemptExportSchema.parse(JSON.parse((await run(sandbox, "export", id)).stdout));
  const [first] = exported.conversation;
  if (first === undefined) throw new Error("there is no message");
  const conversation = Array.from({ length: 20_000 }, (_, index) => ({ ...first, id: `${first.id}${index}` }));
  writeFileSync(file, JSON.stringify({ ...exported, task: { ...exported.task, title: "Long" }, conversation }));
  return conversation.length;
}

/** The messages of the imported attempt. */
function countImported(file: string): number {
  using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const query = "SELECT count(*) AS count FROM conversation_messages WHERE attempt_id IN (SELECT attempt_id FROM imported_sessions)";
  return Number(database.prepare(query).get()?.count);
}

function listTables(file: string): unknown[] {
  using database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  return tables.map(({ name }) => name).filter((name) => !String(name).startsWith("conversation_search"));
}

describe("skein backup and restore", () => {
  it("[Q16, I5] a backup that was made while the server was running restores everything after the data dir is lost", {
    timeout,
  }, async () => {
    await using sandbox = createSandbox();
    await work(sandbox, "First", "The first answer.");
    const server = sandbox.skein(["serve", "--port", "0", "--no-open"]);
    await server.printed(/http:\/\/127\.0\.0\.1:\d+/);
    const target = path.join(path.dirname(sandbox.home), "kept");
    const backup = await run(sandbox, "backup", target);
    expect(backup).toMatchObject({ code: 0, stderr: "" });
    expect(backup.stdout).toContain(`skein restore '${target}'`);
    expect(backup.stdout).toContain("does not contain worktrees");
    expect(await run(sandbox, "backup", target)).toMatchObject({ code: 1, stderr: expect.stringContaining("exists. Choose another name") });

    const refused = await run(sandbox, "restore", target);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/is using .*Stop it first/) });
    server.child.kill("SIGTERM");
    await server.ended;

    const [execution = ""] = readdirSync(path.join(sandbox.home, "executions"));
    const log = readFileSync(path.join(sandbox.home, "executions", execution, "out.log"), "utf8");
    rmSync(sandbox.home, { recursive: true });
    const restored = await run(sandbox, "restore", target);
    expect(restored).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Restored: 1 task, 1 execution") });
    expect(restored.stdout).toContain("Restored the logs of 1 execution.");
    expect(readFileSync(path.join(sandbox.home, "executions", execution, "out.log"), "utf8")).toBe(log);
    expect(find(sandbox)).toEqual(["First"]);
  });

  it("[I5, Q20] a backup that was made during an import has all tables, and the import can be completed after it was restored", {
    timeout,
  }, async () => {
    await using sandbox = createSandbox();
    await work(sandbox, "First", "The first answer.");
    const file = path.join(path.dirname(sandbox.home), "long.json");
    const count = await writeLongExport(sandbox, file);
    const server = sandbox.skein(["serve", "--port", "0", "--no-open"]);
    await server.printed(/http:\/\/127\.0\.0\.1:\d+/);
    const database = path.join(sandbox.home, "skein.db");
    const importing = sandbox.skein(["import", file, "--repo", sandbox.repository]);
    await vi.waitFor(() => expect(countImported(database)).toBeGreaterThan(0), { timeout, interval: 5 });
    // between two of its transactions, or within one
    server.child.kill("SIGSTOP");
    const target = path.join(path.dirname(sandbox.home), "during");
    expect(await run(sandbox, "backup", target)).toMatchObject({ code: 0, stderr: "" });
    server.child.kill("SIGCONT");
    expect((await importing.ended).code).toBe(0);
    server.child.kill("SIGKILL");
    await server.ended;
    expect(countImported(database)).toBe(count);
    const tables = listTables(database);

    rmSync(sandbox.home, { recursive: true });
    expect(await run(sandbox, "restore", target)).toMatchObject({ code: 0, stderr: "" });
    expect(listTables(database)).toEqual(tables);
    const restored = countImported(database);
    expect(restored).toBeGreaterThan(0);
    expect(restored).toBeLessThan(count);
    expect((await run(sandbox, "import", file, "--repo", sandbox.repository)).stdout).toContain("Imported as");
    expect(countImported(database)).toBe(count);
    expect(find(sandbox)).toEqual(["First", "Long"]);
  });

  it("[X11] a backup is readable only by its owner, and contains no credentials of the server", { timeout }, async () => {
    await using sandbox = createSandbox();
    await work(sandbox, "First", "The first answer.");
    writeFileSync(path.join(sandbox.home, "config.json"), "{}");
    const target = path.join(path.dirname(sandbox.home), "kept");
    expect(await run(sandbox, "backup", target)).toMatchObject({ code: 0 });
    expect(statSync(target).mode & 0o777).toBe(0o700);
    const files = listFiles(target);
    expect(files.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
    const names = files.map(({ name }) => name);
    for (const name of ["skein.db", "config.json"]) expect(names).toContain(name);
    for (const name of ["token", "sessions.json", "runner-secret", "worktrees"]) expect(names).not.toContain(name);
  });

  it("[Q16, I5] restore overwrites nothing: the database is kept, newer settings and logs stay, newer executions can be recovered", {
    timeout,
  }, async () => {
    await using sandbox = createSandbox();
    const config = path.join(sandbox.home, "config.json");
    await work(sandbox, "First", "The first answer.");
    writeFileSync(config, '{"port":4181}');
    expect(await run(sandbox, "backup")).toMatchObject({ code: 0 });
    expect(await run(sandbox, "backup", "--database-only")).toMatchObject({ code: 0 });
    await work(sandbox, "Second", "The second answer.");
    writeFileSync(config, '{"port":4182}');
    expect(find(sandbox)).toEqual(["First", "Second"]);

    const [whole = "", alone = ""] = readdirSync(path.join(sandbox.home, "backups")).toSorted((a) => (a.endsWith(".db") ? 1 : -1));
    const listed = await run(sandbox, "restore");
    expect(listed.stdout).toContain(path.join("backups", whole));
    expect(listed.stdout).toContain(path.join("backups", alone));

    const restored = await run(sandbox, "restore", path.join(sandbox.home, "backups", whole));
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).toMatch(/The previous database was kept: .*skein\.db\.replaced-/);
    expect(restored.stdout).toContain("The logs of 1 execution are newer");
    expect(readFileSync(config, "utf8")).toBe('{"port":4182}');
    expect(find(sandbox)).toEqual(["First"]);

    const recovered = await run(sandbox, "quarantine", "recover", "--all");
    expect(recovered).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^Recovered exe_/) });
    expect(find(sandbox)).toEqual(["First", "Second"]);
  });

  it("[Q16] a damaged, missing or invalid backup is refused, and nothing changes", { timeout }, async () => {
    await using sandbox = createSandbox();
    await work(sandbox, "First", "The first answer.");
    const target = path.join(path.dirname(sandbox.home), "kept");
    await run(sandbox, "backup", target);
    const damaged = path.join(path.dirname(sandbox.home), "damaged");
    cpSync(target, damaged, { recursive: true });
    const bytes = readFileSync(path.join(damaged, "skein.db"));
    writeFileSync(path.join(damaged, "skein.db"), bytes.fill(0x5a, 4096 * 3, 4096 * 9));
    const empty = path.join(path.dirname(sandbox.home), "empty");
    mkdirSync(empty);
    const before = readdirSync(sandbox.home).toSorted();
    for (const backup of [damaged, empty, path.join(sandbox.home, "no-such")]) {
      const { code, stderr } = await run(sandbox, "restore", backup);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/damaged|does not exist/) });
    }
    expect(readdirSync(sandbox.home).toSorted()).toEqual(before);
    expect(find(sandbox)).toEqual(["First"]);
  });
});

describe("skein quarantine", () => {
  it("[Q16] lists executions, reports which cannot be recovered and why, and deletes only the named ones", { timeout }, async () => {
    await using sandbox = createSandbox();
    await work(sandbox, "First", "The first answer.");
    expect(await run(sandbox, "quarantine")).toMatchObject({ code: 0, stdout: expect.stringContaining("knows every execution") });
    expect(await run(sandbox, "quarantine", "recover")).toMatchObject({ code: 2, stderr: expect.stringContaining("--all") });
    expect(await run(sandbox, "quarantine", "delete", "nonsense")).toMatchObject({ code: 2, stderr: expect.stringContaining("exe_") });

    // an execution that the database does not know, as earlier releases left them: without its origin
    const executions = path.join(sandbox.home, "executions");
    const [known = ""] = readdirSync(executions);
    const unknown = `${known.slice(0, -4)}zzzz`;
    cpSync(path.join(executions, known), path.join(executions, unknown), { recursive: true });
    rmSync(path.join(executions, unknown, "origin.json"));
    const listed = await run(sandbox, "quarantine");
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining(unknown) });
    expect(listed.stdout).toContain("not recoverable");
    expect(listed.stdout).toMatch(/not recoverable come from an earlier release.*out\.log/s);
    const recovered = await run(sandbox, "quarantine", "recover", unknown);
    expect(recovered).toMatchObject({ code: 1, stderr: expect.stringContaining("earlier release") });
    expect(await run(sandbox, "quarantine", "delete", unknown)).toMatchObject({ code: 0, stdout: `Deleted ${unknown}.\n` });
    expect(existsSync(path.join(sandbox.home, "quarantine", unknown))).toBe(false);
    expect(existsSync(path.join(executions, known))).toBe(true);
  });

  it("[Q16] `restore --empty` quarantines everything, from where it can be recovered", { timeout }, async () => {
    await using sandbox = createSandbox();
    await work(sandbox, "First", "The first answer.");
    renameSync(path.join(sandbox.home, "skein.db"), path.join(path.dirname(sandbox.home), "lost.db"));
    const refused = await run(sandbox, "tasks");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("skein restore --empty") });
    expect(await run(sandbox, "restore", "--empty")).toMatchObject({ code: 0, stdout: expect.stringContaining("Restored: 0 tasks") });
    expect(find(sandbox)).toEqual([]);
    expect(await run(sandbox, "quarantine", "recover", "--all")).toMatchObject({ code: 0 });
    expect(find(sandbox)).toEqual(["First"]);
  });
});
