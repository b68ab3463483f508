import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keepEnd, ServiceError } from "@skein/engine";
import { type GitFolder, runOwnGit } from "../git/git-folder.ts";
import { checkoutTimeoutMs } from "../git/own-git-dir.ts";
import { withScratch } from "../git/scratch.ts";
import { runScript } from "../runner/run-script.ts";
import { writeTree } from "./folder-tree.ts";
import { findHook, type HookName, readHooks } from "./read-hooks.ts";
import { toShellCommand } from "./shell-command.ts";

const timeoutMinutes = 10;
const keptCharacters = 8000;

/** Hooks that the user trusts as they were read, and the environment that they run in. */
export interface TrustedHooks {
  /** `ReadHooks.hash`. If the hooks or settings are different by now, none is run. */
  hash: string;
  environment: Readonly<Record<string, string>>;
}

/** Runs the hooks of one operation and collects what they print. */
export interface HookRun {
  /** The end of what the hooks printed. */
  readonly output: string;
  /** Resolves with false if there is no such hook. Rejects with a `ServiceError` if it fails or does not end. */
  run(name: HookName, options?: { args?: readonly string[]; input?: string; index?: string }): Promise<boolean>;
}

/** Rejects with code `hooks-changed` if the hooks are not the trusted ones any more. */
export async function openHooks(folder: GitFolder, trusted: TrustedHooks): Promise<HookRun> {
  if ((await readHooks(folder)).hash !== trusted.hash) throw new ServiceError("conflict", { code: "hooks-changed" });
  let output = "";
  return {
    get output() {
      return output;
    },
    async run(name, { args = [], input, index } = {}) {
      const path = await findHook(folder, name);
      if (path === undefined) return false;
      const command = toShellCommand(path, ...args);
      let printed = "";
      const { ended } = runScript(
        {
          script: input === undefined ? `exec ${command}` : `${toShellCommand("printf", "%s", input)} | ${command}`,
          cwd: folder.directory,
          environment: { ...trusted.environment, ...toHookEnvironment(folder, index) },
          timeoutMs: timeoutMinutes * 60_000,
          marker: `hook-${randomUUID()}`,
        },
        (_stream, text) => {
          printed = keepEnd(printed + text, keptCharacters);
        },
      );
      const { exitCode, timedOut, startError } = await ended;
      output = keepEnd(output + printed, keptCharacters);
      if (timedOut) throw new ServiceError("conflict", { code: "hook-timed-out", hook: name, minutes: timeoutMinutes });
      if (exitCode !== 0) throw new ServiceError("conflict", { code: "hook-refused", hook: name, output: (startError ?? printed).trim() });
      return true;
    },
  };
}

/** As git sets it. The worktree's `.git` and the file that names the repository are not read: an agent can replace them. */
function toHookEnvironment({ gitDir, commonDir, directory }: GitFolder, index: string | undefined): Record<string, string> {
  return {
    ...{ GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir, GIT_WORK_TREE: directory, GIT_PREFIX: "", GIT_EDITOR: ":", GIT_TERMINAL_PROMPT: "0" },
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  };
}

/** The hooks before a commit. They may change its files by the index, and its message. */
export function runCommitHooks(
  folder: GitFolder,
  hooks: HookRun,
  { tree, message }: { tree: string; message: string },
): Promise<{ tree: string; message: string }> {
  return withScratch(folder, async ({ index }) => {
    const target = { index };
    await runOwnGit(folder, ["read-tree", tree], { target });
    await runOwnGit(folder, ["update-index", "-q", "--refresh"], { target, timeoutMs: checkoutTimeoutMs }).catch(() => {
      // it fails when files differ, having written what it found
    });
    const hasRun = await hooks.run("pre-commit", { index });
    const file = join(dirname(index), "COMMIT_EDITMSG");
    await writeFile(file, message, { mode: 0o600 });
    await hooks.run("prepare-commit-msg", { args: [file, "message"], index });
    await hooks.run("commit-msg", { args: [file], index });
    return { tree: hasRun ? await writeTree(folder, index) : tree, message: await readFile(file, "utf8") };
  });
}
