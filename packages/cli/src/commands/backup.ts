import { statSync } from "node:fs";
import { backUpDatabase } from "@skein/server";
import { exitCode } from "../exit-code.ts";
import { formatBytes } from "../format/bytes.ts";
import { resolveHome } from "../home.ts";

/** `skein backup`: the database. Logs and worktrees stay where they are, and a restore keeps them. */
export async function backup(file: string | undefined, options: { home?: string }): Promise<number> {
  const written = backUpDatabase({ home: resolveHome(options.home), to: file });
  console.log(`Wrote ${written} (${formatBytes(statSync(written).size)}). To restore it: skein restore '${written}'`);
  return exitCode.success;
}
