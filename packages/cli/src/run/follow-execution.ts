import {
  type ConversationState,
  type Delivery,
  type EndedExecution,
  type ExecutionId,
  executionSchema,
  type Health,
  type TaskId,
} from "@skein/contracts";
import type { ApiClient } from "../client/api-client.ts";
import { followEvents } from "../client/event-stream.ts";

/** Passes every event of the task to `onEvent`, up to and including the end of the execution, which it returns. */
export async function followExecution(
  client: ApiClient,
  options: {
    taskId: TaskId;
    after: number;
    executionId: ExecutionId;
    onEvent: (received: Delivery) => void;
    onHealth: (health: Health) => void;
    signal: AbortSignal;
  },
): Promise<EndedExecution> {
  const events = followEvents(client, options);
  for await (const received of events) {
    options.onEvent(received);
    const { event } = received;
    if (event.type === "state:conversation-sync") {
      const ended = await findEnded(client, event.state, options.executionId);
      if (ended !== undefined) return ended;
    }
    if (event.type !== "execution:completed" || event.executionId !== options.executionId) continue;
    if (event.execution.status !== "running") return event.execution;
  }
  throw options.signal.reason;
}

/** After a long disconnect, its end may be among the events that are not replayed. */
async function findEnded(
  client: ApiClient,
  state: ConversationState | undefined,
  executionId: ExecutionId,
): Promise<EndedExecution | undefined> {
  if (state === undefined || state.attemptId === null || state.currentExecution?.id === executionId) return undefined;
  const executions = await client.get(`/api/attempts/${state.attemptId}/executions`, executionSchema.array());
  const found = executions.find(({ id }) => id === executionId);
  return found === undefined || found.status === "running" ? undefined : found;
}
