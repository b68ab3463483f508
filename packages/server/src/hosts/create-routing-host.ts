import type { Storage } from "@skein/engine";
import type { Host } from "@skein/host";
import type { Logger } from "../logger.ts";
import { createWorkCarrier, type WorkCarrier } from "./carry-work.ts";
import type { HostDirectory } from "./host-directory.ts";
import { createHostLocator, type HostLocator } from "./locate-host.ts";
import { createRoutingExecutions } from "./routing-executions.ts";
import { createRoutingTerminals } from "./routing-terminals.ts";
import { createRoutingWorkspaces } from "./routing-workspaces.ts";

/** The host that services use: the server's own machine and all others, as one. */
export interface RoutingHost {
  host: Host;
  locator: HostLocator;
  carrier: WorkCarrier;
}

/** Sends each call to the machine that it is about. Projects, landing and pushing are on the server's own. */
export async function createRoutingHost(input: {
  local: Host;
  directory: HostDirectory;
  storage: Pick<Storage, "read" | "nodes" | "onCommitted">;
  logger: Logger;
}): Promise<RoutingHost> {
  const { local } = input;
  const locator = await createHostLocator(input);
  const carrier = createWorkCarrier(input);
  const host: Host = {
    workspaces: createRoutingWorkspaces({ ...input, locator, carrier }),
    executions: createRoutingExecutions({ ...input, locator }),
    agents: {
      list: (wanted) => local.agents.list(wanted),
      getProgram: async ({ agent, hostId }) => (hostId === undefined ? local : input.directory.get(hostId)).agents.getProgram({ agent }),
    },
    transfers: local.transfers,
    terminals: createRoutingTerminals({ ...input, locator }),
    get environment() {
      return local.environment;
    },
    startsAtOnce: local.startsAtOnce,
    measure: () => local.measure(),
  };
  return { host, locator, carrier };
}
