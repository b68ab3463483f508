import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { checkConversations } from "./checks/check-conversations.ts";
import { checkLeases, checkLeftovers } from "./checks/check-leftovers.ts";
import { type EventTruth, recordEvents } from "./checks/event-truth.ts";
import { createViolations, type Violation, type Violations } from "./checks/violations.ts";
import { type Clients, startClients } from "./clients/client-processes.ts";
import { type Cluster, endCluster, startCluster } from "./cluster/cluster.ts";
import { measureFailover } from "./faults/failover-times.ts";
import { createFaultLog, type FaultLog } from "./faults/fault-log.ts";
import { startFaults } from "./faults/fault-schedule.ts";
import { startGovernor } from "./load/governor.ts";
import { type Load, startLoad } from "./load/load.ts";
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
  /** Ends it early, without a comparison. */
  signal: AbortSignal;
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
    if (cluster !== undefined) await endCluster(cluster, { keep: options.keep || violations.count > 0 });
    if (violations.count > 0) onProgress(`data dirs: ${folder}`);
  }
}

async function runCluster(
  input: SimulationInput & { cluster: Cluster; violations: ReturnType<typeof createViolations>; log: FaultLog },
): Promise<Results> {
  const { options, folder, cluster, violations, log, onProgress } = input;
  const truth = recordEvents(cluster.database);
  const governor = startGovernor(cluster.servers, options);
  const requests = createRequests(cluster.servers, createRandom(options.seed + 3), violations, governor);
  const clients = startClients({ count: options.clients, servers: cluster.servers, seed: options.seed, violations });
  const load = startLoad({ options, cluster, requests, truth, governor, onTask: () => clients.setTasks(load.taskIds.slice(-500)) });
  const prober = startProber({ load, requests, random: createRandom(options.seed + 4) });
  const times = measureFailover(truth, log);
  const counts = countEnds(truth);
  const measuring = startMeasuring({ ...input, clients, load, governor, requests, truth, times });
  const observe = { truth, counts, load, clients };
  try {
    onProgress("running");
    const faults = startFaults({ options, cluster, governor, load, requests, log, times, violations });
    await wait(options.minutes * 60_000, undefined, { signal: input.signal });
    onProgress("ending faults");
    await faults.stop();
    await measuring.stop();
    onProgress("waiting for the last executions");
    for (const run of await load.finish(drainPatienceMs))
      violations.add("executions end", `run ${run.number} (${run.executionId}) on ${run.worker?.name ?? run.server.name} is stuck`);
    await prober.stop();
    await truth.catchUp();
    onProgress("comparing");
    const compared = await compareAll({ ...input, ...observe });
    onProgress("stopping");
    await stopAll(input);
    const results = { ...measuring.results(), ...compared };
    writeFileSync(join(folder, "results.json"), JSON.stringify({ options, results, faults: log.faults }, null, 2));
    return results;
  } finally {
    clients.end();
    await Promise.all([prober.stop(), truth.stop(), measuring.stop(), governor.stop()]);
    if (violations.count > 0) writeFileSync(join(folder, "violations.txt"), describeSurroundings({ options, violations, log, truth }));
  }
}

/** Everything that is stored, was shown, and is left, against what the agents and the database itself say. */
async function compareAll({
  cluster,
  violations,
  folder,
  truth,
  counts,
  load,
  clients,
}: SimulationInput & {
  cluster: Cluster;
  violations: Violations;
  truth: EventTruth;
  counts: ReturnType<typeof countEnds>;
  load: Load;
  clients: Clients;
}): Promise<Pick<Results, "parts" | "checked" | "statuses">> {
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
  return { parts, checked, statuses: countBy([...statuses.values()]) };
}

async function stopAll({ cluster, violations }: { cluster: Cluster; violations: Violations }): Promise<void> {
  for (const { process, name } of [...cluster.workers, ...cluster.servers]) {
    const code = await process.stop();
    if (code !== 0 && code !== 130) violations.add("processes stop when they are asked to", `${name} ended with ${code}`);
  }
  await checkLeases({ cluster, violations, when: "stopped" });
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
