import type { StoredHost } from "@skein/contracts";
import type { Storage, StorageNodes } from "@skein/engine";
import type { ConnectedHost, Host } from "@skein/host";
import { z } from "zod";
import type { Config } from "./config/load-config.ts";
import { readLaunches } from "./data-dir/launch-journal.ts";
import { defaultNodeName } from "./data-dir/node-id.ts";
import { createNodeDrain } from "./drain-node.ts";
import type { EventHub } from "./events/event-hub.ts";
import type { ExecutionSupervisor } from "./executions/execution-supervisor.ts";
import { followOthers } from "./executions/follow-others.ts";
import type { HostDirectory } from "./hosts/host-directory.ts";
import { openSharedLink } from "./hosts/open-shared-link.ts";
import type { WorkerService } from "./hosts/worker-service.ts";
import { createForwardRequest, type ForwardRequest } from "./http/nodes/forward-request.ts";
import { openSharedSessions } from "./http/nodes/shared-sessions.ts";
import type { SessionStore } from "./http/security/sessions.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Logger } from "./logger.ts";
import { joinNodes, type NodeMembership } from "./nodes/join-nodes.ts";
import { createLiveRelay, type LiveRelay } from "./nodes/live-relay.ts";
import { nodeHeader } from "./nodes/node-header.ts";
import { version } from "./version.ts";

const defaultGiveUpMs = 10 * 60_000;

/** Everything that a server does because others share its database. */
export interface OpenNode {
  membership: NodeMembership;
  relay: LiveRelay;
  http: { secret: string; forward: ForwardRequest; redeem(code: string): Promise<boolean> };
  sessionStore: SessionStore;
  /** Begins to own executions. Call it when everything that was left by an earlier process has been found. */
  start(parts: {
    supervisor: ExecutionSupervisor;
    workers: Pick<WorkerService, "synchronise">;
    directory: HostDirectory;
    jobs: Pick<Jobs, "countRunning">;
  }): Promise<void>;
  /** Connects to a worker that is connected to another server; undefined if that server is not alive. */
  openRemote(host: StoredHost): Promise<ConnectedHost | undefined>;
}

export interface OpenNodeInput {
  storage: Storage;
  nodes: StorageNodes;
  hub: EventHub;
  host: Host;
  home: string;
  config: Config;
  leaseMs: number;
  logger: Logger;
}

/** Registers this server. Until then, nothing can be written. */
export async function openNode(input: OpenNodeInput): Promise<OpenNode> {
  const { storage, nodes, config, logger, leaseMs } = input;
  const name = config.node?.name ?? defaultNodeName();
  const giveUpMs = config.node?.giveUpMinutes === undefined ? defaultGiveUpMs : config.node.giveUpMinutes * 60_000;
  const instance = await storage.read.findInstance();
  const membership = await joinNodes({ nodes, name, version, leaseMs, giveUpMs, logger });
  const wasUsedHere = instance !== undefined && readLaunches(input.home).epochs.includes(instance.epoch);
  if (wasUsedHere || membership.list().length === 1) await nodes.adopt();
  const secret = await nodes.readSecret();

  async function redeem(code: string): Promise<boolean> {
    const others = membership.list().filter(({ id, isAlive }) => isAlive && id !== nodes.id);
    const answers = await Promise.all(others.map(({ internalUrl }) => redeemAt(internalUrl, { secret, code, timeoutMs: leaseMs })));
    return answers.includes(true);
  }

  /** The agents of executions that were given up while this server was away: their end is saved, and nothing reads their output. */
  async function endGivenUp(): Promise<void> {
    const { executions } = input.host;
    for (const id of await executions.listSockets()) {
      const execution = await storage.read.findExecution({ id });
      if (execution === undefined || execution.status === "running" || !(await executions.isRunning({ id }))) continue;
      logger.warn("the agent of an execution that was given up is stopped", { executionId: id });
      await executions.kill({ id });
    }
  }

  return {
    membership,
    relay: createLiveRelay({ hub: input.hub, membership, lastSeq: await storage.read.getLastSeq(), secret, logger }),
    http: { secret, forward: createForwardRequest({ nodes, membership, secret, logger }), redeem },
    sessionStore: await openSharedSessions({ nodes, membership, logger }),
    openRemote: (host) => openSharedLink(host, { membership, secret, timeoutMs: leaseMs }),
    async start({ supervisor, workers, directory, jobs }) {
      const drain = createNodeDrain({ nodes, membership, supervisor, directory, jobs, logger, now: Date.now });
      followOthers({ storage, supervisor });
      await endGivenUp();
      membership.start({
        release: () => supervisor.release(),
        async reconcile() {
          await endGivenUp();
          await supervisor.reconcile();
        },
        ...drain,
        synchronise: () => workers.synchronise(),
        take(executions) {
          for (const id of executions) supervisor.take(id);
        },
        stop(requests) {
          for (const { executionId } of requests) if (supervisor.owns(executionId)) supervisor.stop(executionId);
        },
      });
    },
  };
}

/** A server that cannot be reached has not made the code, or its link is not valid for as long. */
async function redeemAt(url: string, { secret, code, timeoutMs }: { secret: string; code: string; timeoutMs: number }): Promise<boolean> {
  try {
    const response = await fetch(new URL("/api/nodes/launch-codes", url), {
      method: "POST",
      headers: { [nodeHeader]: secret, "content-type": "application/json" },
      body: JSON.stringify({ code }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.ok && z.object({ redeemed: z.boolean() }).parse(await response.json()).redeemed;
  } catch {
    return false;
  }
}
