import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assertComplete } from "./packs.ts";
import { git } from "./repository.fixture.ts";

test("[W3] objects are checked while another attempt's worktree is being made next to them", async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "skein-packs-")));
  git(directory, "init", "--quiet", "--initial-branch=main");
  git(directory, "commit", "--quiet", "--allow-empty", "--message", "first");
  const head = git(directory, "rev-parse", "HEAD").trim();
  const ownDir = join(directory, ".git");
  git(directory, "worktree", "add", "--quiet", join(directory, "other"));
  // as git leaves it until the worktree has its branch
  writeFileSync(join(ownDir, "worktrees", "other", "HEAD"), `${"0".repeat(40)}\n`);
  const repository = { directory, gitDir: ownDir, commonDir: ownDir, objectFormat: "sha1" as const, refFormat: "files" as const, ownDir };
  await assertComplete(repository, [head]);
  await expect(assertComplete(repository, ["1".repeat(40)])).rejects.toThrow("1111");
});
