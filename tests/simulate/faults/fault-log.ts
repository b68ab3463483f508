import { appendFileSync } from "node:fs";
import type { FaultKind } from "./fault-kinds.ts";

export interface Fault {
  kind: FaultKind;
  target: string;
  at: number;
  /** Undefined while it lasts. */
  healedAt: number | undefined;
}

/** When which fault happened, in memory and in a file. */
export interface FaultLog {
  readonly faults: readonly Fault[];
  begin(kind: FaultKind, target: string): Fault;
  heal(fault: Fault): void;
  around(at: number, withinMs: number): Fault[];
}

export function createFaultLog(file: string): FaultLog {
  const faults: Fault[] = [];
  const write = (text: string): void => appendFileSync(file, `${new Date().toISOString()} ${text}\n`);
  return {
    faults,
    begin(kind, target) {
      const fault: Fault = { kind, target, at: Date.now(), healedAt: undefined };
      faults.push(fault);
      write(`begin ${kind} ${target}`);
      return fault;
    },
    heal(fault) {
      fault.healedAt = Date.now();
      write(`heal  ${fault.kind} ${fault.target} after ${fault.healedAt - fault.at} ms`);
    },
    around: (at, withinMs) => faults.filter((fault) => fault.at - withinMs <= at && (fault.healedAt ?? Date.now()) + withinMs >= at),
  };
}
