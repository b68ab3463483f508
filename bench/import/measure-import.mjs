import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openSqliteStorage } from "@skein/storage";
import { createLocalHost } from "../../packages/host/src/local/create-local-host.ts";
import { runImport } from "../../packages/server/src/imports/run-import.ts";
import { silentLogger } from "../../packages/server/src/silent-logger.fixture.ts";
import { insertLines, medianWaits, time, watchTurns } from "../ingestion/measure-ingestion.mjs";
import { withHome } from "../server-process.mjs";

const defaults = { lines: 100_000, rounds: 3 };
const linesPerSession = 10_000;

/** Sessions of Claude Code into the database, by the import of the server. */
export async function measureImport({ lines, rounds } = defaults) {
  const measured = [];
  for (let round = 0; round < rounds; round++) measured.push(await withHome((home) => importOnce(home, lines)));
  const toRatio = ({ bare, imported }) => imported.cpuSeconds / bare.cpuSeconds;
  const waits = medianWaits(measured);
  const { bare, imported, run, memory } = measured.toSorted((a, b) => toRatio(a) - toRatio(b))[Math.floor(rounds / 2)];
  const perSecond = (seconds, count = lines) => Math.round(count / seconds).toLocaleString("en");
  return [
    {
      name: `import of ${lines.toLocaleString("en")} lines, compared with JSON.parse and a bare INSERT of each line`,
      value: toRatio({ bare, imported }),
      unit: "× the CPU time",
      target: 9,
      note: `${perSecond(imported.seconds)} lines/s (${perSecond(imported.cpuSeconds)} per CPU second) to ${perSecond(bare.cpuSeconds)}; ${run.messages.toLocaleString("en")} messages; median of ${rounds}`,
    },
    {
      name: "the same on the clock",
      value: imported.seconds / bare.seconds,
      unit: "× the time",
      target: 9,
      note: `${perSecond(imported.seconds)} lines/s to ${perSecond(bare.seconds)}, in the same run`,
    },
    {
      name: "other requests wait during an import",
      value: waits.cpuMs,
      unit: "ms",
      target: 50,
      note: `most CPU time between two turns of a timer; ${waits.ms.toFixed(0)} ms on the clock`,
    },
    { name: "memory during an import, above the one before it", value: memory, unit: "MB", target: 100, note: "resident" },
  ];
}

async function importOnce(home, lines) {
  const user = path.join(home, "user");
  const log = writeSessions(user, lines);
  const bare = await time(() => insertLines({ log, file: path.join(home, "bare.db") }));
  const data = path.join(home, "data");
  mkdirSync(data);
  const storage = await openSqliteStorage({ file: path.join(data, "skein.db") });
  const host = createLocalHost({ home: data, searchPath: process.env.PATH, readRunnerSecret: () => "secret" });
  const context = { storage, host, logger: silentLogger, now: Date.now, home: data, settings: { general: () => ({ importAs: "done" }) } };
  const run = { lines: 0, messages: 0, added: 0, updated: 0, finished: 0, finishedBytes: 0, problems: [], furtherProblems: 0 };
  const before = process.env.HOME;
  process.env.HOME = user;
  globalThis.gc?.();
  const idle = process.memoryUsage.rss();
  let most = idle;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  try {
    const endWatch = watchTurns();
    const imported = await time(() => runImport(context, { run, input: { source: "claude-code" }, signal: new AbortController().signal }));
    const waits = endWatch();
    if (run.state !== "done" || run.lines < lines * 0.99) throw new Error(`The import did not end: ${JSON.stringify(run)}`);
    return { bare, imported, waits, run, memory: (most - idle) / 1024 ** 2 };
  } finally {
    clearInterval(sampling);
    process.env.HOME = before;
    await storage.close();
  }
}

/** Returns a file with all lines. */
function writeSessions(user, lines) {
  const folder = path.join(user, ".claude/projects/-bench");
  mkdirSync(folder, { recursive: true });
  const files = [];
  for (let session = 0; session * linesPerSession < lines; session++) {
    const file = path.join(folder, `session-${session}.jsonl`);
    writeFileSync(file, `${listLines(`session-${session}`, Math.min(linesPerSession, lines)).join("\n")}\n`);
    files.push(file);
  }
  const all = path.join(user, "all.jsonl");
  writeFileSync(all, files.map((file) => readFileSync(file, "utf8")).join(""));
  return all;
}

const output = "The quick brown fox jumps over the lazy dog. ".repeat(12);

/** Turns of 40 lines: a question, calls with their results, texts in between. */
function listLines(sessionId, count) {
  const lines = [];
  const start = Date.UTC(2026, 0, 1);
  const add = (line) => {
    const common = {
      parentUuid: `u-${lines.length - 1}`,
      isSidechain: false,
      userType: "external",
      cwd: "/nowhere/bench",
      sessionId,
      version: "2.1.325",
    };
    lines.push(
      JSON.stringify({ ...common, uuid: `u-${lines.length}`, timestamp: new Date(start + lines.length * 500).toISOString(), ...line }),
    );
  };
  const usage = { input_tokens: 1200, output_tokens: 80, cache_read_input_tokens: 9000, cache_creation_input_tokens: 100 };
  while (lines.length < count) {
    const place = lines.length % 40;
    if (place === 0) add({ type: "user", message: { role: "user", content: `Question ${lines.length}: ${output}` } });
    else if (place === 39 || place % 6 === 1) {
      const message = { id: `msg_${lines.length}`, role: "assistant", model: "claude-sonnet-5", usage };
      add({ type: "assistant", message: { ...message, content: [{ type: "text", text: `${output}${lines.length}` }] } });
    } else if (lines.at(-1)?.includes('"tool_use"')) {
      const tool_use_id = `toolu_${lines.length - 1}`;
      const content = [{ type: "tool_result", tool_use_id, content: output, is_error: false }];
      add({ type: "user", message: { role: "user", content }, toolUseResult: { stdout: output, stderr: "", interrupted: false } });
    } else {
      const use = {
        type: "tool_use",
        id: `toolu_${lines.length}`,
        name: "Bash",
        input: { command: `cat file-${lines.length}.txt`, description: "Show it" },
      };
      add({
        type: "assistant",
        message: { id: `msg_${lines.length}`, role: "assistant", model: "claude-sonnet-5", usage, content: [use] },
      });
    }
  }
  return lines;
}
