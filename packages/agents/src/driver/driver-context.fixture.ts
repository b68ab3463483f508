import { spawn } from "node:child_process";
import type { ExecutionId } from "@skein/contracts";
import type { DriverContext } from "./driver.ts";
import type { DriverControl } from "./driver-control.ts";
import type { DriverKind, DriverOrder } from "./driver-order.ts";
import type { DriverRecord } from "./driver-record.ts";

/** A driver's context without a runner: the log is kept in memory, and programs are started directly. */
export function createTestContext(
  order: Partial<DriverOrder> & { driver: DriverKind; name: string; command: readonly [string, ...string[]]; directory: string },
  input: { stop?: AbortSignal; environment?: Readonly<Record<string, string>>; onLine?(line: string): void } = {},
): {
  context: DriverContext;
  log: Buffer[];
  records: DriverRecord[];
  /** Sends a control to the listener. */
  control(control: DriverControl): void;
} {
  const log: Buffer[] = [];
  const records: DriverRecord[] = [];
  let listener = (_control: DriverControl): void => {};
  const context: DriverContext = {
    order: {
      executionId: "exe_1" as ExecutionId,
      message: "go",
      images: [],
      sessionId: null,
      transcript: null,
      model: null,
      permissionMode: "ask",
      agentMode: null,
      grants: [],
      systemPrompts: [],
      trustsRepository: false,
      trustedFiles: [],
      options: null,
      ...order,
    },
    environment: input.environment ?? { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" },
    log(line) {
      log.push(Buffer.from(line));
      input.onLine?.(Buffer.from(line).toString("utf8"));
    },
    record: (record) => void records.push(record),
    whenWritable: () => undefined,
    startProgram: ({ program, args, directory, environment, stdin }) =>
      spawn(program, args, { cwd: directory, env: { ...environment }, stdio: [stdin, "pipe", "pipe"], detached: true }),
    logErrors: (source) => void source.resume(),
    onControl(next) {
      listener = next;
    },
    stop: input.stop ?? new AbortController().signal,
  };
  return { context, log, records, control: (control) => listener(control) };
}
