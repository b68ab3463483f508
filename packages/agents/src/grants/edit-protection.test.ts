import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findEditProtection } from "./edit-protection.ts";

const directory = mkdtempSync(join(tmpdir(), "skein-edit-"));
for (const folder of ["scripts", ".git/hooks"]) mkdirSync(join(directory, folder), { recursive: true });
writeFileSync(join(directory, "scripts/hook.sh"), "");
symlinkSync("scripts", join(directory, "innocent"));
symlinkSync("scripts/hook.sh", join(directory, "link.sh"));
symlinkSync(".git", join(directory, "repository"));

test.each([
  "scripts/hook.sh",
  "./scripts/../scripts/hook.sh",
  "innocent/hook.sh",
  "link.sh",
  join(directory, "scripts/hook.sh"),
  "Scripts/HOOK.sh",
  "repository/hooks/pre-commit",
  ".vscode/tasks.json",
])("[X10, X16] an edit of %s is asked about: trusted settings run it, or it is protected", (path) => {
  expect(findEditProtection(path, { directory, trustedFiles: ["scripts/hook.sh"] })).not.toBeNull();
});

test.each(["scripts/other.sh", "hook.sh", "scripts/hook.sh/x", "/etc/hosts", ""])("an edit of %j is not", (path) => {
  expect(findEditProtection(path, { directory, trustedFiles: ["scripts/hook.sh"] })).toBeNull();
});
