import type { InboxItem, InboxItemId } from "@skein/contracts";
import { api } from "../api/api.ts";
import { ApiError } from "../api/api-error.ts";
import { inboxQuery } from "../api/queries.ts";
import { readTaskText } from "../i18n/task-text.ts";
import { queryClient } from "../live/live.ts";
import { createExternalStore } from "../state/external-store.ts";
import { describeError } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";

const kept = 5;

/** What left the inbox because it was opened in this window, the newest first: it can be put back. */
export const openedItems = createExternalStore<readonly InboxItem[]>([]);

function setListed(item: InboxItem, listed: boolean): void {
  queryClient.setQueryData(inboxQuery.queryKey, (items) => {
    const others = items?.filter(({ id }) => id !== item.id);
    return listed && others ? [...others, item] : others;
  });
}

/** Removed at once, and restored if the server could not store the change. */
async function clearItem(item: InboxItem): Promise<void> {
  setListed(item, false);
  try {
    await api.updateInboxItem(item.id, { cleared: true });
  } catch (error) {
    setListed(item, true);
    throw error;
  }
}

export async function putBack(item: InboxItem): Promise<void> {
  openedItems.set(openedItems.get().filter(({ id }) => id !== item.id));
  try {
    setListed(await api.updateInboxItem(item.id, { cleared: false }), true);
  } catch (error) {
    showToast({ text: toText(error), tone: "bad" });
  }
}

export async function dismissItem(item: InboxItem, title: string): Promise<void> {
  try {
    await clearItem(item);
    showToast({ text: readTaskText().shell.inbox.dismissed(title), tone: "plain", undo: () => void putBack(item) });
  } catch (error) {
    showToast({ text: toText(error), tone: "bad" });
  }
}

const failed = new Set<InboxItemId>();

/** It was on the screen: it needs no more attention, unless the user puts it back. What cannot be stored is not tried again. */
export async function clearOpened(item: InboxItem): Promise<void> {
  if (failed.has(item.id)) return;
  try {
    await clearItem(item);
    openedItems.set([item, ...openedItems.get().filter(({ id }) => id !== item.id)].slice(0, kept));
  } catch {
    failed.add(item.id);
  }
}

function toText(error: unknown): string {
  const text = readTaskText();
  const isSuperseded = error instanceof ApiError && error.problem.code === "inbox-item-superseded";
  return isSuperseded ? text.shell.inbox.superseded : describeError(error, text);
}
