import type { AttemptId } from "@skein/contracts";
import type { Host, Terminals } from "@skein/host";
import type { HostDirectory } from "./host-directory.ts";
import type { HostLocator } from "./locate-host.ts";
import { whileAlone } from "./routing-executions.ts";

/** Sends calls about terminals to the host of their attempt. */
export function createRoutingTerminals(input: { local: Host; directory: HostDirectory; locator: HostLocator }): Terminals {
  const { directory, locator } = input;
  const local = input.local.terminals;

  async function hostOf({ attemptId }: { attemptId: AttemptId }): Promise<Terminals> {
    const hostId = await locator.ofAttempt(attemptId);
    return hostId === null ? local : directory.get(hostId).terminals;
  }

  const routed: Terminals = {
    list: async (wanted) => (await hostOf(wanted)).list(wanted),
    open: async (order) => (await hostOf(order)).open(order),
    read: async (wanted) => (await hostOf(wanted)).read(wanted),
    write: async (order) => (await hostOf(order)).write(order),
    resize: async (order) => (await hostOf(order)).resize(order),
    close: async (order) => (await hostOf(order)).close(order),
    startDev: async (order) => (await hostOf(order)).startDev(order),
    stopDev: async (order) => (await hostOf(order)).stopDev(order),
    findDev: async (wanted) => (await hostOf(wanted)).findDev(wanted),
    end: async (order) => (await hostOf(order)).end(order),
    remove: async (order) => (await hostOf(order)).remove(order),
    listAttempts: () => local.listAttempts(),
  };
  return whileAlone(directory, local, routed);
}
