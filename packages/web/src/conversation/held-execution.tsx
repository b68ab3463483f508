import type { BudgetWait, ExecutionId, ExecutionWait, ParkedWait } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { waitingApi, waitingQuery } from "../api/waiting-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";
import { useNow } from "../ui/use-now.ts";

type Wait = Exclude<ExecutionWait, BudgetWait | ParkedWait>;

/** The agent is not started yet: because of a limit, or because its server starts none. */
export function HeldExecution({ executionId, wait }: { executionId: ExecutionId; wait: Wait }) {
  return wait.for === "server" ? <HeldByServer wait={wait} /> : <HeldByLimit executionId={executionId} since={wait.since} />;
}

function HeldTitle({ since }: { since: number }) {
  const { held } = useTaskText().conversation;
  const format = useFormats();
  const now = useNow(1000);
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Icon className="text-ink-faint" name="clock" size={15} />
      {held.title}
      <span className="whitespace-nowrap text-ink-faint tabular-nums">{format.elapsed(Math.max(0, now - since))}</span>
    </p>
  );
}

function HeldByServer({ wait: { since, name } }: { wait: Extract<Wait, { for: "server" }> }) {
  const { held } = useTaskText().conversation;
  return (
    <div className="px-2 py-1.5 text-ink-soft text-sm">
      <HeldTitle since={since} />
      <p className="ps-6 text-ink-faint">{held.server(name)}</p>
    </div>
  );
}

/** How many are before it, and how to start it anyway. */
function HeldByLimit({ executionId, since }: { executionId: ExecutionId; since: number }) {
  const { held } = useTaskText().conversation;
  const { data: waiting } = useQuery(waitingQuery);
  const { busy, error, run } = useAction();
  const before = waiting?.findIndex(({ execution }) => execution.id === executionId) ?? -1;
  return (
    <div className="px-2 py-1.5 text-ink-soft text-sm">
      <HeldTitle since={since} />
      <p className="ps-6 text-ink-faint">{before >= 0 ? held.before(before) : held.reason}</p>
      <p className="mt-1.5 flex flex-wrap items-center gap-2 ps-6">
        <Button disabled={busy} onClick={() => void run(() => waitingApi.startNow(executionId))}>
          {held.startNow}
        </Button>
        <Link className="rounded px-1 underline underline-offset-2" params={{ section: "limits" }} to="/settings/$section">
          {held.order}
        </Link>
      </p>
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}
