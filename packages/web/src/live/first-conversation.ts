import type { AttemptId, ConversationPage, TaskId } from "@skein/contracts";
import { eventStream } from "./live.ts";

let first: { taskId: TaskId; page: ConversationPage } | undefined;

/**
 * The conversation that came with the page's first data, for whoever opens it. It is dropped with the first event of its task: a
 * session that is opened later has not received that event.
 */
export const firstConversation = {
  put(taskId: TaskId, page: ConversationPage): void {
    first = { taskId, page };
    const unsubscribe = eventStream.subscribe(({ event }) => {
      if (!("taskId" in event) || event.taskId !== taskId) return;
      first = undefined;
      unsubscribe();
    });
  },
  take(taskId: TaskId, attemptId: AttemptId | undefined): ConversationPage | undefined {
    if (first?.taskId !== taskId || (attemptId !== undefined && first.page.attemptId !== attemptId)) return undefined;
    const { page } = first;
    first = undefined;
    return page;
  },
};
