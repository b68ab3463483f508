import type { EventTruth } from "../checks/event-truth.ts";
import type { Run } from "../load/load.ts";
import { Samples } from "../measure/samples.ts";
import type { FaultKind } from "./fault-kinds.ts";
import type { Fault, FaultLog } from "./fault-log.ts";

/** How long the executions that a fault affects stand still: from the fault to their next committed event. */
export interface FailoverTimes {
  /** By fault and place: executions on workers may continue under another server, those on a server's own machine wait for it. */
  readonly byKind: ReadonlyMap<string, Samples>;
  watch(fault: Fault, affected: readonly Run[]): void;
}

const ofServers: ReadonlySet<FaultKind> = new Set(["kill-server", "pause-server", "cut-database", "stall-database"]);
/** They disturb no execution, or only the one that they are about. */
const ofOthers: ReadonlySet<FaultKind> = new Set(["cut-clients", "kill-agent", "stop-execution"]);

export function measureFailover(truth: EventTruth, log: Pick<FaultLog, "faults">): FailoverTimes {
  const byKind = new Map<string, Samples>();
  const watched = new Map<string, { fault: Fault; place: string; at: number; lastSeq: number }[]>();
  const add = (key: string, ms: number): void => {
    const samples = byKind.get(key) ?? new Samples();
    byKind.set(key, samples);
    samples.add(ms);
  };
  const isAlone = (fault: Fault, until: number): boolean =>
    !log.faults.some((one) => one !== fault && !ofOthers.has(one.kind) && one.at <= until && (one.healedAt ?? until) >= fault.at);
  truth.onEvent(({ attemptId, seq, seenAt }) => {
    if (attemptId === null) return;
    const waiting = watched.get(attemptId);
    if (waiting === undefined) return;
    // what was committed before the fault may be read after it
    const answered = waiting.filter(({ lastSeq, at }) => seq > lastSeq && seenAt > at + 250);
    for (const { fault, place, at } of answered) {
      add(`${fault.kind}${place}`, seenAt - at);
      if (place !== "" && isAlone(fault, seenAt)) add(`${fault.kind}${place}, without another fault meanwhile`, seenAt - at);
    }
    const left = waiting.filter((one) => !answered.includes(one));
    if (left.length === 0) watched.delete(attemptId);
    else watched.set(attemptId, left);
  });
  return {
    byKind,
    watch(fault, affected) {
      for (const { attemptId, worker } of affected) {
        const waiting = watched.get(attemptId) ?? [];
        const place = !ofServers.has(fault.kind) ? "" : worker === undefined ? ", on its machine" : ", on workers";
        watched.set(attemptId, [...waiting, { fault, place, at: Date.now(), lastSeq: truth.lastSeq }]);
      }
    },
  };
}
