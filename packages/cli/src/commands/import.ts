import { setTimeout as wait } from "node:timers/promises";
import {
  type ImportRun,
  type ImportSource,
  type ImportSourceInfo,
  importRunSchema,
  importRunsSchema,
  importSourcesSchema,
} from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatBytes } from "../format/bytes.ts";
import { formatProblem, formatRun, stateTexts } from "../format/import-text.ts";
import { formatTable } from "../format/table.ts";
import { ask } from "../terminal/ask.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

const pollMs = 300;
const watchMs = 5000;
const shownTitle = 60;

interface Options {
  home?: string;
  list?: boolean;
  all?: boolean;
  since?: number;
  watch?: boolean;
  json?: boolean;
}

/** `skein import`: shows what was found, asks, and imports it. */
export async function importSessions(only: ImportSource | undefined, options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const { sources } = await client.get("/api/import/sources", importSourcesSchema);
  const found = sources.flatMap((source) => (only === undefined || source.source === only ? [withoutOld(source, options.since)] : []));
  if (options.list) {
    console.log(options.json ? JSON.stringify(found, null, 2) : formatSources(found, { isLong: true }));
    return exitCode.success;
  }
  if (!options.json) console.log(formatSources(found, { isLong: false }));
  const wanted = found.filter((source) => countNew(source) > 0);
  if (wanted.length === 0 && !options.watch) {
    if (!options.json) console.log("\nNothing to import.");
    return exitCode.success;
  }
  const stopping = new AbortController();
  using _ = onInterrupt(() => stopping.abort());
  if (!options.all && !options.watch && !(await confirm(wanted, stopping.signal))) return exitCode.success;
  const since = options.since === undefined ? {} : { since: options.since };
  let hasFailed = false;
  for (const { source, name } of wanted) {
    const run = await runImport(client, { source, ...since }, stopping.signal);
    hasFailed ||= run.state === "failed";
    report(run, name, options);
    if (stopping.signal.aborted) return exitCode.interrupted;
  }
  if (options.watch) await watch(client, found, { since, options, signal: stopping.signal });
  return hasFailed ? exitCode.failed : exitCode.success;
}

function withoutOld(source: ImportSourceInfo, since = 0): ImportSourceInfo {
  return { ...source, sessions: source.sessions.filter(({ updatedAt }) => updatedAt >= since) };
}

function countNew({ sessions }: ImportSourceInfo): number {
  return sessions.filter(({ state }) => state === "new" || state === "changed").length;
}

async function confirm(sources: readonly ImportSourceInfo[], signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CliError("Nothing was imported.", {
      hint: "Without a terminal, say what to import: skein import --all, or skein import --list to see what was found.",
      exitCode: exitCode.usage,
    });
  }
  const count = sources.reduce((sum, source) => sum + countNew(source), 0);
  const question = `\nImport ${count === 1 ? "this session" : `these ${count} sessions`}? [y/n] `;
  return (await ask(question, { y: "yes", n: "no" } as const, { signal, output: process.stdout })) === "yes";
}

async function runImport(client: ApiClient, input: { source: ImportSource; since?: number }, signal: AbortSignal): Promise<ImportRun> {
  return followRun(client, await client.post("/api/import", input, importRunSchema), signal);
}

/** Resolves with the end of an import; shows its progress in a terminal. When `signal` aborts, it is stopped. */
export async function followRun(client: ApiClient, started: ImportRun, signal: AbortSignal): Promise<ImportRun> {
  let run = started;
  let isStopped = false;
  while (run.endedAt === null) {
    await wait(pollMs, undefined, isStopped ? {} : { signal }).catch(() => {});
    if (signal.aborted && !isStopped) {
      isStopped = true;
      await client.post("/api/import/stop", {}, importRunsSchema);
    }
    const { runs } = await client.get("/api/import/runs", importRunsSchema);
    const { id } = run;
    run = runs.find((one) => one.id === id) ?? run;
    if (process.stderr.isTTY && run.endedAt === null) {
      process.stderr.write(
        `\r${run.finished} of ${run.sessions} sessions, ${formatBytes(run.finishedBytes)} of ${formatBytes(run.bytes)} `,
      );
    }
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  return run;
}

export function report(run: ImportRun, name: string, { json }: { json?: boolean }): void {
  if (json) {
    console.log(JSON.stringify(run));
    return;
  }
  console.log(`${name}: ${formatRun(run)}`);
  for (const problem of run.problems) console.error(`  ${toRevealedLine(formatProblem(problem))}`);
  if (run.furtherProblems > 0) console.error(`  … and ${run.furtherProblems} more`);
}

/** The server compares sizes and times first: a look at sessions that have not changed costs little. */
async function watch(
  client: ApiClient,
  sources: readonly ImportSourceInfo[],
  { since, options, signal }: { since: { since?: number }; options: Options; signal: AbortSignal },
): Promise<void> {
  if (!options.json) console.log("Watching for new sessions. Ctrl-C ends it.");
  while (!signal.aborted) {
    await wait(watchMs, undefined, { signal }).catch(() => {});
    for (const { source, name } of sources) {
      if (signal.aborted) return;
      const run = await runImport(client, { source, ...since }, signal);
      if (run.added + run.updated > 0 || run.state === "failed") report(run, name, options);
    }
  }
}

function formatSources(sources: readonly ImportSourceInfo[], { isLong }: { isLong: boolean }): string {
  const rows = sources.map((source) => {
    const { name, places, sessions } = source;
    const bytes = sessions.reduce((sum, one) => sum + one.bytes, 0);
    const fresh = countNew(source);
    return [
      name,
      places.length === 0 ? "not found" : sessions.length === 1 ? "1 session" : `${sessions.length} sessions`,
      `${fresh} to import`,
      formatBytes(bytes),
      places.join(", "),
    ];
  });
  const table = formatTable(["PROGRAM", "FOUND", "NEW", "SIZE", "PLACE"], rows);
  const problems = sources.flatMap((source) => source.problems.map((problem) => toRevealedLine(formatProblem(problem))));
  const notes = problems.length === 0 ? [] : ["", ...problems];
  if (!isLong) return [table, ...notes].join("\n");
  const sessions = sources.flatMap(({ name, sessions: found }) =>
    found.map(({ title, state, updatedAt, bytes, directory, folder }) => [
      name,
      stateTexts[state],
      new Date(updatedAt).toLocaleString("sv-SE").slice(0, 16),
      formatBytes(bytes),
      `${toRevealedLine(directory ?? "?")}${folder === "missing" ? " (missing)" : folder === "no-repository" ? " (no git repository)" : ""}`,
      [...toRevealedLine(title)].slice(0, shownTitle).join(""),
    ]),
  );
  const list = sessions.length === 0 ? [] : ["", formatTable(["PROGRAM", "STATE", "LAST ACTIVITY", "SIZE", "FOLDER", "TITLE"], sessions)];
  return [table, ...list, ...notes].join("\n");
}
