import { setTimeout as wait } from "node:timers/promises";
import type { Violations } from "../checks/violations.ts";
import { findOwners, isConnected, isReady } from "../cluster/cluster.ts";
import type { Governor } from "../load/governor.ts";
import { createRandom } from "../random.mjs";
import type { FailoverTimes } from "./failover-times.ts";
import type { FaultLog } from "./fault-log.ts";
import { type FaultInput, planFault } from "./inject-fault.ts";

export interface FaultSchedule {
  /** Begins no more faults; resolves when those that last are healed and everything runs again. */
  stop(): Promise<void>;
}

const returnPatienceMs = 180_000;

/** Faults at random moments, several at the same time if they fall so. */
export function startFaults(
  input: Omit<FaultInput, "random" | "owners"> & {
    log: FaultLog;
    times: FailoverTimes;
    violations: Violations;
    governor: Pick<Governor, "elapsed">;
  },
): FaultSchedule {
  const { options, cluster, log, times, violations, governor } = input;
  const random = createRandom(options.seed + 2);
  const active = new Set<Promise<void>>();
  const busy = new Set<string>();
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> => wait(ms, undefined, { signal: stopping.signal }).catch(() => {});

  const happen = async (): Promise<void> => {
    const kind = random.pick(options.faults);
    const planned = planFault(kind, { ...input, random, owners: await findOwners(cluster) });
    // one fault at a time for each target
    if (planned === undefined || busy.has(planned.target)) return;
    busy.add(planned.target);
    const fault = log.begin(kind, planned.target);
    times.watch(fault, planned.affected);
    try {
      await planned.begin();
      await pause(planned.durationMs);
      await planned.heal();
    } catch (error) {
      violations.add("faults can be healed", `${kind} ${planned.target}: ${error}`);
    } finally {
      log.heal(fault);
      busy.delete(planned.target);
    }
  };
  const running = (async () => {
    while (options.faults.length > 0 && !stopping.signal.aborted) {
      await pause(-Math.log(1 - random.number()) * options.faultSeconds * 1000);
      if (stopping.signal.aborted) return;
      const one = happen().finally(() => active.delete(one));
      active.add(one);
    }
  })();

  return {
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(active);
      let missing: string[] = [];
      const isBack = async (): Promise<boolean> => {
        const servers = await Promise.all(cluster.servers.map(async (one) => ((await isReady(one)) ? [] : [one.name])));
        const workers = await Promise.all(cluster.workers.map(async (one) => ((await isConnected(one)) ? [] : [one.name])));
        missing = [...servers, ...workers].flat();
        return missing.length === 0;
      };
      for (const until = governor.elapsed() + returnPatienceMs; !(await isBack()) && governor.elapsed() < until; ) await wait(500);
      if (missing.length > 0)
        violations.add("servers and workers return after faults", `${missing.join(", ")} after ${returnPatienceMs / 1000} s`);
    },
  };
}
