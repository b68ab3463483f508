import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, AttemptDiff } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";
import { databaseEnvironment } from "./support/server-database.ts";

test("[Q16] a data dir that was moved: worktrees are found with their uncommitted changes, and git knows their new path", {
  timeout: 300_000,
}, async () => {
  const before = await startRealServer();
  const repository = newRepository();
  const project = await before.api.createProject(repository);
  const task = await before.api.createTask(project.id);
  const attempt = await before.api.createAttempt(task.id, { model: newScriptedModel([{ text: "Done." }]) });
  writeFileSync(join(attempt.directory, "unsaved.txt"), "only here");
  await before.stop();
  const home = join(newFolder("moved"), "home");
  const environment = await databaseEnvironment(before.home);
  renameSync(before.home, home);

  const { api } = await startRealServer({ home, environment });
  const moved = await api.request<Attempt>("GET", `/api/attempts/${attempt.id}`);
  expect(moved.directory.startsWith(join(home, "worktrees"))).toBe(true);
  expect(readFileSync(join(moved.directory, "unsaved.txt"), "utf8")).toBe("only here");
  const diff = await api.request<AttemptDiff>("GET", `/api/attempts/${attempt.id}/diff`);
  expect(diff.files.map((file) => file.filePath)).toEqual(["unsaved.txt"]);
  expect(git(repository, "worktree", "list", "--porcelain")).toContain(`worktree ${moved.directory}\n`);
  expect(git(moved.directory, "status", "--porcelain")).toBe("?? unsaved.txt\n");
  const { executionId } = await api.send(task.id, "go");
  await vi.waitFor(async () => expect(await api.executions(attempt.id)).toMatchObject([{ id: executionId, status: "success" }]), {
    timeout: 90_000,
    interval: 50,
  });
  expect((await api.conversation(task.id)).messages.map(({ content }) => content)).toEqual(["go", "Done."]);
  expect(existsSync(before.home), "nothing is created at the old path").toBe(false);

  // with the repository gone, tasks can still be deleted: at once if nothing would be lost, otherwise once the changes are discarded
  const unchanged = await api.createTask(project.id);
  const { directory } = await api.createAttempt(unchanged.id, { model: "scripted/demo" });
  rmSync(repository, { recursive: true });
  expect(await api.request("DELETE", `/api/tasks/${unchanged.id}`)).toEqual({ keptBranches: [], cleanups: [] });
  expect(existsSync(directory)).toBe(false);
  const refused = api.request("DELETE", `/api/tasks/${task.id}`);
  await expect(refused).rejects.toMatchObject({
    status: 409,
    problem: { code: "uncommitted-changes", detail: expect.stringContaining("unsaved.txt") },
  });
  expect(await api.request("DELETE", `/api/tasks/${task.id}?discard=true`)).toEqual({ keptBranches: [], cleanups: [] });
  expect(existsSync(moved.directory)).toBe(false);
});
