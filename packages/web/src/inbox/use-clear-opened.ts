import type { AttemptId, InboxItem } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { inboxQuery } from "../api/queries.ts";
import { useSettled } from "../ui/use-settled.ts";
import { clearOpened } from "./clear-item.ts";

/** Long enough to have looked at it; a page that one only passes through clears nothing. */
const lookMs = 1000;
const none: readonly InboxItem[] = [];

/** The items of an attempt leave the inbox when the attempt has been on the screen for a moment. */
export function useClearOpened(attemptId: AttemptId | undefined): void {
  const { data: items = none } = useQuery({ ...inboxQuery, select: (all) => all.filter((one) => one.attemptId === attemptId) });
  const isLookedAt = useSyncExternalStore(subscribeToFocus, () => document.visibilityState === "visible" && document.hasFocus());
  const isSeen = useSettled(isLookedAt && items.length > 0, lookMs);
  useEffect(() => {
    if (isSeen) for (const item of items) void clearOpened(item);
  }, [isSeen, items]);
}

function subscribeToFocus(onChange: () => void): () => void {
  document.addEventListener("visibilitychange", onChange);
  window.addEventListener("focus", onChange);
  window.addEventListener("blur", onChange);
  return () => {
    document.removeEventListener("visibilitychange", onChange);
    window.removeEventListener("focus", onChange);
    window.removeEventListener("blur", onChange);
  };
}
