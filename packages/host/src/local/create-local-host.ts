import { availableParallelism } from "node:os";
import type { Host } from "../port/host.ts";
import { toAgentEnvironment } from "../runner/agent-environment.ts";
import { toDataFolders } from "./data-folders.ts";
import { createLocalExecutions } from "./local-executions.ts";
import { createLocalWorkspaces } from "./local-workspaces.ts";
import { createMeasurement } from "./measure-host.ts";

/**
 * Creates the host that runs in the server's own process and keeps its folders in the data dir `home`.
 * @param input.searchPath a `PATH` for the user's programs, such as `git-lfs`
 * @param input.readRunnerSecret reads the secret that control keys are derived from; called when the first agent is launched or attached
 */
export function createLocalHost(input: { home: string; searchPath: string | undefined; readRunnerSecret(): string }): Host {
  const { searchPath, readRunnerSecret: readSecret } = input;
  const folders = toDataFolders(input.home);
  return {
    workspaces: createLocalWorkspaces({ folders, searchPath, now: Date.now }),
    executions: createLocalExecutions({ folders, readSecret }),
    get environment() {
      return toAgentEnvironment(process.env);
    },
    // one core is left to the server and to running agents
    startsAtOnce: Math.max(1, availableParallelism() - 1),
    measure: createMeasurement(folders),
  };
}
