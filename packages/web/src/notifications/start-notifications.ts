import type { TaskId } from "@skein/contracts";
import { api } from "../api/api.ts";
import { taskQuery } from "../api/queries.ts";
import { readShownTexts } from "../i18n/locale.tsx";
import { eventStream, keepConnected, queryClient } from "../live/live.ts";
import { isSeen, notifications, readPermission, showNotification, toCall } from "./show-notification.ts";

/**
 * Shows notifications from one window of the browser: the one that holds a lock, which keeps its connection while hidden. When it
 * closes, the next window gets the lock.
 */
export function startNotifications({ openTask }: { openTask(id: TaskId): void }): void {
  let release: (() => void) | null = null;
  let isCaller = false;
  const apply = () => {
    const wanted = notifications.get() === "on" && readPermission() === "granted";
    if (!wanted) {
      release?.();
      release = null;
    } else if (!release) {
      const held = Promise.withResolvers<void>();
      release = held.resolve;
      void hold(held.promise, (holds) => {
        isCaller = holds;
        keepConnected.set(holds);
      });
    }
  };
  notifications.subscribe(apply);
  apply();
  eventStream.subscribe(({ seq, event }) => {
    const call = seq !== undefined && isCaller ? toCall(event) : null;
    if (!call || isSeen(call, { path: location.pathname, isFocused: document.hasFocus() && !document.hidden })) return;
    void findTitle(call.taskId).then((title) =>
      showNotification({
        title: readShownTexts().text.shell.notify[call.reason],
        body: title,
        tag: call.tag,
        onClick: () => openTask(call.taskId),
      }),
    );
  });
}

/** Without locks (a page that is not served securely) every window notifies; the tag makes it one notification. */
async function hold(until: Promise<void>, onChange: (holds: boolean) => void): Promise<void> {
  const act = async () => {
    onChange(true);
    await until;
    onChange(false);
  };
  if (navigator.locks) await navigator.locks.request("skein-notifications", act);
  else await act();
}

async function findTitle(taskId: TaskId): Promise<string> {
  const known = queryClient.getQueryData(taskQuery(taskId).queryKey) ?? (await api.getTask(taskId, undefined).catch(() => undefined));
  return known?.title ?? "Skein";
}
