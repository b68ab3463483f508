import { backUpDatabase, backUpDataDir } from "@skein/server";
import { exitCode } from "../exit-code.ts";
import { formatBytes } from "../format/bytes.ts";
import { resolveHome } from "../home.ts";

/** `skein backup`: copies everything that a restore needs, except for worktrees. */
export async function backup(to: string | undefined, options: { home?: string; databaseOnly?: boolean }): Promise<number> {
  const home = resolveHome(options.home);
  const { path, bytes } = options.databaseOnly ? backUpDatabase({ home, to }) : backUpDataDir({ home, to });
  console.log(`Wrote ${path} (${formatBytes(bytes)}). To restore it: skein restore '${path}'`);
  if (!options.databaseOnly) {
    console.log("It does not contain worktrees: commit what you want to keep. It does contain config.json, with the API keys saved there.");
  }
  return exitCode.success;
}
