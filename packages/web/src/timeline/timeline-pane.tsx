import type { ExecutionId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { attemptApi } from "../api/attempt-api.ts";
import { executionsQuery } from "../api/queries.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { useNow } from "../ui/use-now.ts";
import { barLook } from "./bar-look.ts";
import { TimelineRows } from "./timeline-rows.tsx";
import { type SpanKind, type Timeline, toTimeline } from "./to-timeline.ts";

export interface TimelinePaneProps {
  conversation: TaskConversation;
  onReveal(messageId: string): void;
}

/** Where the time of an execution went, as a browser shows a page's requests. */
export function TimelinePane({ conversation, onReveal }: TimelinePaneProps) {
  const text = useTaskText();
  const { timeline: words } = text.taskPage;
  const format = useFormats();
  const { attemptId, currentExecution, approvals: pending } = conversation;
  // Typing does not wait for it.
  const messages = useDeferredValue(conversation.messages);
  const { data: ended = [] } = useQuery(executionsQuery(attemptId));
  const executions = useMemo(
    () => (currentExecution ? [...ended.filter(({ id }) => id !== currentExecution.id), currentExecution] : ended),
    [ended, currentExecution],
  );
  const [chosen, setChosen] = useState<ExecutionId | null>(null);
  const execution = executions.find(({ id }) => id === chosen) ?? executions.at(-1);
  const isRunning = execution?.status === "running";
  // Stands still for one that has ended: it is worked out once.
  const clock = useNow(500, isRunning);
  const now = isRunning ? clock : 0;
  // Asked for again when one is requested or answered, and at the end.
  const { data: approvals = [] } = useQuery({
    queryKey: ["attempt-approvals", attemptId, pending.length, executions.length, isRunning],
    queryFn: attemptId === null ? () => [] : ({ signal }) => attemptApi.listApprovals(attemptId, signal),
  });
  const timeline = useMemo(
    () => (execution ? toTimeline({ execution, messages, approvals, now }) : null),
    [execution, messages, approvals, now],
  );
  if (!execution || !timeline) return <p className="py-12 text-center text-ink-faint text-sm">{words.none}</p>;
  const isCut = conversation.hasMore && messages[0]?.metadata?.executionId === execution.id;
  const isMissing = timeline.spans.every(({ kind }) => kind === "model") && conversation.hasMore && execution !== executions.at(-1);
  return (
    <div className="flex h-full min-w-0 flex-col">
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-1 text-sm">
        <Menu
          entries={[
            menuChoices<ExecutionId>({
              label: words.execution,
              value: execution.id,
              choices: executions.toReversed().map(({ id, number, startedAt }) => ({
                value: id,
                label: `${text.taskPage.changes.execution(number)} · ${format.time(startedAt)}`,
              })),
              onChoose: setChosen,
            }),
          ]}
          trigger={
            <button className="-ms-2 flex h-7 pointer-coarse:h-10 items-center gap-1 rounded-md px-2 hover:bg-hover" type="button">
              {text.taskPage.changes.execution(execution.number)}
              <Icon name="chevronDown" size={11} />
            </button>
          }
        />
        <Totals timeline={timeline} />
      </header>
      {(isCut || isMissing) && (
        <p className="flex items-center gap-2 border-line border-b px-3 py-1.5 text-sm text-warn">
          {words.loadMore}
          <Button look="quiet" onClick={() => void conversation.loadOlder()}>
            {words.load}
          </Button>
        </p>
      )}
      <TimelineRows onReveal={onReveal} timeline={timeline} />
    </div>
  );
}

function Totals({ timeline }: { timeline: Timeline }) {
  const { timeline: words } = useTaskText().taskPage;
  const format = useFormats();
  const kinds: SpanKind[] = ["tool", "model", "waiting"];
  return (
    <dl className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-ink-faint text-xs tabular-nums">
      {kinds.map((kind) => (
        <div className="flex items-center gap-1.5" key={kind}>
          <span aria-hidden="true" className={`size-2 rounded-xs ${barLook[kind]}`} />
          <dt>{words.kind[kind]}</dt>
          <dd className="text-ink-soft">{format.duration(timeline.totals[kind])}</dd>
        </div>
      ))}
      <div className="flex items-center gap-1.5">
        <dt>{words.total}</dt>
        <dd className="text-ink">{format.duration(timeline.durationMs)}</dd>
      </div>
    </dl>
  );
}
