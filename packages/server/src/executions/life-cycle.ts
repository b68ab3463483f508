import type { AgentExit } from "@skein/host";
import type { ExecutionFollower } from "./execution-follower.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import type { RunnerLink } from "./runner-link.ts";

/**
 * Where an execution is between its message being saved and its end being recorded, as its owner in this server knows it:
 *
 *     waiting ⇄ starting → running → settling → recorded
 *                   └─────────────────↗
 *
 * From every state but the last, a server that closes or fails releases it: the agent keeps running, and whoever finds the
 * execution without an owner continues.
 */
export type LifeCycleState =
  /** Its agent may not start yet: the folder is being recorded or completed, or the machine has no room. `wakeUp` ends the wait. */
  | { name: "waiting"; wakeUp: AbortController }
  /** Its runner is being started, or was found running; its log is being opened. */
  | { name: "starting" }
  /** The agent works, and its log is read and committed. */
  | { name: "running"; follower: ExecutionFollower; runner: RunnerLink }
  /** The agent is gone, or was never started: what is left of the log is read, and the end is saved. */
  | { name: "settling"; follower: ExecutionFollower; exit: AgentExit | undefined }
  /** The end is saved, together with the start of `next` if a message waited. */
  | { name: "recorded"; next: PreparedExecution | undefined }
  /** This server does not own it any more. */
  | { name: "released" };

type StateName = LifeCycleState["name"];

const transitions: Readonly<Record<StateName, readonly StateName[]>> = {
  waiting: ["starting", "released"],
  // back to waiting: the machine cannot start it now; settling at once: its agent was never started
  starting: ["waiting", "running", "settling", "released"],
  running: ["settling", "released"],
  settling: ["recorded", "released"],
  recorded: [],
  released: [],
};

export interface LifeCycle {
  readonly state: LifeCycleState;
  /** Throws for a transition that does not exist: that is a bug. */
  enter(next: LifeCycleState): void;
}

export function createLifeCycle(): LifeCycle {
  let state: LifeCycleState = { name: "waiting", wakeUp: new AbortController() };
  return {
    get state() {
      return state;
    },
    enter(next) {
      if (!transitions[state.name].includes(next.name)) throw new Error(`An execution that is ${state.name} cannot be ${next.name}.`);
      state = next;
    },
  };
}
