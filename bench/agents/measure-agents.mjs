import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort, startProcess } from "../server-process.mjs";
import { listenForDelays, quantile } from "./delay-listener.mjs";
import { openBrowser } from "./open-browser.mjs";
import { withReplayingServer } from "./replaying-server.mjs";

const defaults = { agents: 20, lines: 150, pauseMs: 100, startMs: 5000, rounds: 5 };
const patienceMs = 120_000;

/** Twenty running agents and a browser that watches: the delay of a line, compared with a bare pipe. */
export async function measureAgents({ rounds, ...load } = defaults) {
  const { agents, pauseMs } = load;
  const runs = [];
  // one stall of a busy machine dominates a p99: the median run counts
  for (let i = 0; i < rounds; i++) {
    const bare = await measureBarePipe(load);
    const skein = await measureSkein(load);
    runs.push({ bare, skein, ratio: skein.p99 / bare.p99 });
  }
  runs.sort((one, other) => one.ratio - other.ratio);
  const { bare, skein, ratio } = runs[Math.floor(rounds / 2)];
  const all = runs.map((run) => run.ratio.toFixed(1)).join(", ");
  const note = `${agents} agents, ${(1000 / pauseMs) * agents} lines/s; p99 ${skein.p99.toFixed(1)} ms, bare pipe ${bare.p99.toFixed(1)} ms; runs: ${all}`;
  return [
    { name: "delay of an agent's line, p99", value: ratio, unit: "×", target: 5, note },
    {
      name: "lines per second, bare pipe to Skein",
      value: bare.perSecond / skein.perSecond,
      unit: "×",
      target: 5,
      note: `${skein.perSecond.toFixed(0)}/s of ${bare.perSecond.toFixed(0)}/s`,
    },
  ];
}

async function measureBarePipe(load) {
  const port = await findFreePort();
  const script = fileURLToPath(new URL("./pipe-to-sse-server.mjs", import.meta.url));
  const server = await startProcess([script, port, load.agents, load.lines, load.pauseMs].map(String), { port, readyPath: "/" });
  const url = `http://127.0.0.1:${port}`;
  const browser = await openBrowser();
  try {
    await browser.listen(`${url}/events`);
    const listener = await listenForDelays(`${url}/events`);
    return await measure(listener, load, () => fetch(`${url}/start`));
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function measureSkein(load) {
  const { agents, lines, pauseMs } = load;
  return withReplayingServer(async (server) => {
    const browser = await openBrowser();
    try {
      const tasks = [];
      for (let i = 0; i < agents; i++) tasks.push(await server.createTask(`Task ${i}`));
      await browser.visit((await server.request("POST", "/api/launch-codes", {})).url, `${server.url}/t/${tasks[0].id}`);
      const listener = await listenForDelays(`${server.url}/api/events`, server.headers);
      return await measure(listener, load, () => Promise.all(tasks.map((task) => server.start(task, { lines, pauseMs }))));
    } finally {
      await browser.close();
    }
  });
}

/** Lines per second from the first to the last, once all have arrived. */
async function measure(listener, { agents, lines: linesPerAgent, startMs }, start) {
  await start();
  const expected = agents * linesPerAgent;
  const until = performance.now() + patienceMs;
  while (listener.delays.size < expected && performance.now() < until) await delay(50);
  await listener.close();
  if (listener.delays.size < expected) throw new Error(`Only ${listener.delays.size} of ${expected} lines arrived.`);
  const lines = [...listener.delays.values()];
  const arrivals = lines.map(({ sentAt, ms }) => sentAt + ms);
  const seconds = (Math.max(...arrivals) - Math.min(...arrivals)) / 1000;
  return { p99: quantile(whileAllWork(listener.delays, startMs), 0.99), perSecond: expected / seconds };
}

/** Without the first seconds, in which twenty programs start on few cores, and without the end, when the first of them is done. */
function whileAllWork(delays, startMs) {
  const lines = [...delays].map(([name, line]) => ({ agent: name.split("-")[0], ...line }));
  const startedAt = Math.min(...lines.map(({ sentAt }) => sentAt));
  const lastOf = Map.groupBy(lines, ({ agent }) => agent);
  const firstEnd = Math.min(...[...lastOf.values()].map((own) => Math.max(...own.map(({ sentAt }) => sentAt))));
  return lines.filter(({ sentAt }) => sentAt > startedAt + startMs && sentAt < firstEnd).map(({ ms }) => ms);
}
