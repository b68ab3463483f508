import type { Readable } from "node:stream";
import type { MessageText, NoticeText } from "@skein/contracts";
import type { LogRecord } from "@skein/contracts/log-record";
import { writeWhole } from "./execution-folder.ts";
import { runScript, type ScriptEnd } from "./run-script.ts";

/*
 * What is reported and done before an agent starts: records at the head of the execution log, the last of them
 * `agent-started`. So it is read, shown and kept like all that follows.
 */

export interface SetupOrder {
  script: string;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Written when the script has succeeded: it is not run again for this folder. */
  doneFile: string;
}

export interface Preamble {
  notices: readonly MessageText[];
  setup?: SetupOrder;
}

const maxShownCharacters = 1024 * 1024;
const maxKeptCharacters = 64 * 1024;

export interface RunningPreamble {
  /** Resolves with the reason when the agent must not start. */
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
    kept[stream] = keepEnd(kept[stream] + text);
    // a script that never stops printing must not fill the disk: its end tells what it printed last
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
    // it will be run once more, which a setup script must bear
  }
}

function explainFailure({ exitCode, signal, timedOut, startError }: ScriptEnd, timeoutMs: number): NoticeText | undefined {
  if (timedOut) return { code: "setup-timed-out", seconds: Math.round(timeoutMs / 1000) };
  if (startError !== undefined) return { code: "setup-not-started", reason: startError };
  if (exitCode === null) return { code: "setup-ended-by-signal", signal: signal ?? "a signal" };
  return exitCode === 0 ? undefined : { code: "setup-failed", exitCode };
}

/** Not between the two halves of a surrogate pair. */
function keepEnd(text: string): string {
  if (text.length <= maxKeptCharacters) return text;
  const end = text.slice(-maxKeptCharacters);
  const first = end.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? end.slice(1) : end;
}
