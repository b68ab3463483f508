import type { ExcludedFiles } from "@skein/contracts";
import { decodeBytes } from "./byte-path.ts";
import type { GitTarget } from "./git-environment.ts";
import { type GitFolder, runOwnGit } from "./git-folder.ts";

const maxListed = 1000;

/** New files and folders that an ignore rule keeps out of the diff. A folder that is ignored as a whole is one entry. */
export async function listExcluded(folder: GitFolder, { index }: Pick<GitTarget, "index">): Promise<ExcludedFiles> {
  const which = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  const target = index === undefined ? {} : { index };
  const output = await runOwnGit(folder, which, { target, encoding: "latin1" });
  const paths: string[] = [];
  let folderAbove = "\0";
  for (const path of output.split("\0").toSorted()) {
    // git lists a folder and also its entries: drop the entries
    if (path === "" || path.startsWith(folderAbove)) continue;
    if (path.endsWith("/")) folderAbove = path;
    paths.push(path);
  }
  return { total: paths.length, paths: paths.slice(0, maxListed).map((path) => decodeBytes(path).text) };
}
