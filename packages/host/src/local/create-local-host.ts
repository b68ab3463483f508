import type { Host } from "../port/host.ts";
import { createLocalExecutions } from "./local-executions.ts";
import { createLocalWorkspaces } from "./local-workspaces.ts";

/**
 * The host that runs in the server's own process, with its folders in the data dir `home`.
 * @param input.searchPath a `PATH`: where programs of the user, such as `git-lfs`, are found
 * @param input.readRunnerSecret reads what the keys of runners are derived from. Called when the first agent is started or reached
 */
export function createLocalHost(input: { home: string; searchPath: string | undefined; readRunnerSecret(): string; now?(): number }): Host {
  const { home, searchPath, readRunnerSecret: readSecret, now = Date.now } = input;
  return {
    workspaces: createLocalWorkspaces({ home, searchPath, now }),
    executions: createLocalExecutions({ home, readSecret }),
  };
}
