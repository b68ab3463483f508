/** Structured: what happened, and the facts as fields. Never a prompt, a token or a key. */
export interface Logger {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

/** One JSON line per entry in a file; pino is loaded with the first one, since most starts log nothing. */
export function createFileLogger(file: string): Logger {
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
    loading.then(
      (logger) => logger[level](event, withErrorText(fields)),
      () => {}, // a log that cannot be written must not stop what it tells of
    );
  };
  return { info: log("info"), warn: log("warn"), error: log("error") };
}

function withErrorText(fields: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const error = fields?.error;
  return error instanceof Error ? { ...fields, error: { name: error.name, message: error.message, stack: error.stack } } : fields;
}
