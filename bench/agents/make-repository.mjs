import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A git repository with one commit, below `folder`. */
export function makeRepository(folder) {
  const repository = path.join(folder, "repository");
  mkdirSync(repository);
  writeFileSync(path.join(repository, "README.md"), "# A repository\n");
  const git = (...args) => execFileSync("git", ["-c", "user.name=Bench", "-c", "user.email=bench@localhost", ...args], { cwd: repository });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "start");
  return repository;
}
