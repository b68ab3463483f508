import { type Budget, type BudgetMeasure, type BudgetState, budgetMeasureSchema, type TaskId } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { heldApi, taskBudgetsQuery } from "../api/held-api.ts";
import { useHeldText } from "../held/use-held-text.ts";
import { BudgetInputs } from "../settings/budget-inputs.tsx";
import { useLimitsText } from "../settings/use-limits-text.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { useAction } from "../ui/use-action.ts";

/** Entry of a definition list: the budgets that apply to a task, what was used of them, and the task's own. */
export function TaskBudget({ taskId }: { taskId: TaskId }) {
  const words = useLimitsText();
  const describe = useErrorText();
  const client = useQueryClient();
  const { data, error } = useQuery(taskBudgetsQuery(taskId));
  const action = useAction();
  const [isOpen, setOpen] = useState(false);
  const save = (budget: Budget) =>
    void action.run(async () => {
      const known = await heldApi.setTaskBudget(taskId, Object.keys(budget).length === 0 ? null : budget);
      client.setQueryData(taskBudgetsQuery(taskId).queryKey, known);
    });
  return (
    <>
      <dt className="py-1 text-ink-faint">{words.taskBudget}</dt>
      <dd className="space-y-2 px-1.5 py-1">
        {data?.states.map((state) => (
          <Usage key={state.scope} state={state} />
        ))}
        <p className="flex flex-wrap gap-x-2">
          {data?.states.length === 0 && <span className="text-ink-soft">{words.noTaskBudget}</span>}
          {data && !isOpen && (
            <button className="text-accent hover:underline" onClick={() => setOpen(true)} type="button">
              {data.own === null ? words.setTaskBudget : words.changeTaskBudget}
            </button>
          )}
        </p>
        {data && isOpen && (
          <fieldset>
            <legend className="mb-2 text-ink-soft text-xs">{words.aboutTaskBudget}</legend>
            <BudgetInputs budget={data.own ?? {}} disabled={action.busy} emptyLabel={words.empty} onChange={save} />
          </fieldset>
        )}
        {error && <ErrorText>{describe(error)}</ErrorText>}
        {action.error && <ErrorText>{action.error}</ErrorText>}
      </dd>
    </>
  );
}

function Usage({ state: { scope, budget, spent } }: { state: BudgetState }) {
  const words = useHeldText();
  const lines = budgetMeasureSchema.options.flatMap((measure: BudgetMeasure) => {
    const limit = budget[measure];
    if (limit === undefined) return [];
    const used = words.amount(measure, spent[measure] ?? 0);
    // minutes are Skein's own figure
    return [{ measure, text: words.spent(scope, used, words.amount(measure, limit), spent.isPartial && measure !== "minutes") }];
  });
  return lines.map(({ measure, text }) => (
    <p className="tabular-nums" key={measure}>
      {text}
    </p>
  ));
}
