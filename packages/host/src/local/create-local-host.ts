import type { Host } from "../port/host.ts";
import { createLocalWorkspaces } from "./local-workspaces.ts";

/**
 * The host that runs in the server's own process, with its folders in the data dir `home`.
 * @param input.searchPath a `PATH`: where programs of the user, such as `git-lfs`, are found
 */
export function createLocalHost(input: { home: string; searchPath: string | undefined; now?(): number }): Host {
  return { workspaces: createLocalWorkspaces({ now: Date.now, ...input }) };
}
