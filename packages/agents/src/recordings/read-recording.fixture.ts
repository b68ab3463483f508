import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LogLine } from "@skein/engine";

/** The time of a recording's first line; each further one is a second later. */
const start = 1_700_000_000_000;

export function listRecordings(agent: string, matching: RegExp): string[] {
  return readdirSync(join(import.meta.dirname, "..", agent, "__fixtures__"))
    .filter((name) => matching.test(name))
    .toSorted();
}

/** The lines of a recording as in an execution log. */
export function readRecording(agent: string, name: string): LogLine[] {
  const text = readFileSync(join(import.meta.dirname, "..", agent, "__fixtures__", name), "utf8");
  return toLogLines(text.split("\n").filter((line) => line !== ""));
}

/**
 * A recording of both directions, one `{ dir, ms, msg }` per line. The log has the agent's output and the requests that were sent to it,
 * not the answers to its own. `no/such` was sent as an experiment: Skein never does.
 */
export function readTwoWayRecording(agent: string, name: string): LogLine[] {
  const messages = readRecording(agent, name).map((line) => JSON.parse(line.text) as { dir: string; msg: Record<string, unknown> });
  const strange = new Set(messages.filter(({ msg }) => msg.method === "no/such").map(({ msg }) => msg.id));
  const kept = messages.filter(({ dir, msg }) => {
    const isSent = ["send", "stdin", "client"].includes(dir);
    if (msg.method === "no/such" || (strange.has(msg.id) && !isSent && msg.method === undefined)) return false;
    return !isSent || msg.method !== undefined;
  });
  return toLogLines(kept.map(({ msg }) => JSON.stringify(msg)));
}

export function toLogLines(texts: readonly string[]): LogLine[] {
  let offset = 0;
  return texts.map((text, number) => {
    const line = { text, offset, at: start + number * 1000 };
    offset += Buffer.byteLength(text) + 1;
    return line;
  });
}
