import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkConversations } from "./checks/check-conversations.ts";
import { checkLeases, checkLeftovers } from "./checks/check-leftovers.ts";
import { recordEvents } from "./checks/event-truth.ts";
import { createViolations, type Violation } from "./checks/violations.ts";
import { startClients } from "./clients/client-processes.ts";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import { endProcesses } from "./cluster/end-processes.ts";
import { measureFailover } from "./faults/failover-times.ts";
import { createFaultLog, type FaultLog } from "./faults/fault-log.ts";
import { startFaults } from "./faults/fault-schedule.ts";
import { startLoad } from "./load/load.ts";
import { startProber } from "./load/prober.ts";
import { createRequests } from "./load/requests.ts";
import { startMeasuring } from "./measure/measuring.ts";
import type { Results } from "./measure/results.ts";
import type { SimulationOptions } from "./options.ts";
import { createRandom } from "./random.mjs";
import { describeSurroundings } from "./report/violation-report.ts";

export interface SimulationInput {
  options: SimulationOptions;
  /** Empty; everything of the simulation is in it, except the database. */
  folder: string;
  /** The built `skein.js`. */
  program: string;
  onProgress(text: string): void;
  onViolation(violation: Violation): void;
  /** Every two seconds. */
  onTick(results: Results): void;
}

export interface SimulationEnd {
  results: Results;
  violations: readonly Violation[];
}

/** Longer than an execution: it must only end the wait for what never ends. */
const drainPatienceMs = 120_000;

/** Runs one simulation from an empty folder to the comparison of everything that was stored and shown. */
export async function simulate(input: SimulationInput): Promise<SimulationEnd> {
  const { options, folder, onProgress } = input;
  mkdirSync(folder, { recursive: true });
  const violations = createViolations(input.onViolation);
  const log = createFaultLog(join(folder, "faults.log"));
  let cluster: Cluster | undefined;
  try {
    cluster = await startCluster({ ...input, violations });
    const results = await runCluster({ ...input, cluster, violations, log });
    return { results, violations: violations.list };
  } finally {
    if (cluster !== undefined) await endCluster(cluster, options.keep || violations.count > 0);
    if (violations.count > 0) onProgress(`data dirs: ${folder}`);
  }
}

async function runCluster({
  options,
  folder,
  cluster,
  violations,
  log,
  onProgress,
  onTick,
}: SimulationInput & { cluster: Cluster; violations: ReturnType<typeof createViolations>; log: FaultLog }): Promise<Results> {
  const truth = recordEvents(cluster.database);
  const requests = createRequests(cluster.servers, createRandom(options.seed + 3), violations);
  const clients = startClients({ count: options.clients, servers: cluster.servers, seed: options.seed, violations });
  const load = startLoad({ options, cluster, requests, truth, onTask: () => clients.setTasks(load.taskIds.slice(-500)) });
  const prober = startProber({ load, requests, random: createRandom(options.seed + 4) });
  const times = measureFailover(truth);
  const measuring = startMeasuring({ options, cluster, clients, load, requests, truth, times, log, violations, onTick });
  const counts = countEnds(truth);
  onProgress("running");
  const faults = startFaults({ options, cluster, load, requests, log, times, violations });
  await wait(options.minutes * 60_000);

  onProgress("ending faults");
  await faults.stop();
  await measuring.stop();
  onProgress("waiting for the last executions");
  for (const run of await load.finish(drainPatienceMs))
    violations.add("executions end", `run ${run.number} (${run.executionId}) on ${run.worker?.name ?? run.server.name} is stuck`);
  await prober.stop();
  await truth.catchUp();

  onProgress("comparing");
  const rows = await cluster.database.query<{ id: string; status: string }>("SELECT id, status FROM executions");
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  for (const { id, status } of rows) {
    if (!load.runs.some(({ executionId }) => executionId === id)) violations.add("nothing runs that nobody asked for", id);
    const ends = counts.get(id) ?? { started: 0, completed: 0 };
    if (ends.started !== 1 || ends.completed !== (status === "running" ? 0 : 1))
      violations.add("an execution starts and ends once", `${id}: ${ends.started} starts, ${ends.completed} ends (${status})`);
  }
  const final = join(folder, "final");
  const parts = await checkConversations({ cluster, load, statuses, folder: final, violations });
  const numbers = join(folder, "numbers");
  writeFileSync(numbers, new Float64Array(truth.numbers));
  const lostExecutions = load.runs.filter(({ disturbed }) => disturbed.has("machine-lost")).map(({ executionId }) => executionId);
  const checked = await clients.finish({ lastSeq: truth.lastSeq, numbers, folder: final, lostExecutions });
  await checkLeftovers({ cluster, violations });
  await checkLeases({ cluster, violations, when: "running" });

  onProgress("stopping");
  for (const { process, name } of [...cluster.workers, ...cluster.servers]) {
    const code = await process.stop();
    if (code !== 0 && code !== 130) violations.add("processes stop when they are asked to", `${name} ended with ${code}`);
  }
  await checkLeases({ cluster, violations, when: "stopped" });
  await truth.stop();
  const results = { ...measuring.results(), parts, checked, statuses: countBy([...statuses.values()]) };
  writeFileSync(join(folder, "results.json"), JSON.stringify({ options, results, faults: log.faults }, null, 2));
  if (violations.count > 0) writeFileSync(join(folder, "violations.txt"), describeSurroundings({ options, violations, log, truth }));
  return results;
}

function countEnds(truth: ReturnType<typeof recordEvents>): Map<string, { started: number; completed: number }> {
  const counts = new Map<string, { started: number; completed: number }>();
  truth.onEvent(({ type, executionId }) => {
    if (executionId === null || (type !== "execution:started" && type !== "execution:completed")) return;
    const count = counts.get(executionId) ?? { started: 0, completed: 0 };
    count[type === "execution:started" ? "started" : "completed"]++;
    counts.set(executionId, count);
  });
  return counts;
}

function countBy(values: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
}

/** Also after a failure: nothing that was started here may outlive it. */
async function endCluster({ servers, workers, network, database, postgres, journals }: Cluster, keep: boolean): Promise<void> {
  for (const { process } of [...workers, ...servers]) await process.kill();
  endProcesses(journals);
  network.close();
  await database.close();
  await postgres.stop({ keep });
}
