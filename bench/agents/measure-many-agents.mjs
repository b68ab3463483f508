import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createAsker } from "./asker.mjs";
import { quantile } from "./delay-listener.mjs";
import { withReplayingServer } from "./replaying-server.mjs";

/** The idle server is measured before the work and again after it: the load of the machine changes. */
const defaults = { counts: [50, 100], lines: 10, pauseMs: 500, idleMs: 6_000 };

/** Many executions that start at once: how long other requests wait, compared with the idle server, and what each execution costs. */
export async function measureManyAgents({ counts, ...options } = defaults) {
  const results = [];
  for (const count of counts) results.push(...(await measure(count, options)));
  return results;
}

async function measure(count, { lines, pauseMs, idleMs }) {
  return withReplayingServer(async (server) => {
    const tasks = [];
    for (let i = 0; i < count; i++) tasks.push(await server.createTask(`Task ${i}`));
    const watched = await server.createTask("Another task");
    const ask = createAsker(server, `/api/tasks/${watched.id}/conversation`);
    await ask.until(delay(Math.min(1000, idleMs)));
    const before = await ask.until(delay(idleMs));
    const work = Promise.all(tasks.map((task) => run(server, task, { lines, pauseMs })));
    const resources = sampleResources(server, { count, work });
    const busy = await ask.until(work);
    const { megabytes, launchSeconds } = await resources;
    const idle = [...before, ...(await ask.until(delay(idleMs)))];
    await ask.close();
    const [idle99, busy99] = [p99(idle, "ms"), p99(busy, "ms")];
    const ofServer = `without waits for a processor ${p99(busy, "ofServer").toFixed(1)} ms to ${p99(idle, "ofServer").toFixed(1)} ms`;
    const note = `p99 ${busy99.toFixed(1)} ms, idle ${idle99.toFixed(1)} ms; ${ofServer}`;
    return [
      { name: `another request while ${count} executions start and end, p99`, value: busy99 / idle99, unit: "×", target: 3, note },
      {
        name: `memory of an execution besides its agent, ${count} at once`,
        value: megabytes,
        unit: "MB",
        target: 25,
        note: `proportional (PSS); CPU of a start ${launchSeconds.toFixed(2)} s`,
      },
    ];
  });
}

function p99(waits, field) {
  return quantile(
    waits.map((wait) => wait[field]),
    0.99,
  );
}

async function run(server, task, pace) {
  await server.start(task, pace);
  // not `waitUntilEnded`: a hundred polling clients would be the load that is measured
  while ((await server.request("GET", `/api/attempts/${task.attemptId}/executions`)).at(-1)?.status === "running") await delay(2000);
}

/** Memory of Skein's own processes for each execution, while most of them run. */
async function sampleResources({ home }, { count, work }) {
  if (!existsSync("/proc/self/smaps_rollup")) return { megabytes: 0, launchSeconds: 0 };
  let best = { runners: 0, megabytes: 0, launchSeconds: 0 };
  const isOver = () => true;
  for (let isDone = false; !isDone && best.runners < count * 0.9; ) {
    isDone = await Promise.race([work.then(isOver, isOver), delay(1000, false)]);
    const sample = readRunners(home);
    if (sample.runners >= best.runners) best = sample;
  }
  return best;
}

function readRunners(home) {
  const folder = path.join(home, "executions");
  if (!existsSync(folder)) return { runners: 0, megabytes: 0, launchSeconds: 0 };
  const runners = readdirSync(folder).flatMap((id) => readRunner(path.join(folder, id)));
  const mean = (read) => (runners.length === 0 ? 0 : runners.reduce((sum, one) => sum + read(one), 0) / runners.length);
  return { runners: runners.length, megabytes: mean(({ megabytes }) => megabytes), launchSeconds: mean(({ seconds }) => seconds) };
}

/** The runner, which drives the agent too. */
function readRunner(folder) {
  try {
    const { pid } = JSON.parse(readFileSync(path.join(folder, "runner.json"), "utf8"));
    return [{ megabytes: readPss(pid) / 1024, seconds: readCpuSeconds(pid) }];
  } catch {
    return []; // not started yet, or ended
  }
}

const readPss = (pid) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);

function readCpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
