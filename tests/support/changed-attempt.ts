import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RealServer } from "./real-server.ts";
import { git, newRepository } from "./repository.ts";
import { newScriptedModel } from "./scripts.ts";

/** The contents of files, by path. */
type Files = Record<string, string | Buffer>;

/** Writes files, and the folders that they need. */
function writeFiles(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** An attempt in a repository with the files `before`, whose folder has the changes `after`. Its agent answers with `answer`. */
export async function newChangedAttempt(
  { api }: RealServer,
  { title, before, after = {}, answer = "Read." }: { title: string; before: Files; after?: Files; answer?: string },
) {
  const repository = newRepository("atlas");
  writeFiles(repository, before);
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "sources");
  const task = await api.createTask((await api.createProject(repository)).id, title);
  const { id, directory } = await api.createAttempt(task.id, { model: newScriptedModel([{ text: answer }]) });
  writeFiles(directory, after);
  return { taskId: task.id, attemptId: id, directory, put: (files: Files) => writeFiles(directory, files) };
}
