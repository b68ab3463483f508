import type { BranchList } from "@skein/contracts";
import { type GitFolder, runOwnGit, tryOwnGit } from "./git-folder.ts";
import { syncHead } from "./own-git-dir.ts";

const mostBranches = 1000;
const own = "skein/";

/** Local and remote branches, most recent commit first; branches of attempts last. */
export async function listBranches(repository: GitFolder): Promise<BranchList> {
  await syncHead(repository);
  const current = await tryOwnGit(repository, ["symbolic-ref", "--short", "--quiet", "HEAD"]);
  const args = ["for-each-ref", "--sort=-committerdate", `--count=${mostBranches + 1}`, "--format=%(refname:lstrip=2)%00%(symref)"];
  const listed = (await runOwnGit(repository, [...args, "refs/heads", "refs/remotes"])).split("\n").filter(Boolean);
  // `origin/HEAD` is an alias of a listed branch: its target follows its name
  const names = listed
    .map((line) => line.split("\0"))
    .flatMap(([name = "", target]) => (target === "" ? [name] : []))
    .slice(0, mostBranches);
  const branches = [...names.filter((name) => !name.startsWith(own)), ...names.filter((name) => name.startsWith(own))];
  return { branches, current, truncated: listed.length > mostBranches };
}
