import type { BudgetWait, ParkedWait, RunningExecution } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useAgentName } from "../agents/use-agent-name.ts";
import { api } from "../api/api.ts";
import { heldApi } from "../api/held-api.ts";
import { agentsQuery } from "../api/queries.ts";
import { useAnswerGuard } from "../approvals/use-answer-guard.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";
import { useMinute } from "../ui/use-minute.ts";
import { useHeldText } from "./use-held-text.ts";

type Held<Wait> = { execution: RunningExecution; wait: Wait; agent: string | null; active?: boolean };

/** An execution that waits for its user, or for its provider. */
export function HeldCard({ wait, ...rest }: Held<BudgetWait | ParkedWait>) {
  return wait.for === "budget" ? <BudgetQuestion wait={wait} {...rest} /> : <Parked wait={wait} {...rest} />;
}

function BudgetQuestion({ execution, wait, active = false }: Held<BudgetWait>) {
  const words = useHeldText();
  const { busy, error, run } = useAction();
  const { scope, measure, spent, limit, more, isPartial } = wait.reached;
  const { actions, isReady } = useAnswerGuard({ content: wait.since, active });
  const answer = (decision: "more" | "unlimited" | "stop") => void run(() => heldApi.answer(execution.id, { decision, since: wait.since }));
  const disabled = busy || !isReady;
  return (
    <section
      aria-label={words.budgetTitle}
      className={`my-2 rounded-xl border bg-raised px-3 py-2.5 ${active ? "border-accent" : "border-warn/40"}`}
    >
      <p className="flex items-center gap-1.5 font-medium text-sm text-warn">
        <Icon name="shield" size={15} />
        {words.budgetTitle}
      </p>
      <p className="mt-1 text-sm tabular-nums">
        {words.spent(scope, words.amount(measure, spent), words.amount(measure, limit), isPartial)}
      </p>
      <p className="text-ink-soft text-sm">{wait.isPaused ? words.paused : words.notStarted}</p>
      <div className="mt-2.5 flex flex-wrap gap-2" ref={actions}>
        <Button disabled={disabled} onClick={() => answer("more")} look="primary">
          {words.more(words.amount(measure, more))}
        </Button>
        <Button disabled={disabled} onClick={() => answer("unlimited")}>
          {words.unlimited}
        </Button>
        <Button disabled={disabled} onClick={() => answer("stop")}>
          {words.stop}
        </Button>
      </div>
      {error && <ErrorText>{error}</ErrorText>}
    </section>
  );
}

function Parked({ execution, wait, agent, active = false }: Held<ParkedWait>) {
  const words = useHeldText();
  const agentName = useAgentName();
  const format = useFormats();
  const now = useMinute();
  const { busy, error, run } = useAction();
  const { data: list } = useQuery(agentsQuery);
  const { id, taskId, attemptId } = execution;
  const others = list?.agents.filter((one) => one.available) ?? [];
  const name = agent === null ? "" : agentName(agent);
  return (
    <section
      aria-label={words.parkedTitle(format.dateTime(wait.resumesAt))}
      className={`my-2 rounded-xl border bg-raised px-3 py-2.5 ${active ? "border-accent" : "border-line"}`}
    >
      <p className="flex items-center gap-1.5 font-medium text-sm">
        <Icon className="text-ink-faint" name="clock" size={15} />
        {words.parkedTitle(format.dateTime(wait.resumesAt))}
      </p>
      <p className="mt-1 text-ink-soft text-sm">
        {words.limit(wait.limit.code, name)} {wait.limit.resetsAt === null && words.unknownTime(wait.rejections)}{" "}
        {wait.resumesAt <= now && !wait.isAutomatic && words.over}
      </p>
      {wait.continuesWith ? (
        <p className="mt-2 text-sm">{words.continuing(agentName(wait.continuesWith.agent))}</p>
      ) : (
        <>
          <label className="mt-2 flex min-h-8 items-center gap-2 text-sm">
            <input
              checked={wait.isAutomatic}
              className="size-4 accent-accent"
              disabled={busy}
              onChange={(event) => {
                const { checked } = event.target;
                void run(() => heldApi.setAutomatic(id, checked));
              }}
              type="checkbox"
            />
            {words.automatic}
          </label>
          <div className="mt-1.5 flex flex-wrap items-center gap-2">
            <Button disabled={busy} onClick={() => void run(() => heldApi.resume(id))} look="primary">
              {words.resume}
            </Button>
            <select
              aria-label={words.continueWith}
              className="h-8 max-w-56 rounded-md border border-line bg-raised px-2 text-sm max-sm:h-10"
              disabled={busy}
              onChange={(event) => {
                const chosen = event.target.value;
                if (chosen !== "") void run(() => heldApi.continueWith(id, { agent: chosen, model: null }));
              }}
              value=""
            >
              <option value="">
                {words.continueWith} {words.chooseAgent}
              </option>
              {others.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
            <Button
              disabled={busy}
              onClick={() => void run(() => api.execute({ id: crypto.randomUUID(), type: "STOP_EXECUTION", taskId, attemptId }))}
            >
              {words.cancel}
            </Button>
          </div>
        </>
      )}
      {error && <ErrorText>{error}</ErrorText>}
    </section>
  );
}
