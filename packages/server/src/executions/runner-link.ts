import type { Approval, Attempt, QueuedMessage } from "@skein/contracts";
import type { AgentExit } from "@skein/host";
import type { FollowedExecution, HostedContext } from "./execution-context.ts";
import { toSteeredMessageId } from "./save-facts.ts";

/** Sends input to the agent of one execution, in the agent's own protocol, for as long as its runner lives. */
export interface RunnerLink {
  /** How the agent ended. Undefined if it is gone without a recorded exit, and after `detach`. */
  readonly ended: Promise<AgentExit | undefined>;
  /** Ends the agent and everything it started: first by SIGTERM, then by SIGKILL. */
  stop(): void;
  answer(approval: Approval): void;
  /** Sends a queued message to the running agent, if it supports steering. */
  steer(queued: QueuedMessage): void;
  /** Sends changed settings to the running agent, if it supports that. */
  changeSettings(settings: Pick<Attempt, "model" | "permissionMode" | "agentMode">): void;
  /** Lets the agent make a call of a model; without an id: makes it ask before each one from now on. */
  controlCalls(callId?: string): void;
  /** Closes the connection; the agent keeps running. */
  detach(): void;
}

export function openRunnerLink(input: {
  context: Pick<HostedContext, "storage" | "host" | "spending">;
  followed: FollowedExecution;
  /** Whether the user requested a stop: sent to the runner as soon as it is connected. */
  isStopRequested(): boolean;
  /** The log has grown. */
  onLog(): void;
  onRefusedControl(): void;
}): RunnerLink {
  const { context, followed, isStopRequested, onLog, onRefusedControl } = input;
  const { execution, adapter } = followed;
  const { executions } = context.host;
  const { id } = execution;

  async function follow(): Promise<AgentExit | undefined> {
    for await (const report of executions.attach({ id })) {
      if (report.type === "connected") await sendMissed();
      else if (report.type === "log") onLog();
      else if (report.type === "control-refused") onRefusedControl();
      else return report.exit ?? undefined;
    }
    return undefined;
  }

  const stop = (): void => void executions.stop({ id });

  /** Sends what arrived while no server was connected. Sending it twice is harmless. */
  async function sendMissed(): Promise<void> {
    if (isStopRequested()) stop();
    context.spending?.connected(followed);
    const { read } = context.storage;
    for (const approval of await read.listApprovals({ executionId: id, status: "answered" })) answer(approval);
    for (const queued of await read.listQueuedMessages({ attemptId: execution.attemptId })) steer(queued);
  }

  function answer(approval: Approval): void {
    if (approval.status !== "answered") return;
    const { toolUseId, requestId, toolName, input, decision, answerReason: reason, grant, answers, plan } = approval;
    send(adapter.encodeApproval({ toolUseId, requestId, toolName, input, decision, reason, grant, answers, plan }));
  }

  function steer({ id, message, images, steer: isSteering }: QueuedMessage): void {
    if (isSteering) send(adapter.encodeSteering?.({ id: toSteeredMessageId(id), text: message, images }));
  }

  function send(data: string | undefined): void {
    if (data !== undefined) void executions.send({ id, data });
  }

  return {
    ended: follow(),
    stop,
    answer,
    steer,
    controlCalls: (callId) => send(callId === undefined ? adapter.callControl?.ask() : adapter.callControl?.grant(callId)),
    changeSettings: (settings) => send(adapter.encodeSettings?.(settings)),
    detach: () => void executions.detach({ id }),
  };
}
