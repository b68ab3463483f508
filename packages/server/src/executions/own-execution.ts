import type { RunningExecution } from "@skein/contracts";
import type { AgentExit } from "@skein/host";
import type { StartingLife } from "./agent-starter.ts";
import type { FollowedExecution, HostedContext } from "./execution-context.ts";
import { createExecutionFollower, type ExecutionFollower } from "./execution-follower.ts";
import { createLifeCycle, type LifeCycleState } from "./life-cycle.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { openRunnerLink } from "./runner-link.ts";
import type { StopRequests } from "./stop-requests.ts";
import type { TreeRecorder } from "./tree-recorder.ts";
import { isWaitingForHost } from "./waiting-for-host.ts";

/** The log is also polled, in case a report of the runner is missed. */
const pollMs = 1000;

/** One execution owned by this server, from its start to its recorded end. */
export interface OwnedExecution {
  readonly execution: RunningExecution;
  /** Its agent runs on a worker, which may not be connected. */
  readonly isRemote: boolean;
  readonly state: LifeCycleState;
  /** Resolves when the log is being read, the execution waits for a slot, or was released; rejects if that failed. */
  readonly opened: Promise<void>;
  /** Resolves when the initial content of the log has been read. */
  caughtUp(): Promise<void>;
  /**
   * Resolves when its end is saved, with the next execution if a message was queued; also when it was released. Rejects if it could
   * not be followed. In each case it has no owner afterwards.
   */
  readonly over: Promise<PreparedExecution | undefined>;
  /** Acts on a stop request, in any state. */
  stop(): void;
  /** Stops following; the agent keeps running. */
  release(): Promise<void>;
}

/** Takes an execution through its life cycle. The steps are in the order in which they happen. */
export function ownExecution(input: {
  context: HostedContext;
  followed: FollowedExecution;
  stops: StopRequests;
  trees: TreeRecorder;
  /** Resolves when its runner is running, or with the end of an execution whose agent was not started. */
  start(life: StartingLife): Promise<AgentExit | undefined>;
  /** Called for a stop that arrived after the decision to start the next message: it applies to that one (E4). */
  onLateStop(next: PreparedExecution): void;
}): OwnedExecution {
  const { context, followed, stops, trees } = input;
  const { execution, attempt } = followed;
  const cycle = createLifeCycle();
  const opened = Promise.withResolvers<void>();
  opened.promise.catch(() => {}); // callers that await it get the rejection
  let caughtUp: Promise<void> = opened.promise;
  const isReleased = (): boolean => cycle.state.name === "released";
  const isStopRequested = (): boolean => stops.isRequested(execution.id);

  async function live(): Promise<PreparedExecution | undefined> {
    await stops.load(execution.id);
    if (isReleased()) return undefined;
    if (isStopRequested()) stop();
    const exitBeforeStart = await input.start({ cycle, isStopRequested, isReleased, onWaiting: opened.resolve });
    if (isReleased()) return undefined;
    const follower = await openLog();
    try {
      if (isReleased()) return undefined;
      startReading(follower);
      const exit = exitBeforeStart ?? (await run(follower));
      return isReleased() ? undefined : await settle(follower, exit);
    } finally {
      await follower.close();
    }
  }

  async function openLog(): Promise<ExecutionFollower> {
    if (cycle.state.name === "waiting") cycle.enter({ name: "starting" });
    const position = await context.storage.read.getIngestPosition({ executionId: execution.id });
    const follower = await createExecutionFollower({ context, ...followed, position });
    if (!isReleased()) trees.expect(execution.id);
    return follower;
  }

  function startReading(follower: ExecutionFollower): void {
    caughtUp = pump(follower);
    opened.resolve();
  }

  /** Reads the log while the agent runs. Resolves with its exit; undefined if none was recorded. */
  async function run(follower: ExecutionFollower): Promise<AgentExit | undefined> {
    const runner = openRunnerLink({
      context,
      followed,
      isStopRequested,
      onLog: () => void pump(follower),
      onRefusedControl: follower.reportRefusedControl,
    });
    cycle.enter({ name: "running", follower, runner });
    const poll = setInterval(() => void pump(follower), pollMs).unref();
    try {
      return await runner.ended;
    } finally {
      clearInterval(poll);
      runner.detach();
    }
  }

  async function settle(follower: ExecutionFollower, exit: AgentExit | undefined): Promise<PreparedExecution | undefined> {
    cycle.enter({ name: "settling", follower, exit });
    if (exit?.refusedControl === true) follower.reportRefusedControl();
    const next = await follower.finish(exit, {
      wasStopped: () => isStopRequested() || exit?.wasStopped === true,
      wasStoppedByUser: isStopRequested,
    });
    if (isReleased()) return undefined;
    // before the end is announced: the folder must not be removed or written to until it is recorded
    void trees.record(attempt, execution.id);
    cycle.enter({ name: "recorded", next });
    if (isStopRequested()) stop();
    return next;
  }

  function pump(follower: ExecutionFollower): Promise<void> {
    return follower.pump().catch((error: unknown) => {
      // it is read again once the host is connected
      if (!isWaitingForHost(error)) context.logger.error("log could not be read", { executionId: execution.id, error });
    });
  }

  function stop(): void {
    const { state } = cycle;
    switch (state.name) {
      case "waiting":
        state.wakeUp.abort();
        break;
      case "running":
        state.runner.stop();
        break;
      case "recorded":
        if (state.next !== undefined) input.onLateStop(state.next);
        break;
      case "starting": // sent when the runner is connected
      case "settling": // the settling transaction checks it
      case "released":
        break;
    }
  }

  async function release(): Promise<void> {
    const { state } = cycle;
    if (state.name === "recorded" || state.name === "released") return;
    cycle.enter({ name: "released" });
    if (state.name === "waiting") state.wakeUp.abort();
    if (state.name === "running") state.runner.detach();
    if (state.name === "running" || state.name === "settling") await state.follower.close();
    else await over.catch(() => {});
  }

  const over = live();
  over.then(() => opened.resolve(), opened.reject);
  return {
    execution,
    isRemote: typeof attempt.hostId === "string",
    get state() {
      return cycle.state;
    },
    opened: opened.promise,
    caughtUp: () => caughtUp,
    over,
    stop,
    release,
  };
}
