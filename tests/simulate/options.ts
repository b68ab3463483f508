import { parseArgs } from "node:util";
import { type FaultKind, faultKinds } from "./faults/fault-kinds.ts";

/** What is simulated. All choices that are made at random follow from `seed`. */
export interface SimulationOptions {
  servers: number;
  workers: number;
  /** Executions at the same time; one that ends is followed by another. */
  executions: number;
  /** Lines that all agents print per second. */
  linesPerSecond: number;
  /** Lines of one execution. */
  linesPerExecution: number;
  /** Event streams of browsers. */
  clients: number;
  minutes: number;
  seed: number;
  faults: readonly FaultKind[];
  /** Mean pause between faults. */
  faultSeconds: number;
  /** The part of executions that run on the servers' own machines. */
  localShare: number;
  leaseSeconds: number;
  /** Workers know all servers: their executions continue under another one when theirs is lost. */
  failover: boolean;
  /** Keep the data dirs, also without a violation. */
  keep: boolean;
}

export const usage = `npm run simulate -- [options]
  --servers 2            servers on one Postgres
  --workers 2            workers
  --executions 8         executions at the same time
  --lines-per-second 60  of all agents together
  --lines 150            lines of one execution
  --clients 8            event streams
  --minutes 1            how long executions are started
  --seed <number>        decides everything random; default: another one each time
  --faults all           all, none, or a list: ${faultKinds.join(",")}
  --fault-seconds 8      mean pause between faults
  --local-share 0.25     part of the executions that run on the servers' machines
  --lease-seconds 5      lease of a server
  --no-failover          workers know only their own server: their executions wait for it
  --keep                 keep the data dirs, also without a violation`;

export class UsageError extends Error {}

export function parseOptions(args: readonly string[]): SimulationOptions {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      servers: { type: "string", default: "2" },
      workers: { type: "string", default: "2" },
      executions: { type: "string", default: "8" },
      "lines-per-second": { type: "string", default: "60" },
      lines: { type: "string", default: "150" },
      clients: { type: "string", default: "8" },
      minutes: { type: "string", default: "1" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      faults: { type: "string", default: "all" },
      "fault-seconds": { type: "string", default: "8" },
      "local-share": { type: "string", default: "0.25" },
      "lease-seconds": { type: "string", default: "5" },
      failover: { type: "boolean", default: true },
      keep: { type: "boolean", default: false },
    },
  });
  const number = (name: Exclude<keyof typeof values, "failover" | "keep">, least = 0): number => {
    const value = Number(values[name]);
    if (!(value >= least)) throw new UsageError(`--${name} is a number from ${least}, not “${values[name]}”.`);
    return value;
  };
  return {
    servers: number("servers", 1),
    workers: number("workers"),
    executions: number("executions", 1),
    linesPerSecond: number("lines-per-second", 1),
    linesPerExecution: number("lines", 1),
    clients: number("clients", 1),
    minutes: number("minutes"),
    seed: number("seed"),
    faults: parseFaults(values.faults),
    faultSeconds: number("fault-seconds", 0.5),
    localShare: number("local-share"),
    leaseSeconds: number("lease-seconds", 1),
    failover: values.failover,
    keep: values.keep,
  };
}

function parseFaults(text: string): FaultKind[] {
  if (text === "all") return [...faultKinds];
  if (text === "none") return [];
  return text.split(",").map((name) => {
    const kind = faultKinds.find((known) => known === name);
    if (kind === undefined) throw new UsageError(`There is no fault “${name}”. Faults: ${faultKinds.join(", ")}.`);
    return kind;
  });
}
