import type { ConversationMessage, ConversationPage } from "@skein/contracts";
import { getAttempt, getTask } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { ServiceError } from "./service-error.ts";
import type { Services } from "./services.ts";

export function createConversationService({ storage, supervisor }: ServiceContext): Services["conversation"] {
  return {
    page: (query) =>
      storage.snapshot(async (reader): Promise<ConversationPage> => {
        const task = await getTask(reader, query.taskId);
        const attemptId = query.attemptId ?? task.activeAttemptId;
        const lastSeq = await reader.getLastSeq();
        if (attemptId === null) {
          return { messages: [], isExecuting: false, canSendMessage: false, attemptId, queue: [], approvals: [], lastSeq, hasMore: false };
        }
        const attempt = await getAttempt(reader, attemptId);
        if (attempt.taskId !== task.id) {
          throw new ServiceError("not-found", "attempt-not-found", `The attempt ${attemptId} does not belong to the task ${task.id}.`);
        }
        const { messages, hasMore } = await reader.listConversationMessages({ attemptId, before: query.before, limit: query.limit });
        const [currentExecution] = await reader.listRunningExecutions({ attemptId });
        return {
          messages: query.before === undefined ? withLive(messages, supervisor.liveMessages(attemptId)) : messages,
          isExecuting: currentExecution !== undefined,
          ...(currentExecution === undefined ? {} : { currentExecution }),
          canSendMessage: attempt.active,
          attemptId,
          queue: await reader.listQueuedMessages({ attemptId }),
          approvals: await reader.listApprovals({ attemptId, status: "pending" }),
          lastSeq,
          hasMore,
        };
      }),
  };
}

/** What is shown from memory, on top of what is committed; a commit in between has the higher or the same revision. */
function withLive(committed: ConversationMessage[], live: readonly ConversationMessage[]): ConversationMessage[] {
  if (live.length === 0) return committed;
  const known = new Map(committed.map((message) => [message.id, message]));
  for (const message of live) {
    const before = known.get(message.id);
    if (before === undefined || before.revision < message.revision) known.set(message.id, message);
  }
  const replaced = new Set(live.flatMap((message) => (message.messageType === "tool_execution" ? (message.metadata.replaces ?? []) : [])));
  return [...known.values()].filter((message) => !replaced.has(message.id));
}
