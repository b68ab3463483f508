import { api } from "../api/api.ts";
import { taskQuery } from "../api/queries.ts";
import { router } from "../app/router.tsx";
import { readDictionary } from "../i18n/locale.tsx";
import { eventStream, keepConnected, queryClient } from "../live/live.ts";
import { isSeen, notifications, readPermission, showNotice, toCall } from "./notices.ts";

/**
 * One window of the browser calls: it holds a lock, and keeps its connection while nobody looks at it. When it is closed the next
 * one gets the lock.
 */
export function startNotifications(): void {
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
      showNotice({
        title: readDictionary().shell.notify[call.reason],
        body: title,
        tag: call.tag,
        onClick: () => void router.navigate({ to: "/t/$taskId", params: { taskId: call.taskId } }),
      }),
    );
  });
}

/** Without locks (a page that is not served securely) every window calls; the tag keeps it to one notice. */
async function hold(until: Promise<void>, told: (holds: boolean) => void): Promise<void> {
  const act = async () => {
    told(true);
    await until;
    told(false);
  };
  if (navigator.locks) await navigator.locks.request("skein-notifications", act);
  else await act();
}

async function findTitle(taskId: Parameters<typeof api.getTask>[0]): Promise<string> {
  const known = queryClient.getQueryData(taskQuery(taskId).queryKey) ?? (await api.getTask(taskId, undefined).catch(() => undefined));
  return known?.title ?? "Skein";
}
