import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { GitFolder } from "../git/git-folder.ts";
import { fetchLfsObjects } from "./fetch-lfs-objects.ts";

function fetchWith(script: string): Promise<string | undefined> {
  const directory = mkdtempSync(join(tmpdir(), "skein-fetch-"));
  const program = join(directory, "git-lfs");
  const commonDir = join(directory, ".git");
  mkdirSync(commonDir);
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const folder: GitFolder = { directory, gitDir: commonDir, commonDir, ownDir: commonDir, objectFormat: "sha1", refFormat: "files" };
  const url = "https://example.com/files";
  const source = { setting: "lfs.url", url, shown: url, hash: "" } as const;
  return fetchLfsObjects({ folder, commit: "HEAD", source, program, signal: new AbortController().signal });
}

test.each([
  ["exit 0", undefined],
  ["echo 'error: no such repository' >&2; exit 2", "error: no such repository"],
])("a download has ended with its program, also where a process that it left holds its stderr open: %s", async (end, failure) => {
  expect(await fetchWith(`setsid sleep 30 & ${end}`)).toBe(failure);
});
