import { homedir, userInfo } from "node:os";
import path from "node:path";

/** The data dir: the flag, else `SKEIN_HOME`, else `~/.skein`. */
export function resolveHome(flag: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  const chosen = flag || env.SKEIN_HOME || path.join("~", ".skein");
  return path.resolve(chosen.replace(/^~(?=$|[\\/])/, findUserFolder));
}

/** A service or a container may run with an empty `HOME`; the data would then end up in the current folder. */
const findUserFolder = (): string => homedir() || userInfo().homedir;
