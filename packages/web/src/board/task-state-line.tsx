import { useQuery } from "@tanstack/react-query";
import { diffStatQuery } from "../api/shell-api.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { useFormats, useText } from "../i18n/locale.tsx";
import { agentName } from "../task/agent-name.ts";
import { Icon, Spinner } from "../ui/icon.tsx";
import type { TaskState } from "./use-task-state.ts";

/** What goes on in a task just now; nothing when nothing does. */
export function RunningState({ state }: { state: TaskState }) {
  const text = useText();
  switch (state.state) {
    case "running":
      return (
        <span className="flex min-w-0 max-w-full items-center gap-1 font-medium text-accent">
          <Spinner size={12} />
          <span className="truncate">{state.tool === null ? text.board.running : text.tool.summary(state.tool)}</span>
        </span>
      );
    case "waiting":
      return (
        <span className="flex items-center gap-1 font-medium text-warn">
          <Icon name="shield" size={12} />
          {text.board.waiting}
        </span>
      );
    case "failed":
      return (
        <span className="flex items-center gap-1 font-medium text-bad">
          <Icon name="warning" size={12} />
          {text.board.failed}
        </span>
      );
    case "idle":
      return null;
  }
}

/** Who works on it, what waits, and what it has cost. */
export function TaskNumbers({ state }: { state: TaskState }) {
  const text = useText();
  const format = useFormats();
  return (
    <>
      {state.agent && <span className="truncate">{agentName(state.agent)}</span>}
      <Changes state={state} />
      {state.queued > 0 && (
        <span className="flex items-center gap-1">
          <Icon name={state.queuePaused ? "pause" : "clock"} size={12} />
          {state.queuePaused ? text.flow.queue.pausedCount(state.queued) : text.queue.title(state.queued)}
        </span>
      )}
      {state.costUsd !== null && state.costUsd > 0 && <span className="tabular-nums">{format.cost(state.costUsd)}</span>}
    </>
  );
}

function Changes({ state }: { state: TaskState }) {
  const text = useText();
  const { data: stat } = useQuery(diffStatQuery(state.reviewable));
  if (!stat || stat.files === 0 || state.reviewable === null) return null;
  return (
    <span className="flex items-center gap-1.5">
      <span className={stat.additions + stat.deletions > 0 ? "sr-only" : ""}>{text.tool.files(stat.files)} </span>
      <ChangeCount additions={stat.additions} deletions={stat.deletions} />
    </span>
  );
}
