import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Cluster, SimulatedServer, SimulatedWorker } from "../cluster/cluster.ts";
import type { Load, Run } from "../load/load.ts";
import type { Requests } from "../load/requests.ts";
import type { SimulationOptions } from "../options.ts";
import type { Random } from "../random.mjs";
import type { FaultKind } from "./fault-kinds.ts";

export interface FaultInput {
  options: SimulationOptions;
  cluster: Cluster;
  load: Load;
  requests: Requests;
  random: Random;
  /** The servers that each running execution depends on. */
  owners: ReadonlyMap<string, readonly string[]>;
}

/** A fault that is ready to happen. */
export interface PlannedFault {
  target: string;
  /** Executions that stand still until it is healed, or until something else takes over. */
  affected: readonly Run[];
  begin(): Promise<void>;
  heal(): Promise<void>;
  /** Between the two. */
  durationMs: number;
}

/** Undefined if there is nothing that it could happen to at the moment. */
export function planFault(kind: FaultKind, input: FaultInput): PlannedFault | undefined {
  const { cluster, load, random, options, owners } = input;
  const server = pickHealthy(cluster.servers, random);
  const worker = pickHealthy(cluster.workers, random);
  const ofServer = (one: SimulatedServer): Run[] =>
    load.running.filter((run) => owners.get(run.executionId)?.includes(one.name) ?? run.server === one);
  const ofWorker = (one: SimulatedWorker): Run[] => load.running.filter((run) => run.worker === one);
  /** Mostly shorter than a lease, sometimes longer. */
  const pauseMs = (): number => random.between(300, random.chance(0.6) ? options.leaseSeconds * 600 : options.leaseSeconds * 2500);
  const onNetwork = (
    name: string,
    action: "cut" | "stall",
    affected: readonly Run[],
    connections: readonly string[] = [name],
  ): PlannedFault => ({
    target: name,
    affected,
    durationMs: pauseMs(),
    begin: async () => void (await Promise.all(connections.map(cluster.network[action]))),
    heal: async () => void (await Promise.all(connections.map(cluster.network.restore))),
  });

  switch (kind) {
    case "kill-server":
      return server && killing(server, ofServer(server), pauseMs());
    case "kill-worker":
      return worker && killing(worker, ofWorker(worker), pauseMs());
    case "pause-server":
      return server && pausing(server, ofServer(server), pauseMs());
    case "pause-worker":
      return worker && pausing(worker, ofWorker(worker), pauseMs());
    case "kill-agent":
      return killAgent(input);
    case "stop-execution":
      return stopExecution(input);
    case "restart-database-fast":
    case "restart-database-immediate": {
      const mode = kind === "restart-database-fast" ? "fast" : "immediate";
      const begin = () => cluster.postgres.restart(mode);
      return { target: "postgres", affected: load.running, durationMs: 0, begin, heal: async () => {} };
    }
    case "cut-database":
    case "stall-database":
      return server && onNetwork(`database-${server.name}`, kind === "cut-database" ? "cut" : "stall", ofServer(server));
    case "cut-worker":
    case "stall-worker":
      return worker && onNetwork(`worker-${worker.name}`, kind === "cut-worker" ? "cut" : "stall", ofWorker(worker), worker.connections);
    case "cut-nodes":
      return server && onNetwork(`node-${server.name}`, "cut", []);
    case "cut-clients":
      return server && onNetwork(`clients-${server.name}`, "cut", []);
  }
}

function pickHealthy<T extends SimulatedServer | SimulatedWorker>(all: readonly T[], random: Random): T | undefined {
  const healthy = all.filter(({ process }) => process.isRunning && !process.isPaused);
  return healthy.length === 0 ? undefined : random.pick(healthy);
}

function killing({ process }: SimulatedServer | SimulatedWorker, affected: readonly Run[], durationMs: number): PlannedFault {
  return { target: process.name, affected, durationMs, begin: () => process.kill(), heal: async () => process.start() };
}

function pausing({ process }: SimulatedServer | SimulatedWorker, affected: readonly Run[], durationMs: number): PlannedFault {
  return { target: process.name, affected, durationMs, begin: async () => process.pause(), heal: async () => process.resume() };
}

/** The agent that has begun: its pid is in its journal. */
function killAgent({ cluster, load, random }: FaultInput): PlannedFault | undefined {
  const begun = load.running.flatMap((run) => {
    const pid = findAgent(cluster, run);
    return pid === undefined ? [] : [{ run, pid }];
  });
  if (begun.length === 0) return undefined;
  const { run, pid } = random.pick(begun);
  return {
    target: `run ${run.number} (${run.executionId})`,
    affected: [run],
    durationMs: 0,
    async begin() {
      run.disturbed.add("agent-killed");
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it has just ended
      }
    },
    heal: async () => {},
  };
}

function findAgent({ journals }: Cluster, run: Run): number | undefined {
  const file = join(journals, `${run.number}.journal`);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const pid = /^start (\d+)/.exec(text)?.[1];
  return pid === undefined || /^(end|interrupted) /m.test(text) ? undefined : Number(pid);
}

function stopExecution({ load, random, requests }: FaultInput): PlannedFault | undefined {
  if (load.running.length === 0) return undefined;
  const run = random.pick(load.running);
  return {
    target: `run ${run.number} (${run.executionId})`,
    affected: [run],
    durationMs: 0,
    async begin() {
      run.disturbed.add("stopped");
      await requests.send("POST", "/api/commands", { type: "STOP_EXECUTION", taskId: run.taskId }).catch(() => {});
    },
    heal: () => wait(0),
  };
}
