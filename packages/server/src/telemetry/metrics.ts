import { readdir, stat } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { AgentId, EndedExecution } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { Counter, Histogram } from "./counted.ts";
import { type Family, type Sample, toPrometheusText } from "./prometheus-text.ts";

/** What metrics count while the server runs, and what they read when they are requested. */
export interface Metrics {
  noteEnd(execution: EndedExecution, agent: AgentId): void;
  /** Time from the line of an agent to its commit. */
  noteIngested(lagMs: number): void;
  render(state: { eventClients: number }): Promise<string>;
}

/** Seconds. */
const executionBounds = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 10_800];
const ingestionBounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const tokenTypes = {
  input: "inputTokens",
  output: "outputTokens",
  reasoning: "reasoningTokens",
  cache_read: "cacheReadTokens",
  cache_write: "cacheWriteTokens",
} as const;

/** Metrics of this server; sum them over several servers. Counters begin at 0 when it starts, as Prometheus expects. */
export function createMetrics(input: {
  storage: Storage;
  version: string;
  /** Files whose sizes add up to the database; undefined if it is on another machine. */
  databaseFile: string | undefined;
  startedAt: number;
}): Metrics & { close(): void } {
  const { storage } = input;
  const executions = new Counter();
  const durations = new Histogram(executionBounds);
  const tokens = new Counter();
  const cost = new Counter();
  const ingestion = new Histogram(ingestionBounds);
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();

  async function render({ eventClients }: { eventClients: number }): Promise<string> {
    const [running, queued, database, files] = await Promise.all([
      countRunning(storage),
      countQueued(storage),
      input.databaseFile === undefined ? undefined : readSize(input.databaseFile),
      readdir("/proc/self/fd").catch(() => undefined),
    ]);
    const lag = { p50: loop.percentile(50), p99: loop.percentile(99), max: loop.max };
    loop.reset();
    return toPrometheusText([
      gauge("skein_info", "The version of this server.", [{ labels: { version: input.version }, value: 1 }]),
      gauge("skein_executions_running", "Executions whose agent this server follows.", running.running),
      gauge("skein_executions_waiting", "Executions that wait for a slot or for their worker.", [{ value: running.waiting }]),
      gauge("skein_queued_messages", "Messages that wait for the end of a running execution.", [{ value: queued }]),
      { name: "skein_executions_total", type: "counter", help: "Executions that ended.", samples: executions.samples() },
      { name: "skein_execution_duration_seconds", type: "histogram", help: "Duration of executions.", samples: durations.samples() },
      { name: "skein_tokens_total", type: "counter", help: "Tokens, as agents reported them.", samples: tokens.samples() },
      { name: "skein_cost_usd_total", type: "counter", help: "Cost in US dollars, as agents reported it.", samples: cost.samples() },
      {
        name: "skein_ingestion_lag_seconds",
        type: "histogram",
        help: "Time from an agent's line to its commit.",
        samples: ingestion.samples(),
      },
      gauge("skein_event_clients", "Open event streams.", [{ value: eventClients }]),
      ...(database === undefined ? [] : [gauge("skein_database_bytes", "Size of the database files.", [{ value: database }])]),
      ...processFamilies(input.startedAt, files?.length),
      gauge(
        "nodejs_eventloop_lag_seconds",
        "Delay of the event loop since the last request, by quantile.",
        Object.entries({ "0.5": lag.p50, "0.99": lag.p99, "1": lag.max }).map(([quantile, value]) => ({
          labels: { quantile },
          value: Number.isFinite(value) ? value / 1e9 : 0,
        })),
      ),
    ]);
  }

  return {
    noteEnd({ status, durationMs, usage }, agent) {
      executions.add({ agent, status });
      durations.observe({ agent }, durationMs / 1000);
      for (const [type, field] of Object.entries(tokenTypes)) if (usage[field] !== undefined) tokens.add({ agent, type }, usage[field]);
      if (usage.costUsd !== undefined) cost.add({ agent }, usage.costUsd);
    },
    noteIngested: (lagMs) => ingestion.observe({}, Math.max(0, lagMs) / 1000),
    render,
    close: () => loop.disable(),
  };
}

async function countRunning({ read }: Storage): Promise<{ running: Sample[]; waiting: number }> {
  const counts = new Map<string, number>();
  let waiting = 0;
  for (const { attemptId, wait } of await read.listRunningExecutions({ isOwn: true })) {
    const agent = (await read.findAttempt({ id: attemptId }))?.agent ?? "other";
    if (wait === undefined) counts.set(agent, (counts.get(agent) ?? 0) + 1);
    else waiting++;
  }
  return { running: [...counts].map(([agent, value]) => ({ labels: { agent }, value })), waiting };
}

async function countQueued({ read }: Storage): Promise<number> {
  const attempts = new Set((await read.listRunningExecutions({ isOwn: true })).map(({ attemptId }) => attemptId));
  let count = 0;
  for (const attemptId of attempts) count += (await read.listQueuedMessages({ attemptId })).length;
  return count;
}

async function readSize(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`, `${file}-shm`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, type: "gauge", help, samples };
}

/** With the names that Prometheus' own client libraries use. */
function processFamilies(startedAt: number, openFiles: number | undefined): Family[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    {
      name: "process_cpu_seconds_total",
      type: "counter",
      help: "User and system CPU time.",
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge("process_resident_memory_bytes", "Resident memory.", [{ value: rss }]),
    gauge("nodejs_heap_size_used_bytes", "Used JavaScript heap.", [{ value: heapUsed }]),
    gauge("process_start_time_seconds", "Start time since the epoch.", [{ value: startedAt / 1000 }]),
    ...(openFiles === undefined ? [] : [gauge("process_open_fds", "Open file descriptors.", [{ value: openFiles }])]),
  ];
}
