import type { AgentExit } from "@skein/host";
import type { ExecutionFollower } from "./execution-follower.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import type { RunnerLink } from "./runner-link.ts";

/**
 * The states of an execution from its message being saved to its end being recorded, as its owner in this server knows them:
 *
 *     waiting ⇄ starting → running → settling → recorded
 *                   └─────────────────↗
 *
 * From every state but the last, a server that closes or fails releases the execution: the agent keeps running, and the next owner
 * continues.
 */
export type LifeCycleState =
  /** The agent cannot start yet: its folder is being recorded or completed, as many run as the limits allow, or the machine is out of resources. `wakeUp` ends the wait. */
  | { name: "waiting"; wakeUp: AbortController }
  /** The runner is being started, or was found running; the log is being opened. */
  | { name: "starting" }
  /** The agent runs, and its log is read and committed. */
  | { name: "running"; follower: ExecutionFollower; runner: RunnerLink }
  /** The agent has exited, or was never started: the rest of the log is read, and the end is saved. */
  | { name: "settling"; follower: ExecutionFollower; exit: AgentExit | undefined }
  /** The end is saved, together with the start of `next` if a message was queued. */
  | { name: "recorded"; next: PreparedExecution | undefined }
  /** This server no longer owns it. */
  | { name: "released" };

type StateName = LifeCycleState["name"];

const transitions: Readonly<Record<StateName, readonly StateName[]>> = {
  waiting: ["starting", "released"],
  // back to waiting: the machine cannot start it now; directly to settling: its agent was never started
  starting: ["waiting", "running", "settling", "released"],
  running: ["settling", "released"],
  settling: ["recorded", "released"],
  recorded: [],
  released: [],
};

export interface LifeCycle {
  readonly state: LifeCycleState;
  /** Throws on an illegal transition, which is a bug. */
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
