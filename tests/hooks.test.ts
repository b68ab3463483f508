import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Committed, GitHooks } from "@skein/contracts";
import { expect, test } from "vitest";
import { startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";

test("[G2, X8, X16] hooks run with a commit once the user trusts them, and no longer once an agent has changed one", async () => {
  const { api } = await startRealServer();
  const repository = newRepository();
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.invalid");
  const canary = join(newFolder("canary"), "ran");
  const writeHook = (text: string) => {
    mkdirSync(join(repository, ".git/hooks"), { recursive: true });
    writeFileSync(join(repository, ".git/hooks/pre-commit"), `#!/bin/sh\n${text}\n`);
    chmodSync(join(repository, ".git/hooks/pre-commit"), 0o755);
  };
  writeHook(`echo "$SKEIN_TOKEN$ANTHROPIC_API_KEY." >> ${canary}; echo checking; test ! -e bad.txt || { echo bad; exit 1; }`);
  const project = await api.createProject(repository);
  const task = await api.createTask(project.id);
  const attempt = await api.createAttempt(task.id);
  const file = (name: string) => join(attempt.directory, name);
  const commit = (message: string) => api.request<Committed>("POST", `/api/attempts/${attempt.id}/commit`, { message });
  const hooks = () => api.request<GitHooks>("GET", `/api/projects/${project.id}/hooks?attemptId=${attempt.id}`);

  writeFileSync(file("one.txt"), "1\n");
  expect(await commit("One")).toMatchObject({ hooks: { outcome: "not-trusted", output: "" } });
  expect(existsSync(canary)).toBe(false);

  const shown = await hooks();
  expect(shown).toMatchObject({ hooks: [{ name: "pre-commit", text: expect.stringContaining("checking") }], settings: [], trust: "none" });
  const other = api.request("POST", `/api/projects/${project.id}/hooks/trust`, { hash: "0".repeat(64) });
  await expect(other).rejects.toMatchObject({ status: 409, problem: { code: "hooks-changed" } });
  await api.request("POST", `/api/projects/${project.id}/hooks/trust`, { hash: shown.hash, attemptId: attempt.id });
  expect((await hooks()).trust).toBe("trusted");
  writeFileSync(file("two.txt"), "2\n");
  expect(await commit("Two")).toMatchObject({ hooks: { outcome: "ran", output: "checking\n" } });
  expect(readFileSync(canary, "utf8")).toBe(".\n");

  writeFileSync(file("bad.txt"), "bad\n");
  await expect(commit("Bad")).rejects.toMatchObject({
    status: 409,
    problem: { code: "hook-refused", detail: expect.stringContaining("checking\nbad") },
  });
  expect(git(attempt.directory, "log", "-1", "--format=%s").trim()).toBe("Two");

  writeHook(`echo evil >> ${canary}`);
  expect((await hooks()).trust).toBe("changed");
  expect(await commit("Three")).toMatchObject({ hooks: { outcome: "changed", output: "" } });
  expect(readFileSync(canary, "utf8")).not.toContain("evil");
  await api.request("DELETE", `/api/projects/${project.id}/hooks/trust`);
  expect((await hooks()).trust).toBe("none");
});
