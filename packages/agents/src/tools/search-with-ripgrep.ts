import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, posix } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { Workspace, WorkspacePath } from "../workspace/workspace.ts";
import { type SearchQuery, toMatch } from "./search-match.ts";

/** An absolute path: a program of that name in the working folder must never run. */
export function findRipgrep(path: string | undefined): string | undefined {
  for (const folder of (path ?? "").split(delimiter).filter((entry) => isAbsolute(entry))) {
    const file = join(folder, "rg");
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

const textSchema = z.object({ text: z.string() });
const matchSchema = z.object({
  type: z.literal("match"),
  data: z.object({ path: textSchema, lines: textSchema, line_number: z.int().positive() }),
});

/** Resolves with ripgrep's error message, if any. */
export async function searchWithRipgrep(
  program: string,
  workspace: Workspace,
  folder: WorkspacePath,
  query: SearchQuery,
): Promise<string | undefined> {
  // Started inside the open folder instead of with its name: ripgrep follows a symlink that is named as the search root.
  const directory = await workspace.openDirectory(folder.absolute);
  try {
    return await search(program, directory.path, folder.relative, query);
  } finally {
    await directory.close();
  }
}

async function search(program: string, cwd: string, prefix: string, query: SearchQuery): Promise<string | undefined> {
  const filter = query.glob === undefined ? [] : ["--glob", query.glob];
  // --no-config: a settings file could name a program to run on every file.
  const options = ["--json", "--no-config", "--hidden", "--no-require-git", "--sort", "path", ...filter, "--glob", "!.git"];
  const child = spawn(program, [...options, "--regexp", query.pattern, "--", "."], {
    cwd,
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    signal: query.signal,
  });
  let complaint = "";
  child.stderr.on("data", (bytes: Buffer) => {
    if (complaint.length < 2000) complaint += bytes.toString();
  });
  const closed = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    const match = matchSchema.safeParse(parseJson(line));
    if (!match.success) continue;
    const { path, lines, line_number } = match.data.data;
    if (!query.onMatch(toMatch(posix.join(prefix, path.text), line_number, lines.text))) child.kill();
  }
  const exitCode = await closed;
  query.signal.throwIfAborted();
  return exitCode === 2 && complaint !== "" ? complaint.trim() : undefined;
}

/** A killed ripgrep may leave a partial line. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
