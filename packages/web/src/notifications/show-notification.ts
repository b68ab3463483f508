import type { SkeinEvent, TaskId } from "@skein/contracts";
import { createPreference } from "../preferences/preference.ts";

export const notifications = createPreference("skein.notifications", ["off", "on"]);

export type Permission = NotificationPermission | "unsupported";

export function readPermission(): Permission {
  return typeof Notification === "undefined" ? "unsupported" : Notification.permission;
}

/** Why the user is notified: a task is done, has failed, or waits for an answer, or its pull request has feedback. */
export interface Call {
  reason: "done" | "failed" | "waiting" | "feedback";
  taskId: TaskId;
  /** The same call shown again takes the place of the first. */
  tag: string;
}

const longAgoMs = 300_000;

/** Null for what needs no notification, such as an execution that the user stopped. */
export function toCall(event: SkeinEvent): Call | null {
  if (event.type === "approval:requested") {
    return event.approval.status === "pending" ? { reason: "waiting", taskId: event.taskId, tag: event.approval.id } : null;
  }
  if (event.type === "inbox:changed") {
    const { item } = event;
    // ended work is reported by its own event; the same feedback, with one more check, is not reported again
    if (item.kind !== "feedback" || item.clearedAt !== null) return null;
    return { reason: "feedback", taskId: event.taskId, tag: `${item.id}-${item.addedAt}` };
  }
  if (event.type !== "execution:completed" || event.status === "cancelled") return null;
  const { execution } = event;
  // imported: it ended long before
  if (execution.status !== "running" && Date.now() - execution.endedAt > longAgoMs) return null;
  return { reason: event.status === "success" ? "done" : "failed", taskId: event.taskId, tag: event.executionId };
}

/** Whether the user already sees it: on the page of its task, or in the inbox, which shows those of all tasks. */
export function isSeen(call: Call, place: { path: string; isFocused: boolean }): boolean {
  if (!place.isFocused) return false;
  return place.path === `/t/${call.taskId}` || place.path === "/inbox";
}

/** Shows a notification of the browser, which opens the page when it is clicked. */
export function showNotification(content: { title: string; body: string; tag: string; onClick(): void }): void {
  const shown = new Notification(content.title, { body: content.body, tag: content.tag, icon: "/icon.svg" });
  shown.onclick = () => {
    window.focus();
    content.onClick();
    shown.close();
  };
}
