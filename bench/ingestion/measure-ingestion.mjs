import { closeSync, fsyncSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClaudeCodeDecoder } from "@skein/agents";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildCapabilities, buildExecution, buildProject, buildTask } from "@skein/testkit";
import { createExecutionFiles } from "../../packages/host/src/local/execution-files.ts";
import { executionFolder } from "../../packages/host/src/runner/execution-folder.ts";
import { createEventHub } from "../../packages/server/src/events/event-hub.ts";
import { createExecutionFollower } from "../../packages/server/src/executions/execution-follower.ts";
import { silentLogger } from "../../packages/server/src/silent-logger.fixture.ts";
import { withHome } from "../server-process.mjs";
import { writeRecordedLog } from "./write-recorded-log.mjs";

const defaults = { lines: 100_000, rounds: 3 };

/** A log of Claude Code into the database, by the follower and the storage of the server. */
export async function measureIngestion({ lines, rounds } = defaults) {
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    measured.push(
      await withHome(async (home) => {
        const folder = executionFolder(home);
        writeRecordedLog(folder, { lines });
        const bare = await time(() => insertLines({ log: folder.log, file: path.join(home, "bare.db") }));
        return { bare, ...(await ingest({ home, folder })) };
      }),
    );
  }
  const waits = medianWaits(measured);
  const { bare, ingested, messages } = measured.toSorted((a, b) => toRatio(a) - toRatio(b))[Math.floor(rounds / 2)];
  const perSecond = (seconds, count = lines) => Math.round(count / seconds).toLocaleString("en");
  return [
    {
      name: `ingestion of ${lines.toLocaleString("en")} lines, compared with JSON.parse and a bare INSERT of each line`,
      value: toRatio({ bare, ingested }),
      unit: "× the CPU time",
      target: 5,
      note: `${perSecond(ingested.seconds)} lines/s (${perSecond(ingested.cpuSeconds)} per CPU second) to ${perSecond(bare.cpuSeconds)}; ${perSecond(ingested.seconds, messages)} messages/s (${perSecond(ingested.cpuSeconds, messages)}); median of ${rounds}`,
    },
    {
      name: "other requests wait while a log is ingested",
      value: waits.cpuMs,
      unit: "ms",
      target: 50,
      note: `most CPU time between two turns of a timer; ${waits.ms.toFixed(0)} ms on the clock`,
    },
  ];
}

function toRatio({ bare, ingested }) {
  return ingested.cpuSeconds / bare.cpuSeconds;
}

export async function time(work) {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** The longest time that the process delays a timer. CPU time is reliable on a busy machine, too. */
export function watchTurns() {
  const longest = { cpuMs: 0, ms: 0 };
  let last = readThread();
  const timer = setInterval(() => {
    const now = readThread();
    longest.cpuMs = Math.max(longest.cpuMs, now.cpuMs - last.cpuMs);
    longest.ms = Math.max(longest.ms, now.ms - last.ms);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

/** The median of the rounds' longest: a single collection of the whole process would decide otherwise. */
export function medianWaits(rounds) {
  const sorted = rounds.map(({ waits }) => waits).toSorted((a, b) => a.cpuMs - b.cpuMs);
  return sorted[Math.floor(sorted.length / 2)];
}

function readThread() {
  const { user, system } = process.threadCpuUsage();
  return { cpuMs: (user + system) / 1000, ms: performance.now() };
}

export function insertLines({ log, file }) {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE lines (text TEXT NOT NULL) STRICT; BEGIN");
  const insert = database.prepare("INSERT INTO lines (text) VALUES (?)");
  for (const line of readFileSync(log, "utf8").trimEnd().split("\n")) {
    if (line.startsWith("{")) JSON.parse(line);
    insert.run(line);
  }
  database.exec("COMMIT");
  const wal = openSync(`${file}-wal`, "r");
  fsyncSync(wal);
  closeSync(wal);
  database.close();
}

export async function ingest({ home, folder }) {
  const storage = await openSqliteStorage({ file: path.join(home, "skein.db") });
  const hub = createEventHub(() => {});
  storage.onCommitted((events) => {
    for (const event of events) hub.publish(event);
  });
  const [attempt, execution] = [buildAttempt({ agent: "claude-code" }), buildExecution()];
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask({ status: "in-progress" }));
    await tx.insertAttempt(attempt);
    await tx.insertExecution(execution);
  });
  const adapter = { id: "claude-code", capabilities: buildCapabilities(), recordWriter: "driver", createDecoder: createClaudeCodeDecoder };
  const follower = await createExecutionFollower({
    context: { storage, hub, logger: silentLogger, now: Date.now },
    execution,
    attempt,
    adapter,
    files: createExecutionFiles(() => folder),
    position: await storage.read.getIngestPosition({ executionId: execution.id }),
  });
  const stopWatching = watchTurns();
  const ingested = await time(async () => {
    await follower.pump();
    await follower.finish({ exitCode: 0, signal: null, endedAt: Date.now() });
  });
  const waits = stopWatching();
  const messages = (await storage.read.countMessages({ attemptId: attempt.id })).reduce((sum, { count }) => sum + count, 0);
  await follower.close();
  await storage.close();
  return { ingested, waits, messages };
}
