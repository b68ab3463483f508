import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attemptIdSchema, createId } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { type HostileCase, type HostileRepository, hostileCases, newHostileRepository } from "@skein/testkit/hostile-repositories";
import { describe, expect, test } from "vitest";
import { recordExecutionTree, recordStartTree } from "../git/execution-trees.ts";
import { runOwnGit } from "../git/git-folder.ts";
import { type Attempt, type Operation, startAttempt } from "../git/hostile-operations.fixture.ts";
import { findTree } from "../git/own-git-dir.ts";
import { commitFiles } from "./commit-files.ts";
import { writeFolderTree } from "./folder-tree.ts";
import { findRef } from "./git-operation.ts";
import { ownIdentity, writeCommit } from "./identity.ts";
import { landBranch, undoLanding } from "./land-branch.ts";
import { pushBranch } from "./push-branch.ts";
import { readGitState } from "./read-git-state.ts";
import { abortUpdate } from "./resolve-conflict.ts";
import { discardChanges, restoreFiles } from "./restore-files.ts";
import { updateBranch } from "./update-branch.ts";

const attemptId = attemptIdSchema.parse("att_1");
const place = ({ folder, baseCommit }: Attempt) => ({ folder, attemptId, baseCommit, now: Date.now() });
let count = 0;

function change({ folder }: Attempt, name = `work-${++count}.txt`): void {
  writeFileSync(join(folder.directory, name), `${++count}\n`);
}

/** A commit on main by somebody else, without a program of the repository. `merge.txt` has a merge driver in one of the cases. */
async function advanceBase({ repository }: Attempt): Promise<void> {
  const from = await findRef(repository, "refs/heads/main^{commit}");
  if (from === null) throw new Error("no main");
  const id = (await runOwnGit(repository, ["hash-object", "-w", "--stdin"], { input: `${++count}\n` })).trim();
  const target = { index: join(repository.ownDir, `base-${count}`) };
  await runOwnGit(repository, ["read-tree", from], { target });
  const input = ["theirs.txt", "merge.txt"].map((name) => `100644 ${id}\t${name}\0`).join("");
  await runOwnGit(repository, ["update-index", "--add", "-z", "--index-info"], { target, input });
  const tree = (await runOwnGit(repository, ["write-tree"], { target })).trim();
  const commit = await writeCommit(repository, { tree, parents: [from], message: "theirs", committer: ownIdentity });
  await runOwnGit(repository, ["update-ref", "refs/heads/main", commit]);
}

const updateBy =
  (method: "rebase" | "merge"): Operation =>
  async (attempt) => {
    change(attempt, "merge.txt");
    await commitFiles({ ...place(attempt), message: "ours" });
    await advanceBase(attempt);
    const { outcome } = await updateBranch({ ...place(attempt), baseBranch: "main", method });
    if (outcome === "conflict") await abortUpdate(place(attempt));
  };

/** Everything that is done with the work of an attempt. */
const operations: Record<string, Operation> = {
  commit: async (attempt) => {
    change(attempt);
    await commitFiles({ ...place(attempt), message: "work" });
  },
  // before somebody else moves the branch that the user has checked out
  land: async (attempt) => {
    change(attempt);
    await commitFiles({ ...place(attempt), message: "work" });
    const { repository } = attempt;
    const landing = await landBranch({ ...place(attempt), repository, baseBranch: "main", method: "squash", message: "landed" });
    await undoLanding({ repository, attemptId, landing });
  },
  state: ({ folder, baseCommit }) =>
    readGitState({ folder, attemptId, isolation: "worktree", baseBranch: "main", baseCommit, isRunning: false, landing: null }),
  discard: async (attempt) => {
    change(attempt, "discarded.txt");
    await discardChanges({ ...place(attempt), files: [{ path: "discarded.txt" }] });
  },
  restore: async (attempt) => {
    const executionId = createId("exe", Date.now() + ++count);
    await recordStartTree({ ...attempt, executionId });
    change(attempt, "restored.txt");
    await recordExecutionTree({ ...attempt, executionId });
    const before = (await findTree(attempt.folder, `${executionId}.start`))?.tree ?? "";
    await restoreFiles({
      ...place(attempt),
      to: before,
      changes: [{ before, after: await writeFolderTree(attempt.folder, attempt.baseCommit) }],
    });
  },
  rebase: updateBy("rebase"),
  merge: updateBy("merge"),
  push: ({ folder }) => pushBranch({ folder, baseBranch: "main", remote: "ours" }),
  "push by ssh": ({ folder }) => pushBranch({ folder, baseBranch: "main", remote: "byssh" }),
};

async function attack(cases: readonly HostileCase[]): Promise<string[]> {
  const hostile = newHostileRepository();
  for (const { build } of cases) build?.(hostile);
  addRemotes(hostile);
  const attempt = await startAttempt(hostile, "worktree");
  for (const { asAgent } of cases) asAgent?.(hostile, attempt.folder.directory);
  hostile.forgetTrace();
  const done: string[] = [];
  for (const [name, operation] of Object.entries(operations)) {
    await operation(attempt).then(
      () => done.push(name),
      (error: unknown) => {
        // refused with a reason; anything else is a defect
        if (!(error instanceof ServiceError)) throw error;
      },
    );
    expect(hostile.fired(), name).toBe("");
  }
  return done;
}

function addRemotes({ path, outside }: HostileRepository): void {
  const remote = join(outside, "ours.git");
  mkdirSync(remote);
  execFileSync("git", ["init", "--quiet", "--bare", "--template=", remote]);
  const remotes = `[remote "ours"]\n\turl = ${remote}\n[remote "byssh"]\n\turl = ssh://git@127.0.0.1:1/o/r.git\n`;
  appendFileSync(join(path, ".git/config"), `\n[user]\n\tname = Ada\n\temail = ada@example.invalid\n${remotes}`);
}

const { fromTheRepository, byAnAgent } = hostileCases;
/** Skein refuses to commit where files are stored with Git LFS, and then there is nothing to land. */
const plain = fromTheRepository.filter(({ name }) => !name.includes("LFS"));

/** Nobody answers at the address of the remote for ssh. */
const allDone = Object.keys(operations)
  .filter((name) => name !== "push by ssh")
  .toSorted();
const isLong = process.env.SKEIN_TEST_LONG === "1";

describe("[X9, G2, G4, G5, G6] the work of a hostile repository is committed, updated, landed and pushed without starting anything of it", () => {
  test("with every trap in it", { timeout: 180_000 }, async () => {
    expect((await attack(plain)).toSorted()).toEqual(allDone);
  });

  // none of them keeps an operation from being done, so that one attempt proves all
  test("after everything that an agent can do in its folder without replacing .git", { timeout: 180_000 }, async () => {
    const done = await attack(byAnAgent.filter(({ destroysRepository }) => destroysRepository !== true));
    expect(done.toSorted()).toEqual(allDone);
  });

  test.each(byAnAgent.filter(({ destroysRepository }) => isLong || destroysRepository === true))(
    "$name",
    { timeout: 180_000 },
    async (one) => expect((await attack([one])).toSorted()).toEqual(allDone),
  );
});
