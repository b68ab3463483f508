import { homedir } from "node:os";
import path from "node:path";

/** The data dir: the flag, else `SKEIN_HOME`, else `~/.skein`. */
export function resolveHome(flag: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  const chosen = flag ?? (env.SKEIN_HOME || path.join(homedir(), ".skein"));
  return path.resolve(chosen.replace(/^~(?=$|[\\/])/, homedir()));
}
