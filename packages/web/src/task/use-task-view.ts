import type { Attempt, AttemptId, TaskId } from "@skein/contracts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useOpenPlace } from "../editors/open-place.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { findShownAttempt, toTaskSearch } from "./task-search.ts";
import type { SideView, TaskView } from "./task-view.ts";

/** Which attempt and which pane the page shows, as its address says, and how to change them. */
export function useTaskView(taskId: TaskId, attempts: readonly Attempt[]) {
  const place = useOpenPlace();
  const search = useSearch({ from: "/t/$taskId" });
  const navigate = useNavigate();
  const active = findShownAttempt(attempts, undefined);
  const shown = findShownAttempt(attempts, search.attempt);
  const view: TaskView = search.view ?? "conversation";
  const go = (next: { attempt?: AttemptId; view?: TaskView }) => {
    const wanted = { attempt: next.attempt ?? search.attempt, view: next.view ?? view };
    void navigate({ to: "/t/$taskId", params: { taskId }, search: toTaskSearch(wanted, active?.id) });
  };
  const toggle = (side: SideView) => shown && go({ view: view === side ? "conversation" : side });
  useShortcut("d", () => toggle("changes"));
  useShortcut("x", () => toggle("context"));
  useShortcut("f", () => toggle("files"));
  useShortcut("t", () => toggle("terminal"));
  useShortcut("o", () => shown && place.open(shown));
  useShortcut("T", () => toggle("shell"));
  useShortcut("P", () => toggle("preview"));
  useShortcut("l", () => toggle("timeline"));
  /** Without a search: the address then follows the active attempt. */
  const showActive = () => void navigate({ to: "/t/$taskId", params: { taskId } });
  return { shown, view, go, showActive };
}
