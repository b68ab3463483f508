import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AttemptDiff } from "@skein/contracts";
import { newHostileRepository, runGit } from "@skein/testkit/hostile-repositories";
import { expect, test } from "vitest";
import { openAgentTask } from "./support/agent-task.ts";
import { newFolder } from "./support/repository.ts";

test("[X9] an agent that points .git to its own repository starts nothing when it ends, and its changes are shown", async () => {
  const hostile = newHostileRepository();
  const evil = join(hostile.outside, "evil");
  mkdirSync(evil);
  runGit(evil, "init", "--quiet");
  writeFileSync(join(evil, ".git/info/attributes"), "* filter=a=b\n");
  const settings = `[core]\n\tfsmonitor = ${hostile.canary}\n[filter "a=b"]\n\tclean = ${hostile.canary}\n`;
  writeFileSync(join(evil, ".git/config"), settings);
  const program = join(newFolder("program"), "agent");
  const script = [
    "cat > /dev/null",
    "echo changed > a.txt",
    "git update-index --skip-worktree a.txt",
    "git init --quiet lib && echo hidden > lib/hidden.txt",
    `echo 'gitdir: ${evil}/.git' > .git`,
    "echo done",
  ];
  writeFileSync(program, `#!/bin/sh\n${script.join("\n")}\n`);
  chmodSync(program, 0o755);
  const task = await openAgentTask({
    config: { agents: { "command:evil": { command: [program] } } },
    repository: hostile.path,
    attempt: { agent: "command:evil" },
  });
  const { id, status } = await task.run("go");
  expect(status).toBe("success");
  for (const path of [`/api/executions/${id}/diff`, `/api/attempts/${task.attempt.id}/diff`]) {
    const { files, nested } = await task.server.api.request<AttemptDiff>("GET", path);
    expect(files.map(({ filePath, additions }) => [filePath, additions])).toEqual([["a.txt", 1]]);
    expect(nested).toEqual(["lib"]);
  }
  await task.server.api.request("GET", `/api/attempts/${task.attempt.id}/diff-stat`);
  await task.server.api.request("GET", `/api/attempts/${task.attempt.id}/file-matches?q=a`);
  await task.server.api.request("DELETE", `/api/attempts/${task.attempt.id}?discard=true`);
  expect(existsSync(task.attempt.directory)).toBe(false);
  expect(existsSync(join(task.server.home, "git", task.attempt.id))).toBe(false);
  expect(hostile.fired()).toBe("");
});

test("[X10, X12] an agent that replaces its worktree with a link is not started there again, and the link's target stays", async () => {
  const outside = newFolder("outside");
  writeFileSync(join(outside, "precious.txt"), "keep me");
  const program = join(newFolder("program"), "agent");
  const steps = [`cp .git '${outside}/.git'`, 'here="$PWD"', "cd ..", 'mv "$here" "$here-moved"', `ln -s '${outside}' "$here"`];
  writeFileSync(program, `#!/bin/sh\ncat > /dev/null\necho started\n${steps.join("\n")}\n`);
  chmodSync(program, 0o755);
  const task = await openAgentTask({ config: { agents: { "command:evil": { command: [program] } } }, attempt: { agent: "command:evil" } });
  await task.run("go");
  expect(lstatSync(task.attempt.directory).isSymbolicLink()).toBe(true);

  const again = await task.run("go on");
  expect(again).toMatchObject({ status: "failed" });
  const said = await task.conversation();
  expect(said.filter(({ content }) => content === "started")).toHaveLength(1);
  expect(said.at(-1)?.content).toContain("was replaced by a link");

  await task.server.api.request("DELETE", `/api/attempts/${task.attempt.id}?discard=true`);
  expect(lstatSync(task.attempt.directory, { throwIfNoEntry: false })).toBeUndefined();
  expect(readFileSync(join(outside, "precious.txt"), "utf8")).toBe("keep me");
});
