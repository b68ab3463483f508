import type { WaitingExecution } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAgentName } from "../agents/use-agent-name.ts";
import { taskQuery } from "../api/queries.ts";
import { waitingApi, waitingQuery } from "../api/waiting-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";
import { useMinute } from "../ui/use-minute.ts";
import { useLimitsText } from "./use-limits-text.ts";

/** What waits because of a limit, in the order in which it will start. */
export function WaitingList() {
  const words = useLimitsText();
  const describe = useErrorText();
  const { data: waiting, error } = useQuery({ ...waitingQuery, refetchOnMount: "always" });
  const [announced, setAnnounced] = useState("");
  return (
    <section aria-labelledby="settings-waiting" className="space-y-3">
      <h3 className="font-semibold" id="settings-waiting">
        {words.waiting}
      </h3>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {waiting?.length === 0 && <p className="text-ink-faint text-sm">{words.nothing}</p>}
      {waiting !== undefined && waiting.length > 0 && (
        <ol aria-label={words.count(waiting.length)} className="divide-y divide-line rounded-lg border border-line">
          {waiting.map((one, index) => (
            <WaitingRow all={waiting} index={index} key={one.execution.id} onMoved={setAnnounced} one={one} />
          ))}
        </ol>
      )}
      <p aria-live="polite" className="sr-only">
        {announced}
      </p>
    </section>
  );
}

function WaitingRow(props: { one: WaitingExecution; all: readonly WaitingExecution[]; index: number; onMoved(text: string): void }) {
  const { one, all, index } = props;
  const words = useLimitsText();
  const agentName = useAgentName();
  const format = useFormats();
  const now = useMinute();
  const client = useQueryClient();
  const { id, taskId } = one.execution;
  const { data: task } = useQuery(taskQuery(taskId));
  const { busy, error, run } = useAction();
  const title = task?.title ?? words.unknownTask;
  const since = one.execution.status === "running" ? one.execution.wait?.since : undefined;
  const move = (place: number) =>
    void run(async () => {
      // the row that it is moved before: its own row no longer counts
      const others = all.filter(({ execution }) => execution.id !== id);
      client.setQueryData(waitingQuery.queryKey, await waitingApi.move(id, others[place]?.execution.id ?? null));
      props.onMoved(words.moved(title, place + 1));
    });
  return (
    <li className="flex flex-wrap items-center justify-end gap-2 px-3 py-2 text-sm">
      <span className="w-6 shrink-0 text-ink-faint tabular-nums">{index + 1}</span>
      {/* on a narrow screen the buttons are below it, so that the title can be read */}
      <span className="min-w-0 flex-1 max-sm:basis-[calc(100%-2rem)]">
        <Link className="block truncate font-medium" params={{ taskId }} to="/t/$taskId">
          {title}
        </Link>
        <span className="text-ink-faint text-xs">
          {agentName(one.agent)}
          {since !== undefined && ` · ${words.since(format.age(now - since))}`}
        </span>
      </span>
      <span className="flex shrink-0 items-center gap-1">
        <IconButton disabled={busy || index === 0} label={words.up(title)} onClick={() => move(index - 1)}>
          <Icon className="rotate-180" name="chevronDown" size={14} />
        </IconButton>
        <IconButton disabled={busy || index === all.length - 1} label={words.down(title)} onClick={() => move(index + 1)}>
          <Icon name="chevronDown" size={14} />
        </IconButton>
        <Button aria-label={words.startNowLabel(title)} disabled={busy} onClick={() => void run(() => waitingApi.startNow(id))}>
          {words.startNow}
        </Button>
      </span>
      {error && <ErrorText>{error}</ErrorText>}
    </li>
  );
}
