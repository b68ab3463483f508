import { ServiceError } from "@skein/engine";
import type { NodeService } from "./server-services.ts";
import type { ServiceContext } from "./service-context.ts";

/** Lists the servers that share the database, and gives up one. */
export function createNodeService({ storage, node, hub }: ServiceContext): NodeService {
  return {
    async followLive(listener) {
      let after = await storage.read.getLastSeq();
      const stop = hub.subscribe((delivery) => {
        if (delivery.seq !== undefined) after = Math.max(after, delivery.seq);
        else if (!node?.relay.isRelayed(delivery)) listener({ after, event: delivery.event });
      });
      for (const { event } of node?.ownDeliveries() ?? []) listener({ after, event });
      return stop;
    },
    async list() {
      const nodes = (await storage.nodes?.list()) ?? [];
      return nodes.map(({ id, name, version, state, isAlive, startedAt, seenAt, runningExecutions }) => ({
        ...{ id, name, version, startedAt, seenAt, runningExecutions },
        // its lease has ended, and no other server has noticed yet
        state: state === "active" && !isAlive ? "lost" : state,
        isOwn: id === storage.nodes?.id,
      }));
    },
    async remove(id) {
      if (node === undefined) throw new ServiceError("conflict", { code: "nodes-not-shared" });
      await node.membership.remove(id);
    },
  };
}
