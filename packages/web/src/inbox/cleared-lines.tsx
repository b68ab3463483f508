import type { Approval, InboxItem } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { taskQuery } from "../api/queries.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { ByName } from "../team/by-name.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { putBack } from "./clear-item.ts";

const lineClass = "mt-3 flex items-center gap-2 rounded-lg border border-line px-3 py-2 text-ink-soft text-sm";

/** An approval that was answered elsewhere, or expired. */
export function ResolvedLine({ approval }: { approval: Approval }) {
  const { inbox: words } = useTaskText().shell;
  const { data: task } = useQuery(taskQuery(approval.taskId));
  if (approval.status === "pending") return null;
  const outcome = approval.status === "expired" ? "expired" : approval.decision;
  return (
    <p className={lineClass}>
      <Icon className="text-ink-faint" name={outcome === "deny" || outcome === "expired" ? "cross" : "check"} size={14} />
      <span className="min-w-0 truncate">{task?.title}</span>
      <span className="ms-auto shrink-0 text-ink-faint text-xs">
        {words.elsewhere[outcome]} <ByName by={approval.status === "answered" ? approval.by : undefined} />
      </span>
    </p>
  );
}

/** An item that left the inbox because it was opened; it can be put back. */
export function OpenedLine({ item }: { item: InboxItem }) {
  const { inbox: words } = useTaskText().shell;
  const { data: task } = useQuery(taskQuery(item.taskId));
  return (
    <p className={lineClass}>
      <Icon className="text-ink-faint" name="check" size={14} />
      <span className="min-w-0 truncate">{task?.title}</span>
      <span className="ms-auto shrink-0 text-ink-faint text-xs max-sm:sr-only">{words.opened}</span>
      <Button className="h-7! pointer-coarse:h-10! shrink-0" look="quiet" onClick={() => void putBack(item)}>
        {words.putBack}
      </Button>
    </p>
  );
}
