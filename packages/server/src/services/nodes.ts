import type { ServerNode } from "@skein/contracts";
import { ServiceError, type StoredNode } from "@skein/engine";
import type { NodeService } from "./server-services.ts";
import type { ServiceContext } from "./service-context.ts";

/** Lists the servers that share the database, and gives up one. */
export function createNodeService({ storage, node, hub }: ServiceContext): NodeService {
  const toServerNode = ({ id, name, version, state, isAlive, startedAt, seenAt, runningExecutions, ...rest }: StoredNode): ServerNode => ({
    ...{ id, name, version, startedAt, seenAt, runningExecutions },
    // its lease has ended, and no other server has noticed yet
    state: state === "active" && !isAlive ? "lost" : state,
    isOwn: id === storage.nodes?.id,
    isDraining: rest.isDraining,
    drain: isAlive ? rest.drain : null,
    canStop: isAlive && rest.drain !== null && rest.drain.agents + rest.drain.following + rest.drain.jobs === 0,
  });

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
      return nodes.map(toServerNode);
    },
    async update(id, { draining }) {
      if (node === undefined || storage.nodes === undefined) throw new ServiceError("conflict", { code: "nodes-not-shared" });
      await node.membership.setDraining(id, draining);
      const changed = (await storage.nodes.list()).find((one) => one.id === id);
      if (changed === undefined) throw new ServiceError("not-found", { code: "node-not-found", id });
      return toServerNode(changed);
    },
    async remove(id) {
      if (node === undefined) throw new ServiceError("conflict", { code: "nodes-not-shared" });
      await node.membership.remove(id);
    },
  };
}
