import type { EndedItem } from "@skein/contracts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useAgentName } from "../agents/use-agent-name.ts";
import { api } from "../api/api.ts";
import { attemptsQuery } from "../api/queries.ts";
import { diffStatQuery } from "../api/shell-api.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { firstLine } from "../text/first-line.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { toTaskPlace } from "./task-place.ts";

const looks: Record<EndedItem["execution"]["status"], { icon: IconName; tone: string; edge: string }> = {
  success: { icon: "check", tone: "text-good", edge: "border-line" },
  failed: { icon: "cross", tone: "text-bad", edge: "border-bad/40" },
  interrupted: { icon: "broken", tone: "text-warn", edge: "border-warn/40" },
  cancelled: { icon: "stop", tone: "text-ink-faint", edge: "border-line" },
};

/** The agent's last message of an execution: its own account of what it did. */
const lastWordsQuery = ({ id, taskId, attemptId }: EndedItem) =>
  queryOptions({
    queryKey: ["last-words", id],
    queryFn: async ({ signal }) => {
      const { messages } = await api.getConversation({ taskId, attemptId, limit: 10 }, signal);
      const last = messages.findLast(({ role, messageType }) => role === "assistant" && messageType === "text");
      return last === undefined ? null : firstLine(last.content, 300);
    },
  });

/** An execution that has ended: how, what it changed and what it took. */
export function EndedCard({ item, active, onDismiss }: { item: EndedItem; active: boolean; onDismiss(): void }) {
  const text = useTaskText();
  const { inbox: words } = text.shell;
  const { execution } = item;
  const { data: said } = useQuery({ ...lastWordsQuery(item), enabled: execution.status === "success" && item.race === undefined });
  const { race } = item;
  const look = race === undefined ? looks[execution.status] : looks[race.passed > 0 ? "success" : "failed"];
  const title = race === undefined ? words.ended[execution.status].title : words.race(race.passed, race.total);
  const outcome = execution.status === "success" ? said : execution.reason && text.coded(execution.reasonText, execution.reason);
  return (
    <section
      aria-label={title}
      className={`my-2 rounded-xl border bg-raised px-3 py-2.5 ${active ? "border-accent" : look.edge}`}
      data-inbox-item={item.id}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className={`flex items-center gap-1.5 font-medium ${look.tone}`}>
          <Icon name={look.icon} size={15} />
          {title}
        </span>
        {race === undefined && <Facts item={item} />}
      </div>
      {race === undefined && outcome && <p className="mt-1.5 line-clamp-3 text-ink-soft text-sm [overflow-wrap:anywhere]">{outcome}</p>}
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Link {...toTaskPlace(item)} className={buttonClass(execution.status === "success" ? "primary" : "secondary")}>
          {race === undefined ? words.ended[execution.status].open : words.compare}
          {active && <KeyHint keys="↵" />}
        </Link>
        <Button look="quiet" onClick={onDismiss}>
          {words.dismiss}
          {active && <KeyHint keys="E" />}
        </Button>
      </div>
    </section>
  );
}

function Facts({ item: { taskId, attemptId, execution } }: { item: EndedItem }) {
  const text = useTaskText();
  const format = useFormats();
  const agentName = useAgentName();
  const { data: attempts } = useQuery(attemptsQuery(taskId));
  const { data: stat } = useQuery(diffStatQuery(attemptId));
  const attempt = attempts?.find(({ id }) => id === attemptId);
  const { costUsd } = execution.usage;
  return (
    <span className="flex flex-wrap items-center gap-x-3 text-ink-faint text-xs tabular-nums">
      {attempt && (
        <span>
          {attempts && attempts.length > 1 && `#${attempt.number} `}
          {agentName(attempt.agent)}
        </span>
      )}
      <span>{format.duration(execution.durationMs)}</span>
      {costUsd !== undefined && costUsd > 0 && <span>{format.cost(costUsd)}</span>}
      {stat && (
        <span className="flex items-center gap-1.5">
          {stat.files === 0 ? text.shell.inbox.noChanges : text.tool.files(stat.files)}
          <ChangeCount additions={stat.additions} deletions={stat.deletions} />
        </span>
      )}
    </span>
  );
}
