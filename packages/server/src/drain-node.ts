import type { DrainProgress, HostId } from "@skein/contracts";
import type { StorageNodes } from "@skein/engine";
import { z } from "zod";
import type { ExecutionSupervisor } from "./executions/execution-supervisor.ts";
import type { HostDirectory } from "./hosts/host-directory.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Logger } from "./logger.ts";
import type { NodeMembership } from "./nodes/join-nodes.ts";

/** A worker that returns although it knows other servers could not reach them: it is asked again after a while. */
const askAgainMs = 60_000;

/** Whether a worker was started with the addresses of several servers. */
const factsSchema = z.looseObject({ knowsOthers: z.literal(true) });

/** What a server that is being drained does, and what it still has. */
export interface NodeDrain {
  progress(): DrainProgress;
  /** Hands over what other servers can do. Called with every renewal of the lease. */
  handOver(): Promise<void>;
}

/**
 * Workers are asked to connect to another server; the executions on those that did continue under that server. Agents on this server's
 * machine stay: they finish, or continue when it is back.
 */
export function createNodeDrain(input: {
  nodes: StorageNodes;
  membership: NodeMembership;
  supervisor: Pick<ExecutionSupervisor, "countOwned" | "transfer">;
  directory: Pick<HostDirectory, "list" | "findDirect" | "disconnect">;
  jobs: Pick<Jobs, "countRunning">;
  logger: Logger;
  now(): number;
}): NodeDrain {
  const { nodes, membership, supervisor, directory, logger, now } = input;
  const asked = new Map<HostId, number>();
  const listDirect = () => directory.list().filter(({ stored: { id } }) => directory.findDirect(id) !== undefined);

  function askWorkers(): void {
    for (const { stored, connection } of listDirect()) {
      const last = asked.get(stored.id);
      const knowsOthers = factsSchema.safeParse(connection?.facts).success;
      if (last !== undefined && (!knowsOthers || now() - last < askAgainMs)) continue;
      asked.set(stored.id, now());
      logger.info("a worker is asked to connect to another server", { hostId: stored.id, name: stored.name });
      directory.disconnect(stored.id, "this server is being drained");
    }
  }

  return {
    progress: () => ({ ...supervisor.countOwned(), jobs: input.jobs.countRunning(), workers: listDirect().length }),
    async handOver() {
      if (!membership.isDraining()) return asked.clear();
      if (membership.hasOthers()) askWorkers();
      for (const id of await nodes.listTransferable()) {
        if (await supervisor.transfer(id)) logger.info("another server follows an execution from now on", { executionId: id });
      }
    },
  };
}
