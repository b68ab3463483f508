import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatDuration } from "./progress.mjs";

const shownMessageLines = 6;
const shownLineLength = 200;
const shownFiles = 15;

/** Collects what `SummaryReporter` writes in each part, and formats it as text. */
export class TestSummary {
  #folder = mkdtempSync(join(tmpdir(), "skein-tests-"));
  #parts = [];

  /** The file that the reporter of one part writes to. */
  fileFor(part) {
    this.#parts.push(part);
    return join(this.#folder, `${part}.json`);
  }

  /** The results for real agents of the tests that have run. */
  agentCells() {
    return this.#parts.flatMap((part) => readSummary(join(this.#folder, `${part}.json`)).agentCells ?? []);
  }

  /** Failed tests and tests that passed only when retried, each with the beginning of its error; then the files that take the most CPU time. */
  format() {
    const summaries = this.#parts.map((part) => readSummary(join(this.#folder, `${part}.json`)));
    rmSync(this.#folder, { recursive: true, force: true });
    return [
      ...formatTests(
        "Failed",
        "✗",
        summaries.flatMap(({ failures }) => failures),
      ),
      ...formatTests(
        "Passed only on retry",
        "↻",
        summaries.flatMap(({ retried }) => retried),
      ),
      ...formatMostExpensive(summaries.flatMap(({ files }) => files)),
    ].join("\n");
  }
}

/** A part that was killed has written nothing. */
function readSummary(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { failures: [], retried: [], files: [] };
  }
}

function formatTests(heading, mark, tests) {
  if (tests.length === 0) return [];
  return [
    `${heading}: ${tests.length}`,
    ...tests.flatMap(({ file, title, message }) => [
      `${mark} ${[file, title].filter((part) => part !== "").join(" › ")}`,
      ...message
        .split("\n")
        .slice(0, shownMessageLines)
        .map((line) => `    ${line.slice(0, shownLineLength)}`),
    ]),
    "",
  ];
}

/** By CPU time: the elapsed time of a file depends on what else runs, and the machine's processors limit how long all of them take. */
function formatMostExpensive(files) {
  const totalMs = files.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const shown = files.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, shownFiles);
  if (shown.length === 0) return [];
  return [
    `The files that take the most CPU time, of ${formatDuration(totalMs)} in all:`,
    ...shown.map(({ file, cpuMs, durationMs }) => `${formatDuration(cpuMs).padStart(12)}  ${file} (took ${formatDuration(durationMs)})`),
  ];
}
