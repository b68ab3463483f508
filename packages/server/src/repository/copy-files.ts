import { constants } from "node:fs";
import { copyFile, glob, lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

const mostFiles = 5000;
const mostBytes = 500 * 1024 * 1024;

/**
 * Copies the files that `patterns` name from one folder into the other: regular files only, inside both by their real
 * paths, with their modes, and nothing that is there already. One sentence for each pattern that could not be followed.
 */
export async function copyFiles(input: { from: string; to: string; patterns: readonly string[] }): Promise<{ problems: string[] }> {
  const from = await realpath(input.from);
  const to = await realpath(input.to);
  const problems: string[] = [];
  const left = { files: mostFiles, bytes: mostBytes };
  for (const pattern of input.patterns) {
    const exclude = (name: string): boolean => isLeftOut(name, pattern);
    for await (const path of glob(pattern, { cwd: from, exclude })) {
      const copied = await copyOne({ source: join(from, path), from, target: join(to, path), to, left });
      if (copied === "too-much")
        return { problems: [...problems, `“${pattern}” names too many or too large files; some were not copied.`] };
      if (copied === "outside") problems.push(`“${path}” leads out of the repository and was not copied.`);
    }
  }
  return { problems };
}

/** Folders that a pattern means only when it says so. */
function isLeftOut(path: string, pattern: string): boolean {
  const name = path.slice(path.lastIndexOf(sep) + 1);
  return name === ".git" || (name === "node_modules" && !pattern.includes("node_modules"));
}

async function copyOne(input: {
  source: string;
  from: string;
  target: string;
  to: string;
  left: { files: number; bytes: number };
}): Promise<"copied" | "passed-over" | "outside" | "too-much"> {
  const { source, target, left } = input;
  const stats = await lstat(source).catch(() => undefined);
  if (stats === undefined || !stats.isFile()) return stats?.isSymbolicLink() ? "outside" : "passed-over";
  if (!isInside(input.from, await realpath(source)) || !(await hasParentInside(input.to, target))) return "outside";
  if (left.files === 0 || left.bytes < stats.size) return "too-much";
  left.files -= 1;
  left.bytes -= stats.size;
  await mkdir(dirname(target), { recursive: true });
  try {
    await copyFile(source, target, constants.COPYFILE_EXCL);
    return "copied";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return "passed-over";
    throw error;
  }
}

/** The nearest folder above it that exists: what is missing below it is made inside. */
async function hasParentInside(root: string, target: string): Promise<boolean> {
  for (let folder = dirname(target); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined) return real === root || isInside(root, real);
    if (folder === dirname(folder)) return false;
  }
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root + sep);
}
