import type { FeedbackItem, InboxItemId } from "@skein/contracts";
import { pullRequestApi } from "../api/pull-request-api.ts";
import { readTaskText } from "../i18n/task-text.ts";
import { createExternalStore } from "../state/external-store.ts";
import { describeError } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";

/** Items whose feedback is being sent: a second click or key sends nothing. */
export const sendingItems = createExternalStore<readonly InboxItemId[]>([]);

/** Sends the feedback of a pull request to the agent. The item leaves by the server's event. */
export async function sendFeedback({ id, attemptId }: FeedbackItem): Promise<void> {
  if (sendingItems.get().includes(id)) return;
  sendingItems.set([...sendingItems.get(), id]);
  try {
    const { queued } = await pullRequestApi.sendFeedback(attemptId, { id: crypto.randomUUID() });
    const { feedback } = readTaskText().shell.inbox;
    showToast({ text: queued === undefined ? feedback.sent : feedback.queued, tone: "plain" });
  } catch (error) {
    showToast({ text: describeError(error, readTaskText()), tone: "bad" });
  } finally {
    sendingItems.set(sendingItems.get().filter((one) => one !== id));
  }
}
