import { availableParallelism } from "node:os";
import type { HostAgents } from "../port/agents.ts";
import type { Host } from "../port/host.ts";
import { toAgentEnvironment } from "../runner/agent-environment.ts";
import { createCreations } from "./creations.ts";
import { toDataFolders } from "./data-folders.ts";
import { createGitFolders } from "./git-folders.ts";
import { createLocalExecutions } from "./local-executions.ts";
import { createLocalTerminals } from "./local-terminals.ts";
import { createLocalTransfers } from "./local-transfers.ts";
import { createLocalWorkspaces } from "./local-workspaces.ts";
import { createMeasurement } from "./measure-host.ts";

/**
 * Creates the host that runs in the server's own process and keeps its folders in the data dir `home`.
 * @param input.searchPath a `PATH` for the user's programs, such as `git-lfs`
 * @param input.agents for attempts that another server manages; default: none
 * @param input.readRunnerSecret reads the secret that control keys are derived from; called when the first agent is launched or attached
 */
export function createLocalHost(input: {
  home: string;
  searchPath: string | undefined;
  readRunnerSecret(): string;
  agents?: HostAgents;
}): Host {
  const { searchPath, readRunnerSecret: readSecret } = input;
  const folders = toDataFolders(input.home);
  const gitFolders = createGitFolders(folders.git);
  const creations = createCreations({ folders, gitFolders });
  return {
    workspaces: createLocalWorkspaces({ folders, gitFolders, creations, searchPath, now: Date.now }),
    executions: createLocalExecutions({ folders, creations, readSecret }),
    agents: input.agents ?? noAgents,
    terminals: createLocalTerminals({ folders, readSecret }),
    transfers: createLocalTransfers({ folders, gitFolders, creations }),
    get environment() {
      return toAgentEnvironment(process.env);
    },
    // one core is left to the server and to running agents
    startsAtOnce: Math.max(1, availableParallelism() - 1),
    measure: createMeasurement(folders),
  };
}

const noAgents: HostAgents = {
  list: async () => [],
  getProgram: ({ agent }) => Promise.reject(new Error(`This host has no agent ${agent}.`)),
};
