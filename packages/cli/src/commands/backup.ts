import { backUpDatabase, backUpDataDir } from "@skein/server";
import { exitCode } from "../exit-code.ts";
import { formatBytes } from "../format/bytes.ts";
import { resolveHome } from "../home.ts";

/** `skein backup`: all that is needed to come back, but worktrees. */
export async function backup(to: string | undefined, options: { home?: string; databaseOnly?: boolean }): Promise<number> {
  const home = resolveHome(options.home);
  const { path, bytes } = options.databaseOnly ? backUpDatabase({ home, to }) : backUpDataDir({ home, to });
  console.log(`Wrote ${path} (${formatBytes(bytes)}). To restore it: skein restore '${path}'`);
  if (!options.databaseOnly) {
    console.log("Worktrees are not in it: commit what you want to keep of them. config.json is, with the keys that you saved in it.");
  }
  return exitCode.success;
}
