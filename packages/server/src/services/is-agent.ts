import type { Actor } from "@skein/contracts";
import type { ConnectionPeer } from "@skein/host";
import type { ServiceContext } from "./service-context.ts";

/** Whether a request comes from an agent: with the token of its execution, or from one of its processes. */
export async function isAgent(
  { storage, host }: Pick<ServiceContext, "storage" | "host">,
  peer: ConnectionPeer | undefined,
  by: Actor | undefined,
): Promise<boolean> {
  if (by?.agent !== undefined) return true;
  if (peer === undefined) return false;
  const running = (await storage.read.listRunningExecutions()).map((execution) => execution.id);
  return (await host.executions.findPeer({ peer, running })) !== null;
}
