import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function newFolder(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `skein-${name}-`)));
}

/** A small git repository with one commit, on any machine: nothing of the user's git settings is needed. */
export function newRepository(name = "repo", folder = newFolder("repositories")): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "README.md"), "# Example\n\nA small repository to try things in.\n");
  writeFileSync(join(path, "hello.js"), 'export function hello(name) {\n  return "Hello, " + name;\n}\n');
  git(path, "init", "--quiet", "--initial-branch=main");
  git(path, "add", "--all");
  git(path, "commit", "--quiet", "--message", "first");
  return path;
}

/** Without maintenance: each commit would start another git, which finds nothing to do. */
const settings = ["user.name=Test", "user.email=test@example.invalid", "maintenance.auto=false"].flatMap((setting) => ["-c", setting]);

export function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", [...settings, ...args], { cwd, encoding: "utf8" });
}
