import { takeStart, toOneLine, truncateCodePoints } from "../text/truncate.ts";
import type { ToolObservation } from "./tool-processor.ts";

const maxSubjectLength = 80;

/** A path, pattern or command inside a summary: one line, at most 80 code points. */
export function toSubject(text: string): string {
  // A command may be megabytes: only its start can be shown, so only that is looked at.
  return truncateCodePoints(toOneLine(takeStart(text, 1000)), maxSubjectLength);
}

export interface Verbs {
  /** While it runs: `Reading`. */
  running: string;
  /** When it did: `Read`. */
  done: string;
  /** When it did not: `Could not read`. */
  failed: string;
}

/** `Reading <subject>`, `Read <subject>`, `Could not read <subject>`, and the state where it ended in another way. */
export function summarize(observation: ToolObservation, verbs: Verbs, subject: string): string {
  const line = toSubject(subject);
  switch (observation.state) {
    case "running":
      return `${verbs.running} ${line}`;
    case "completed":
      return observation.isError ? `${verbs.failed} ${line}` : `${verbs.done} ${line}`;
    case "failed":
      return `${verbs.failed} ${line}`;
    case "denied":
      return `${verbs.running} ${line} was denied`;
    case "interrupted":
      return `${verbs.running} ${line} was interrupted`;
    case "timed-out":
      return `${verbs.running} ${line} timed out`;
  }
}

/** What follows a name or a title that stays the same: nothing while it runs and when it did its work. */
export function toEnding({ state, isError }: ToolObservation): string {
  switch (state) {
    case "running":
      return "";
    case "completed":
      return isError ? " failed" : "";
    case "failed":
      return " failed";
    case "denied":
      return " was denied";
    case "interrupted":
      return " was interrupted";
    case "timed-out":
      return " timed out";
  }
}
