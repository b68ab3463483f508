import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { attemptIdSchema } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readOwnGitDir } from "../git/own-git-dir.ts";
import { commit, git, newRepository, newWorktree } from "../git/repository.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { readConflict } from "./conflict-state.ts";
import { recoverOperation } from "./git-operation.ts";
import { resolveFile } from "./resolve-conflict.ts";
import { writeSafetyRef } from "./safety-refs.ts";
import { updateBranch } from "./update-branch.ts";

const attemptId = attemptIdSchema.parse("att_1");
const program = join(import.meta.dirname, "__fixtures__/kill-program.ts");

/** A git that counts its calls and kills whoever called it, before or after it has done what it was called for. */
function writeKiller(folder: string): string {
  const real =
    process.env.PATH?.split(":")
      .map((path) => join(path, "git"))
      .find(existsSync) ?? "/usr/bin/git";
  const path = join(folder, "git");
  writeFileSync(
    path,
    `#!/bin/sh
n=$(( $(cat "$SKEIN_KILL_COUNT") + 1 )); echo $n > "$SKEIN_KILL_COUNT"
[ "$n" = "$SKEIN_KILL_AT" ] && [ "$SKEIN_KILL_WHEN" = before ] && kill -9 $PPID && exit 1
${real} "$@"; code=$?
[ "$n" = "$SKEIN_KILL_AT" ] && [ "$SKEIN_KILL_WHEN" = after ] && kill -9 $PPID
exit $code
`,
  );
  chmodSync(path, 0o755);
  return folder;
}

interface Scene {
  path: string;
  directory: string;
  ownDir: string;
  repositoryDir: string;
  baseCommit: string;
  extra: string;
  /** The repository, and the folders of Skein. */
  folders: string[];
}

/** May resolve with an argument for the operation. */
type Preparation = (scene: Scene) => Promise<unknown>;

async function prepare(set: Preparation): Promise<Scene> {
  const path = newRepository();
  git(path, "config", "user.name", "Ada");
  git(path, "config", "user.email", "ada@example.invalid");
  const { root, directory, ownDir, baseCommit, repository } = await newWorktree(path);
  const folders = [path, dirname(root), dirname(dirname(repository.ownDir))];
  const scene = { path, directory, ownDir, repositoryDir: repository.ownDir, baseCommit: baseCommit ?? "", extra: "", folders };
  return { ...scene, extra: String((await set(scene)) ?? "") };
}

/** Returns a function that restores the scene: to prepare another one takes two dozen calls of git. */
function keep({ path, directory, folders }: Scene): () => void {
  const kept = mkdtempSync(join(tmpdir(), "skein-scene-"));
  const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  for (const [index, folder] of folders.entries()) copy(folder, join(kept, String(index)));
  return () => {
    for (const [index, folder] of folders.entries()) {
      rmSync(folder, { recursive: true });
      copy(join(kept, String(index)), folder);
    }
    // the copies are other files than those that the indexes know
    for (const folder of [path, directory]) git(folder, "status", "--porcelain");
  };
}

async function place({ ownDir, baseCommit }: Scene) {
  const folder = await readOwnGitDir(ownDir);
  if (folder === undefined) throw new Error("no folder");
  return { folder, attemptId, baseCommit, now: 1 };
}

async function work(scene: Scene): Promise<void> {
  writeFileSync(join(scene.directory, "a.txt"), "mine\n");
  writeFileSync(join(scene.directory, "new.txt"), "new\n");
  await commitFiles({ ...(await place(scene)), message: "Mine" });
}

function advance({ path }: Scene, name: string): void {
  writeFileSync(join(path, name), "theirs\n");
  commit(path, "Theirs");
}

async function conflict(scene: Scene): Promise<void> {
  await workAndAdvance("a.txt")(scene);
  await updateBranch({ ...(await place(scene)), baseBranch: "main", method: "rebase" });
}

/** The base branch has moved as well: another file, or the same one. */
const workAndAdvance =
  (name: string): Preparation =>
  async (scene) => {
    await work(scene);
    advance(scene, name);
  };

