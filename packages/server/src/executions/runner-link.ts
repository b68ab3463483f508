import type { Approval, Attempt, QueuedMessage } from "@skein/contracts";
import type { AgentExit } from "@skein/host";
import type { FollowedExecution, HostedContext } from "./execution-context.ts";
import { toSteeredMessageId } from "./save-facts.ts";

/** What the agent of one execution is sent, in its own words, for as long as its runner lives. */
export interface RunnerLink {
  /** How the agent ended. Undefined when it is gone and nobody saw its end, and after `detach`. */
  readonly ended: Promise<AgentExit | undefined>;
  /** Ends the agent and everything it started; gently at first. */
  stop(): void;
  answer(approval: Approval): void;
  /** Sends a queued message to the agent at work, where it takes one. */
  steer(queued: QueuedMessage): void;
  /** Sends the agent at work what it is to use and may do from now on, where it takes that. */
  changeSettings(settings: Pick<Attempt, "model" | "permissionMode" | "agentMode">): void;
  /** Closes the connection; the agent keeps running. */
  detach(): void;
}

export function openRunnerLink(input: {
  context: Pick<HostedContext, "storage" | "host">;
  followed: FollowedExecution;
  /** Whether a user has asked to stop it: sent to the runner as soon as it is reached. */
  isStopRequested(): boolean;
  /** There is more in the log. */
  onLog(): void;
  onRefusedControl(): void;
}): RunnerLink {
  const { context, followed, isStopRequested, onLog, onRefusedControl } = input;
  const { execution, adapter } = followed;
  const link = context.host.executions.attach({ id: execution.id, onConnect, onLog, onRefusedControl });

  /** Sends what came while no server was connected. Sending it twice does no harm. */
  async function onConnect(): Promise<void> {
    if (isStopRequested()) link.stop();
    const { read } = context.storage;
    for (const approval of await read.listApprovals({ executionId: execution.id, status: "answered" })) answer(approval);
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
    if (data !== undefined) link.send(data);
  }

  return {
    ended: link.ended,
    stop: link.stop,
    answer,
    steer,
    changeSettings: (settings) => send(adapter.encodeSettings?.(settings)),
    detach: link.detach,
  };
}
