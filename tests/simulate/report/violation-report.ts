import type { EventTruth } from "../checks/event-truth.ts";
import type { Violations } from "../checks/violations.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import type { SimulationOptions } from "../options.ts";

const aroundMs = 15_000;
const shownEvents = 40;

/** Each violation with its time, the faults and the committed events around it, and how to repeat the run. */
export function describeSurroundings(input: {
  options: SimulationOptions;
  violations: Violations;
  log: FaultLog;
  truth: EventTruth;
}): string {
  const { options, violations, log, truth } = input;
  const lines = [`seed ${options.seed}: ${violations.count} violations`, JSON.stringify(options), ""];
  for (const { invariant, detail, at } of violations.list) {
    lines.push(`${new Date(at).toISOString()} ${invariant}`, `  ${detail.replaceAll("\n", "\n  ")}`, "  faults around it:");
    for (const fault of log.around(at, aroundMs)) {
      const healed = fault.healedAt === undefined ? "lasts" : `${fault.healedAt - fault.at} ms`;
      lines.push(`    ${new Date(fault.at).toISOString()} ${fault.kind} ${fault.target} (${healed})`);
    }
    lines.push("  last events before it:");
    for (const event of truth
      .around(at, aroundMs)
      .filter(({ seenAt }) => seenAt <= at)
      .slice(-shownEvents))
      lines.push(`    ${new Date(event.seenAt).toISOString()} ${event.seq} ${event.type} ${event.executionId ?? event.attemptId ?? ""}`);
    lines.push("");
  }
  return lines.join("\n");
}
