import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileSelection } from "@skein/contracts";
import { attemptIdSchema } from "@skein/contracts";
import { diffFolder } from "../git/attempt-diff.ts";
import { commit, git, newRepository, newWorktree } from "../git/repository.fixture.ts";

/** The attempt of every test. */
export const attemptId = attemptIdSchema.parse("att_1");
/** The numbers from one to another, as lines. */
export const numbers = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
/** Lines as the text of a file. */
export const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** A worktree of a repository with `long.txt`, and what tests do there. */
export async function startAttempt() {
  const path = newRepository();
  git(path, "config", "user.name", "Ada");
  git(path, "config", "user.email", "ada@example.invalid");
  writeFileSync(join(path, "long.txt"), text(numbers(1, 40)));
  commit(path, "numbers");
  const worktree = await newWorktree(path);
  const { folder, directory, baseCommit } = worktree;
  const place = { folder, attemptId, baseCommit };
  let now = 1000;
  return {
    path,
    ...worktree,
    place,
    next: () => ({ ...place, now: now++ }),
    write: (name: string, content: string) => writeFileSync(join(directory, name), content),
    read: (name: string) => readFileSync(join(directory, name), "utf8"),
    status: () => git(directory, "status", "--porcelain"),
    select: async (name: string, pick: number[]): Promise<FileSelection> => {
      const { files } = await diffFolder(folder, { baseCommit });
      const hunks = files.find(({ filePath }) => filePath === name)?.hunks ?? [];
      return { path: name, hunks: pick.map((at) => hunks[at] as (typeof hunks)[number]) };
    },
  };
}
