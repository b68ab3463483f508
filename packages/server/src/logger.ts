import type { Redact } from "./redact-secrets.ts";

/** Structured: what happened, and the facts as fields. Callers pass no prompts; tokens and keys are redacted. */
export interface Logger {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

/** One JSON line per entry in a 0600 file, redacted. pino is loaded with the first one, since most starts log nothing. */
export function createFileLogger(file: string, redact: Redact): Logger {
  let loading: Promise<Logger> | undefined;
  const load = async (): Promise<Logger> => {
    const { default: pino } = await import("pino");
    const target = pino({ level: "info" }, pino.destination({ dest: file, mkdir: true, mode: 0o600, sync: true }));
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
      () => {}, // a log that cannot be written must not stop what it reports
    );
  };
  return { info: log("info"), warn: log("warn"), error: log("error") };
}

/** What cannot be redacted, because reading it throws, is not written at all. */
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
