import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export interface WorktreeFixture {
  /** The attempt's folder. */
  directory: string;
  /** A file next to it that no command may read. */
  token: string;
}

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
  return { directory, token };
}
