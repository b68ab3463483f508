import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executionIdSchema } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildEndedExecution, buildExecution, buildProject, buildTask } from "@skein/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createStorageUseService } from "./storage-use.ts";

let home = "";
let storage: Storage;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "skein-use-"));
  storage = await openSqliteStorage({ file: join(home, "skein.db") });
});
afterEach(async () => {
  await storage.close();
  rmSync(home, { recursive: true });
});

function newService() {
  const host = createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => "secret" });
  return createStorageUseService({ storage, host, home });
}

function write(path: string, bytes: number): void {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), Buffer.alloc(bytes, 1));
}

it("counts what is in the data dir by kind and by project, and does not follow links out of it", async () => {
  const project = buildProject();
  const execution = buildExecution();
  const attempt = buildAttempt({ isolation: "worktree", directory: join(home, "worktrees", "one") });
  await storage.transaction(async (tx) => {
    await tx.insertProject(project);
    await tx.insertTask(buildTask());
    await tx.insertAttempt(attempt);
    await tx.insertExecution(execution);
  });
  write("worktrees/one/deep/file.bin", 300_000);
  write("worktrees/left-over/file.bin", 200_000);
  write(`executions/${execution.id}/stdout.log`, 100_000);
  write(`spill/${execution.id}/output.txt`, 50_000);
  write("logs/server.log", 40_000);
  const outside = mkdtempSync(join(tmpdir(), "skein-outside-"));
  writeFileSync(join(outside, "large.bin"), Buffer.alloc(5_000_000, 1));
  symlinkSync(outside, join(home, "worktrees", "one", "link"));

  const use = await newService()();
  rmSync(outside, { recursive: true });
  // whole blocks of the disk: never less than what was written, and not much more
  const near = (bytes: number, expected: number) => expect([bytes >= expected, bytes < expected + 20_000]).toEqual([true, true]);
  near(use.worktrees, 500_000);
  near(use.executionLogs, 100_000);
  near(use.outputs, 50_000);
  near(use.other, 40_000);
  expect(use.database).toBeGreaterThan(0);
  expect(use.projects).toHaveLength(1);
  near(use.projects[0]?.worktrees ?? 0, 300_000);
  near(use.projects[0]?.executionLogs ?? 0, 100_000);
});

it("measures what has ended once, and what runs or is new each time", async () => {
  const ended = buildExecution({ id: executionIdSchema.parse("exe_ended") });
  const running = buildExecution({ id: executionIdSchema.parse("exe_running"), number: 2 });
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask());
    await tx.insertAttempt(buildAttempt());
    await tx.insertExecution(ended);
    await tx.endExecution(buildEndedExecution({ id: ended.id }));
    await tx.insertExecution(running);
  });
  write("executions/exe_ended/stdout.log", 100_000);
  write("executions/exe_ended/exit.json", 1);
  write("executions/exe_running/stdout.log", 100_000);
  const measure = newService();
  const before = (await measure()).executionLogs;
  write("executions/exe_ended/stdout.log", 900_000);
  write("executions/exe_running/stdout.log", 200_000);
  const after = await measure();
  expect([after.executionLogs - before > 90_000, after.executionLogs - before < 120_000]).toEqual([true, true]);
  rmSync(join(home, "executions/exe_ended"), { recursive: true });
  const left = await measure();
  expect(left.executionLogs).toBeLessThan(220_000);
  expect(left.projects[0]?.executionLogs).toBe(left.executionLogs);
});
