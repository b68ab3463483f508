import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { EventTruth } from "../checks/event-truth.ts";
import type { Violations } from "../checks/violations.ts";
import type { Clients } from "../clients/client-processes.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { FailoverTimes } from "../faults/failover-times.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import type { Governor } from "../load/governor.ts";
import type { Load } from "../load/load.ts";
import type { Requests } from "../load/requests.ts";
import type { SimulationOptions } from "../options.ts";
import { readDatabaseUsage } from "./database-usage.ts";
import { ProcessUsage, readCommand } from "./process-usage.ts";
import type { Results, Times } from "./results.ts";
import type { Samples } from "./samples.ts";

export interface Measuring {
  stop(): Promise<void>;
  results(): Results;
}

const tickMs = 2000;
/** Reading the memory of hundreds of processes takes CPU time itself. */
const ticksPerMemory = 8;

export function startMeasuring(input: {
  options: SimulationOptions;
  cluster: Cluster;
  clients: Clients;
  load: Load;
  governor: Governor;
  requests: Requests;
  truth: EventTruth;
  times: FailoverTimes;
  log: FaultLog;
  violations: Violations;
  onTick(results: Results): void;
}): Measuring {
  const { options, cluster, clients, load, governor, requests, truth, times, log, violations } = input;
  const startedAt = performance.now();
  let seconds = 0;
  const eventsBefore = truth.numbers.length;
  const usage = new ProcessUsage(createClassifier(cluster, clients));
  const counters = { statements: 0, transactions: 0 };
  let last: Awaited<ReturnType<typeof readDatabaseUsage>> | undefined;
  let isStopped = false;
  let lines = 0;

  const readDatabase = async (): Promise<void> => {
    const now = await readDatabaseUsage(cluster.database);
    for (const name of ["statements", "transactions"] as const) {
      // after a crash they start at zero
      counters[name] += last === undefined ? 0 : now[name] < last[name] ? now[name] : now[name] - last[name];
    }
    last = now;
  };
  const running = (async () => {
    for (let tick = 0; !isStopped; tick++) {
      usage.sample({ withMemory: tick % ticksPerMemory === ticksPerMemory - 1 });
      await readDatabase().catch(() => {});
      seconds = (performance.now() - startedAt) / 1000;
      if (tick % 5 === 0) lines = countLines(cluster);
      input.onTick(results());
      await wait(tickMs);
    }
  })();

  function results(): Results {
    const events = truth.numbers.length - eventsBefore;
    const perSecond = (count: number): number => count / Math.max(1, seconds);
    const database = last ?? { megabytes: 0, statements: 0, transactions: 0, connections: 0, tables: [], slowest: [] };
    return {
      seconds,
      servers: options.servers,
      workers: options.workers,
      clients: options.clients,
      connected: clients.connected,
      executions: { started: load.runs.length, running: load.running.length },
      meanExecutions: governor.mean,
      wantedExecutions: options.executions,
      events,
      eventsPerSecond: perSecond(events),
      linesPerSecond: perSecond(lines),
      frames: clients.frames,
      framesPerSecond: perSecond(clients.frames),
      megabytesToClients: clients.bytes / 2 ** 20,
      reads: toTimes(requests.reads),
      writes: toTimes(requests.writes),
      retries: requests.retries,
      delays: toTimes(clients.delays),
      reconnects: toTimes(clients.reconnects),
      jumps: clients.jumps,
      failover: Object.fromEntries([...times.byKind].map(([kind, samples]) => [kind, toTimes(samples)])),
      faults: Object.fromEntries([...Map.groupBy(log.faults, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length])),
      usage: Object.fromEntries([...usage.groups].sort(([a], [b]) => a.localeCompare(b))),
      database: {
        ...database,
        statementsPerSecond: perSecond(counters.statements),
        transactionsPerSecond: perSecond(counters.transactions),
      },
      violations: violations.count,
    };
  }

  let final: Results | undefined;
  return {
    async stop() {
      if (isStopped) return;
      isStopped = true;
      await running;
      lines = countLines(cluster);
      usage.sample({ withMemory: true });
      final = results();
    },
    results: () => ({ ...(final ?? results()), violations: violations.count }),
  };
}

/** Lines are counted by the parts that agents have noted; a streamed text has more lines than its part. */
function countLines({ journals }: Cluster): number {
  let lines = 0;
  for (const name of readdirSync(journals)) {
    const text = readFileSync(join(journals, name), "utf8");
    const end = /^(?:end|interrupted) (\d+)/m.exec(text)?.[1];
    lines += end === undefined ? Math.round((text.match(/^part /gm)?.length ?? 0) * linesPerPart) : Number(end);
  }
  return lines;
}

/** For executions that have not ended. */
const linesPerPart = 1.7;

function createClassifier({ servers, workers, network, postgres, journals }: Cluster, clients: Clients) {
  return (pid: number, parent: number): string | undefined => {
    if (pid === process.pid) return "simulation";
    if (pid === network.pid) return "proxies";
    if (clients.pids.includes(pid)) return "clients";
    if (pid === postgres.pid || parent === postgres.pid) return "postgres";
    for (const { process: own, name } of [...servers, ...workers]) if (own.pid === pid) return name.replace(/-\d+$/, "s");
    const command = readCommand(pid);
    if (command.includes(journals)) return "agents";
    return command.includes("runner") && command.includes("dist/") ? "runners" : undefined;
  };
}

function toTimes(samples: Samples): Times {
  return { count: samples.count, p50: samples.quantile(0.5), p95: samples.quantile(0.95), p99: samples.quantile(0.99), max: samples.max };
}
