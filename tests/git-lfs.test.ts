import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AttemptDiff, ProjectScripts } from "@skein/contracts";
import { expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const content = "the real content of a large file\n";
const oid = createHash("sha256").update(content).digest("hex");
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;

test("[X9] files of Git LFS are pointers, and Skein says so; a trusted setup script gets them, and the diff compares their content", async () => {
  // as an installed Git LFS has it in the user's own settings: it must not start by itself
  const canary = join(newFolder("canary"), "ran");
  const home = newFolder("home");
  writeFileSync(join(home, ".gitconfig"), `[filter "lfs"]\n\tsmudge = touch ${canary}\n\tclean = touch ${canary}\n\trequired = true\n`);
  const repository = newRepository();
  writeFileSync(join(repository, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  writeFileSync(join(repository, "large.bin"), pointer);
  mkdirSync(join(repository, ".skein"));
  // stands for `git lfs pull`
  writeFileSync(join(repository, ".skein/project.json"), JSON.stringify({ setup: `printf '%s\\n' '${content.trim()}' > large.bin` }));
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "files");

  const { api } = await startRealServer({ home });
  const project = await api.createProject(repository);
  const stream = await openEventStream(api);
  const work = async (model: string) => {
    const task = await api.createTask(project.id);
    const attempt = await api.createAttempt(task.id, { model });
    const { executionId } = await api.send(task.id, "go");
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    const diff = await api.request<AttemptDiff>("GET", `/api/attempts/${attempt.id}/diff`);
    const said = JSON.stringify((await api.conversation(task.id)).messages);
    return { file: readFileSync(join(attempt.directory, "large.bin"), "utf8"), changed: diff.files.map(({ filePath }) => filePath), said };
  };
  const nothing = newScriptedModel([{ text: "Done." }]);

  const untrusted = await work(nothing);
  expect([untrusted.file, untrusted.changed]).toEqual([pointer, []]);
  expect(untrusted.said).toContain("Git LFS");

  const { hash } = await api.request<ProjectScripts>("GET", `/api/projects/${project.id}/scripts`);
  await api.request("POST", `/api/projects/${project.id}/scripts/trust`, { hash });
  const trusted = await work(nothing);
  expect([trusted.file, trusted.changed]).toEqual([content, []]);

  const edited = await work(newScriptedModel([{ toolCalls: [bash("echo more >> large.bin")] }, { text: "Done." }]));
  expect(edited.changed).toEqual(["large.bin"]);
  expect(() => readFileSync(canary)).toThrow();
  stream.close();
});
