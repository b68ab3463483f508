import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useAgentName } from "../agents/use-agent-name.ts";
import { attemptsQuery, projectsQuery, taskQuery } from "../api/queries.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { useNow } from "../ui/use-now.ts";
import { type InboxEntry, toEntryPlace } from "./inbox-entries.ts";

/** The task of an entry, with its project, because two projects may have tasks of the same title, and the attempt that asks, if there are several. */
export function EntryOrigin({ entry }: { entry: InboxEntry }) {
  const text = useTaskText();
  const { inbox: words } = text.shell;
  const format = useFormats();
  const now = useNow(30_000);
  const { data: task } = useQuery(taskQuery(entry.taskId));
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === task?.projectId);
  const when = format.relative(entry.at, now);
  const since =
    entry.kind === "approval"
      ? words.asked(when)
      : entry.kind === "feedback" || entry.kind === "held"
        ? when
        : words.ended[entry.item.execution.status].when(when);
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 text-sm">
      <Link
        {...toEntryPlace(entry)}
        className="min-w-0 font-medium underline-offset-2 [overflow-wrap:anywhere] hover:underline"
        title={words.open}
      >
        {task?.title ?? entry.taskId}
      </Link>
      <span className="text-ink-faint text-xs">
        {project?.name !== undefined && `${project.name} · `}
        {entry.kind !== "ended" && <AttemptName entry={entry} />}
        <time dateTime={new Date(entry.at).toISOString()} title={format.dateTime(entry.at)}>
          {since}
        </time>
      </span>
    </div>
  );
}

/** The card of an execution that has ended names its attempt itself. */
function AttemptName({ entry: { taskId, attemptId } }: { entry: InboxEntry }) {
  const agentName = useAgentName();
  const { data: attempts = [] } = useQuery(attemptsQuery(taskId));
  const attempt = attempts.find(({ id }) => id === attemptId);
  return attempts.length > 1 && attempt !== undefined ? `#${attempt.number} ${agentName(attempt.agent)} · ` : null;
}
