import type { EventTruth } from "../checks/event-truth.ts";
import type { Run } from "../load/load.ts";
import { Samples } from "../measure/samples.ts";
import type { FaultKind } from "./fault-kinds.ts";

/** How long the executions that a fault affects stand still: from the fault to their next committed event. */
export interface FailoverTimes {
  readonly byKind: ReadonlyMap<FaultKind, Samples>;
  watch(kind: FaultKind, affected: readonly Run[]): void;
}

export function measureFailover(truth: EventTruth): FailoverTimes {
  const byKind = new Map<FaultKind, Samples>();
  const watched = new Map<string, { kind: FaultKind; at: number; lastSeq: number }[]>();
  truth.onEvent(({ attemptId, seq, seenAt }) => {
    if (attemptId === null) return;
    const waiting = watched.get(attemptId);
    if (waiting === undefined) return;
    // what was committed before the fault may be read after it
    const answered = waiting.filter(({ lastSeq, at }) => seq > lastSeq && seenAt > at + 250);
    for (const { kind, at } of answered) {
      const samples = byKind.get(kind) ?? new Samples();
      byKind.set(kind, samples);
      samples.add(seenAt - at);
    }
    const left = waiting.filter((one) => !answered.includes(one));
    if (left.length === 0) watched.delete(attemptId);
    else watched.set(attemptId, left);
  });
  return {
    byKind,
    watch(kind, affected) {
      for (const { attemptId } of affected) {
        const waiting = watched.get(attemptId) ?? [];
        watched.set(attemptId, [...waiting, { kind, at: Date.now(), lastSeq: truth.lastSeq }]);
      }
    },
  };
}