const operations: Record<string, { name: string; prepare: Preparation }> = {
  commit: {
    name: "commit",
    async prepare(scene) {
      await work(scene);
      writeFileSync(join(scene.directory, "later.txt"), "later\n");
    },
  },
  "commit with hooks": {
    name: "commit with hooks",
    async prepare(scene) {
      await work(scene);
      writeFileSync(join(scene.directory, "later.txt"), "later\n");
      const hooks = join(scene.path, ".git/hooks");
      mkdirSync(hooks, { recursive: true });
      for (const name of ["pre-commit", "commit-msg", "post-commit"]) {
        writeFileSync(join(hooks, name), "#!/bin/sh\necho hooked\n");
        chmodSync(join(hooks, name), 0o755);
      }
    },
  },
  rebase: { name: "rebase", prepare: workAndAdvance("theirs.txt") },
  "rebase with a conflict": { name: "rebase", prepare: workAndAdvance("a.txt") },
  "finish of a rebase": {
    name: "finish",
    async prepare(scene) {
      await conflict(scene);
      await resolveFile({ ...(await place(scene)), path: "a.txt", content: "both\n" });
    },
  },
  abort: { name: "abort", prepare: conflict },
  land: { name: "land", prepare: workAndAdvance("theirs.txt") },
  restore: {
    name: "restore",
    async prepare(scene) {
      writeFileSync(join(scene.directory, "a.txt"), "before\n");
      const { safetyRef } = await writeSafetyRef({ ...(await place(scene)), before: "discard" });
      await work(scene);
      return safetyRef.ref;
    },
  },
};

function run(scene: Scene, name: string, killer: string, at: number, when: string): Promise<{ calls: number; signal: string | null }> {
  const count = join(killer, `count-${Math.random()}`);
  writeFileSync(count, "0");
  const { GIT_DIR: _, ...environment } = process.env;
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", program, name, scene.ownDir, scene.repositoryDir, scene.baseCommit, scene.extra],
      {
        stdio: ["ignore", "inherit", "inherit"],
        env: {
          ...environment,
          PATH: `${killer}:${process.env.PATH}`,
          SKEIN_KILL_COUNT: count,
          SKEIN_KILL_AT: String(at),
          SKEIN_KILL_WHEN: when,
        },
      },
    );
    child.once("exit", (_code, signal) => resolve({ calls: Number(readFileSync(count, "utf8")), signal }));
  });
}

/** Everything that users can see of the attempt and of their checkout. */
async function look(scene: Scene): Promise<object> {
  const { folder } = await place(scene);
  const state = (directory: string) => {
    const files = git(directory, "ls-files", "--cached", "--others").trim();
    return {
      status: git(directory, "status", "--porcelain"),
      commits: git(directory, "log", "--format=%T %s").trim(),
      files,
      contents: files
        .split("\n")
        .map((name) =>
          existsSync(join(directory, name)) ? readFileSync(join(directory, name), "utf8").replace(/^([<>]{7}) .*$/gm, "$1") : null,
        ),
    };
  };
  const open = await readConflict(folder);
  return { attempt: state(scene.directory), checkout: state(scene.path), conflict: open?.files.map(({ path }) => path) };
}

async function recover(scene: Scene): Promise<void> {
  for (const ownDir of [scene.ownDir, scene.repositoryDir]) {
    const folder = await readOwnGitDir(ownDir);
    if (folder === undefined) throw new Error("no folder");
    mkdirSync(join(dirname(ownDir), ".operations"), { recursive: true });
    await recoverOperation(folder, async () => writeSafetyRef({ ...(await place(scene)), before: "update" }));
    expect(readdirSync(join(dirname(ownDir), ".operations"))).toEqual([]);
    expect(existsSync(join(folder.gitDir, "index.lock"))).toBe(false);
  }
}

let killer = "";
beforeAll(() => {
  killer = writeKiller(realpathSync(mkdtempSync(join(tmpdir(), "skein-killer-"))));
});
afterAll(() => rmSync(killer, { recursive: true }));

/** Each call is a point; a short run takes some of them. */
const isLong = process.env.SKEIN_TEST_LONG === "1";

describe("killed at any git call", () => {
  it.each(Object.entries(operations))(
    "[Q18] %s leaves everything as before or as after, and the next start completes it",
    async (_title, operation) => {
      const scene = await prepare(operation.prepare);
      const before = await look(scene);
      const restore = keep(scene);
      const { calls, signal } = await run(scene, operation.name, killer, 0, "never");
      expect(signal).toBeNull();
      const after = await look(scene);
      expect(after).not.toEqual(before);
      expect(calls).toBeGreaterThan(5);
      let kept = 0;
      let done = 0;
      const step = isLong ? 1 : Math.max(1, Math.floor(calls / 4));
      // from the last one: few are after the refs have moved
      for (let at = calls; at >= 1; at -= step) {
        for (const when of isLong ? ["before", "after"] : ["after"]) {
          restore();
          const killed = await run(scene, operation.name, killer, at, when);
          expect(killed.signal, `call ${at}`).toBe("SIGKILL");
          await recover(scene);
          const found = await look(scene);
          if (JSON.stringify(found) === JSON.stringify(before)) kept++;
          else {
            expect(found, `killed ${when} call ${at} of ${calls}`).toEqual(after);
            done++;
          }
        }
      }
      expect(kept).toBeGreaterThan(0);
      expect(done).toBeGreaterThan(0);
    },
  );
});
