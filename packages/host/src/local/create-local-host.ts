import type { Host } from "../port/host.ts";
import { createLocalExecutions } from "./local-executions.ts";
import { createLocalWorkspaces } from "./local-workspaces.ts";

/**
 * Creates the host that runs in the server's own process and keeps its folders in the data dir `home`.
 * @param input.searchPath a `PATH` for the user's programs, such as `git-lfs`
 * @param input.readRunnerSecret reads the secret that control keys are derived from; called when the first agent is launched or attached
 */
export function createLocalHost(input: { home: string; searchPath: string | undefined; readRunnerSecret(): string; now?(): number }): Host {
  const { home, searchPath, readRunnerSecret: readSecret, now = Date.now } = input;
  return {
    workspaces: createLocalWorkspaces({ home, searchPath, now }),
    executions: createLocalExecutions({ home, readSecret }),
  };
}
