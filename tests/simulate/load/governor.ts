import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { SimulatedServer } from "../cluster/cluster.ts";

/**
 * Gives the cluster as much to do as this machine carries. Agents and clients run on the cores that the servers need; a server that waits for
 * a core most of the time is no longer the one that is to be measured. Then fewer executions run, until servers get their time again.
 */
export interface Governor {
  /** Executions at the same time, on average since the start. */
  readonly mean: number;
  /** The time that servers had, in milliseconds: without what they waited for a core. Limits of time are measured with it. */
  elapsed(): number;
  /** Resolves when that many executions may run, or `isOver`. Lanes with low numbers come first. */
  untilAllowed(lane: number, isOver: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

const windowMs = 3000;
const pollMs = 300;
/** Parts of the time that the main thread of a server was ready to run and did not. */
const [tooMuch, little] = [0.5, 0.3];
const fewest = 2;

export function startGovernor(servers: readonly SimulatedServer[], { executions }: { executions: number }): Governor {
  let allowed = Math.min(executions, Math.max(fewest, Math.ceil(executions / 3)));
  let isStopped = false;
  let sum = 0;
  let windows = 0;
  let before = readWaits(servers);
  let elapsedMs = 0;
  let windowAt = performance.now();
  let share = 0;

  const running = (async () => {
    while (!isStopped) {
      await wait(windowMs);
      const now = readWaits(servers);
      const shares = [...now].flatMap(([pid, ms]) => {
        const last = before.get(pid);
        return last === undefined ? [] : [(ms - last) / (performance.now() - windowAt)];
      });
      before = now;
      const worst = Math.min(1, Math.max(0, ...shares));
      elapsedMs += (performance.now() - windowAt) * (1 - worst);
      windowAt = performance.now();
      share = worst;
      if (worst > tooMuch) allowed = Math.max(fewest, Math.floor(allowed * 0.8));
      else if (worst < little) allowed = Math.min(executions, allowed + 1);
      sum += allowed;
      windows++;
    }
  })();

  return {
    get mean() {
      return windows === 0 ? allowed : sum / windows;
    },
    elapsed: () => elapsedMs + (performance.now() - windowAt) * (1 - share),
    async untilAllowed(lane, isOver) {
      while (lane >= allowed && !isOver()) await wait(pollMs);
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Milliseconds that the main thread of each running server has waited for a core. A paused one does not count. */
function readWaits(servers: readonly SimulatedServer[]): Map<number, number> {
  const waits = new Map<number, number>();
  for (const { process } of servers) {
    if (!process.isRunning || process.isPaused) continue;
    try {
      const [, nanoseconds = "0"] = readFileSync(`/proc/${process.pid}/schedstat`, "utf8").split(" ");
      waits.set(process.pid, Number(nanoseconds) / 1e6);
    } catch {
      // it has just ended
    }
  }
  return waits;
}
