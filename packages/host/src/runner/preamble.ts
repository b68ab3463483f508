import type { Readable } from "node:stream";
import type { MessageText, NoticeText } from "@skein/contracts";
import type { LogRecord } from "@skein/contracts/log-record";
import { takeEnd } from "@skein/engine/truncate";
import { writeWhole } from "./execution-folder.ts";
import { runScript, type ScriptEnd } from "./run-script.ts";

/*
 * What happens before an agent starts, as records at the head of the execution log, the last of them `agent-started`. They are read,
 * shown and kept like the rest of the log.
 */

export interface SetupOrder {
  script: string;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Created when the script has succeeded: it is not run again for this folder. */
  doneFile: string;
}

/** What a runner does and reports before the agent starts. */
export interface Preamble {
  notices: readonly MessageText[];
  setup?: SetupOrder;
}

const maxShownCharacters = 1024 * 1024;
const maxKeptCharacters = 64 * 1024;

export interface RunningPreamble {
  /** Resolves with the reason if the agent must not start. */
  readonly ended: Promise<NoticeText | undefined>;
  readonly sources: readonly Readable[];
  stop(): void;
}

export function runPreamble(
  { notices, setup }: Preamble,
  place: { cwd: string; executionId: string; cgroup: string | undefined },
  record: (record: LogRecord) => void,
): RunningPreamble {
  for (const text of notices) record({ type: "notice", text });
  if (setup === undefined) {
    record({ type: "agent-started" });
    return { ended: Promise.resolve(undefined), sources: [], stop: () => {} };
  }
  record({ type: "setup-started", script: setup.script });
  const kept = { stdout: "", stderr: "" };
  let shown = 0;
  const { script, environment, timeoutMs } = setup;
  const { cwd, executionId: marker, cgroup } = place;
  const running = runScript({ script, environment, timeoutMs, cwd, marker, cgroup }, (stream, text) => {
    if (text === "") return;
    kept[stream] = takeEnd(kept[stream] + text, maxKeptCharacters);
    // limits what an endless script writes to disk; its last output is kept
    if (shown < maxShownCharacters) record({ type: "setup-output", text });
    shown += text.length;
  });
  const ended = running.ended.then((end) => {
    record({ type: "setup-ended", ...end, ...kept });
    const failure = explainFailure(end, setup.timeoutMs);
    if (failure !== undefined) return failure;
    rememberSuccess(setup.doneFile);
    record({ type: "agent-started" });
    return undefined;
  });
  return { ended, sources: running.sources, stop: () => running.stop() };
}

function rememberSuccess(doneFile: string): void {
  try {
    writeWhole(doneFile, { at: Date.now() });
  } catch {
    // the script will run again, which setup scripts must tolerate
  }
}

function explainFailure({ exitCode, signal, timedOut, startError }: ScriptEnd, timeoutMs: number): NoticeText | undefined {
  if (timedOut) return { code: "setup-timed-out", seconds: Math.round(timeoutMs / 1000) };
  if (startError !== undefined) return { code: "setup-not-started", reason: startError };
  if (exitCode === null) return { code: "setup-ended-by-signal", signal: signal ?? "a signal" };
  return exitCode === 0 ? undefined : { code: "setup-failed", exitCode };
}
