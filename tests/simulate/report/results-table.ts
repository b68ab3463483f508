import type { Results, Times } from "../measure/results.ts";

const round = (value: number): string => (Number.isFinite(value) ? (value >= 100 ? value.toFixed(0) : value.toFixed(1)) : "–");
const times = ({ count, p50, p95, p99, max }: Times): string =>
  count === 0 ? "–" : `p50 ${round(p50)}, p95 ${round(p95)}, p99 ${round(p99)}, max ${round(max)} ms (${count})`;

/** The results as a table in Markdown. */
export function formatResults(results: Results): string {
  const { usage, database, failover, faults } = results;
  const rows: [string, string][] = [
    ["servers, workers, clients", `${results.servers}, ${results.workers}, ${results.clients}`],
    ["time", `${round(results.seconds)} s`],
    ["executions at the same time", `${round(results.meanExecutions)} allowed on average, ${results.wantedExecutions} wanted`],
    ["executions", `${results.executions.started}${results.statuses === undefined ? "" : ` (${describe(results.statuses)})`}`],
    ["lines per second", round(results.linesPerSecond)],
    ["committed events", `${results.events}, ${round(results.eventsPerSecond)} per second`],
    ["frames to clients", `${results.frames}, ${round(results.framesPerSecond)} per second, ${round(results.megabytesToClients)} MB`],
    ["reading request", times(results.reads)],
    ["changing request", times(results.writes)],
    ["requests repeated because of faults", String(results.retries)],
    ["a line from agent to client", times(results.delays)],
    ["a client connected again", times(results.reconnects)],
    ["clients that got states instead of a replay", String(results.jumps)],
    [
      "database",
      `${round(database.megabytes)} MB, ${round(database.statementsPerSecond)} statements/s, ${round(database.transactionsPerSecond)} transactions/s, ${database.connections} connections`,
    ],
    ...database.tables.slice(0, 5).map(({ name, megabytes }): [string, string] => [`table ${name}`, `${round(megabytes)} MB`]),
    ...Object.entries(usage).map(([group, one]): [string, string] => [
      `CPU and memory: ${group}`,
      `${round((100 * one.cpuSeconds) / results.seconds)} % of a core, at most ${round(one.maxMegabytes)} MB (${one.processes} processes)`,
    ]),
    ...Object.entries(faults).map(([kind, count]): [string, string] => [
      `fault ${kind}`,
      [
        `${count} times; affected executions stood still`,
        // a fault of a server concerns executions in two places
        Object.entries(failover)
          .filter(([key]) => key === kind || key.startsWith(`${kind},`))
          .map(([key, one]) => `${key.slice(kind.length + 2)} ${times(one)}`.trim())
          .join("; ") || "–",
      ].join(" "),
    ]),
    ...(results.parts === undefined ? [] : [["compared with the agents' journals", `${results.parts} parts`] as [string, string]]),
    ...(results.checked === undefined
      ? []
      : [["compared with what clients were shown", `${results.checked} messages`] as [string, string]]),
    ["violations", String(results.violations)],
  ];
  return ["| | |", "|---|---|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}

const describe = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");

/** One line while it runs. */
export function formatTick(results: Results): string {
  const faults = Object.values(results.faults).reduce((sum, count) => sum + count, 0);
  return [
    `${results.seconds.toFixed(0)} s`.padStart(6),
    `${results.executions.running} running, ${results.executions.started} started`,
    `${round(results.linesPerSecond)} lines/s`,
    `${round(results.eventsPerSecond)} events/s`,
    `${results.connected}/${results.clients} clients`,
    `line p50 ${round(results.delays.p50)} p99 ${round(results.delays.p99)} ms`,
    `read p99 ${round(results.reads.p99)} ms`,
    `${faults} faults`,
    `${results.violations} violations`,
  ].join(" · ");
}
