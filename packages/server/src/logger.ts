import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Redact } from "./redact-secrets.ts";

/** Structured log: an event and its fields. Callers pass no prompts; tokens and keys are redacted. */
export interface Logger {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

/**
 * Writes one redacted JSON line per entry to a 0600 file. pino is loaded with the first entry, because most starts log nothing. Entries
 * that cannot be written are counted, and the count is logged once the file is writable again.
 */
export function createFileLogger(file: string, redact: Redact): Logger {
  let loading: Promise<Logger> | undefined;
  const load = async (): Promise<Logger> => {
    const { default: pino } = await import("pino");
    const target = pino(
      { level: "info" },
      createLogFile(file, (lost) => target.warn({ lost }, "entries could not be written to this log")),
    );
    return {
      info: (event, fields) => target.info(fields ?? {}, event),
      warn: (event, fields) => target.warn(fields ?? {}, event),
      error: (event, fields) => target.error(fields ?? {}, event),
    };
  };
  const log = (level: keyof Logger) => (event: string, fields?: Record<string, unknown>) => {
    loading ??= load();
    const entry = redactEntry(redact, event, fields);
    loading.then(
      (logger) => logger[level](entry.event, entry.fields),
      () => {}, // a failing log must not affect its callers
    );
  };
  return { info: log("info"), warn: log("warn"), error: log("error") };
}

/**
 * Appends lines to a file and never throws: pino's own stream would end the process at the first failed write. The file is reopened
 * after a failure, because its folder may have been unavailable from the start.
 */
export function createLogFile(file: string, onLost: (count: number) => void): { write(line: string): void } {
  let descriptor: number | undefined;
  let lost = 0;
  /** The last line was written only partially. */
  let isCut = false;

  function append(text: string): void {
    const bytes = Buffer.from(isCut ? `\n${text}` : text);
    for (let written = 0; written < bytes.length; ) {
      if (descriptor === undefined) {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        descriptor = openSync(file, "a", 0o600);
      }
      written += writeSync(descriptor, bytes, written);
      isCut = written < bytes.length;
    }
  }

  return {
    write(line) {
      try {
        append(line);
      } catch {
        lost++;
        if (descriptor !== undefined) closeQuietly(descriptor);
        descriptor = undefined;
        return;
      }
      if (lost === 0) return;
      const count = lost;
      lost = 0;
      onLost(count);
    },
  };
}

function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // buffered entries could not be written either
  }
}

/** Drops an entry that cannot be redacted because reading it throws. */
function redactEntry(
  redact: Redact,
  event: string,
  fields: Record<string, unknown> = {},
): { event: string; fields: Record<string, unknown> } {
  try {
    return redact({ event, fields }) as { event: string; fields: Record<string, unknown> };
  } catch {
    return { event: "an entry of this log could not be redacted", fields: {} };
  }
}
