import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionGrant } from "@skein/contracts";
import { afterAll } from "vitest";
import { isAllowed } from "./grants.ts";

export interface WorktreeFixture {
  /** The attempt's folder. */
  directory: string;
  /** A file next to it that no command may read. */
  token: string;
  /** Whether the grants allow a command. `$TOKEN` stands for the file outside, `$WORKTREE` for the folder. */
  tryCommand(command: string, grants: readonly PermissionGrant[], cwd?: string): boolean;
}

/** Grants for programs: as stored by earlier versions, and as “always” stores them for listed programs. */
export const grantFor = (...programs: string[]) =>
  programs.map((program) => ({ type: "read-only-command", tool: "bash", program }) as const);

/**
 * A worktree with `a.txt`, `src/b.ts` and `.git`; `leak` and `src/leak` are links to a file outside, `away` to the folder outside,
 * `nowhere` is dangling. For a whole test file.
 */
export function createWorktreeFixture(): WorktreeFixture {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "skein-grants-")));
  afterAll(() => rmSync(outside, { recursive: true, force: true }));
  const directory = join(outside, "worktree");
  const token = join(outside, "token");
  mkdirSync(join(directory, "src"), { recursive: true });
  writeFileSync(token, "secret\n");
  writeFileSync(join(directory, "a.txt"), "a\n");
  writeFileSync(join(directory, "src/b.ts"), "b\n");
  writeFileSync(join(directory, ".git"), "gitdir: elsewhere\n");
  symlinkSync(token, join(directory, "leak"));
  symlinkSync(token, join(directory, "src/leak"));
  symlinkSync(outside, join(directory, "away"));
  symlinkSync(join(outside, "missing"), join(directory, "nowhere"));
  return {
    directory,
    token,
    tryCommand(command, grants, cwd) {
      const text = command.replaceAll("$TOKEN", token).replaceAll("$WORKTREE", directory);
      return isAllowed(
        grants,
        { type: "command", tool: "bash", command: text, ...(cwd === undefined ? {} : { cwd: `${directory}/${cwd}` }) },
        { directory },
      );
    },
  };
}
