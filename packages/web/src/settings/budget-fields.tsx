import {
  type Budget,
  type BudgetScope,
  type BudgetSettings,
  budgetScopeSchema,
  type ParkingSettings,
  type ProjectId,
} from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { putSettings, settingsApi } from "../api/shell-api.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { BudgetInputs } from "./budget-inputs.tsx";
import { useLimitsText } from "./use-limits-text.ts";

/** How much agents may use before the user is asked, and what happens at a limit of a provider. */
export function BudgetFields(props: { budgets: BudgetSettings; parking: ParkingSettings; disabled: boolean }) {
  const { budgets, parking, disabled } = props;
  const words = useLimitsText();
  const client = useQueryClient();
  const { error, run } = useAction();
  const save = (changes: Parameters<typeof settingsApi.setGeneral>[0]) =>
    void run(async () => {
      const general = await settingsApi.setGeneral(changes);
      putSettings(client, (known) => ({ ...known, general }));
      showToast({ text: words.saved, tone: "plain" });
    });
  const { data: projects = [] } = useQuery(projectsQuery);
  const [chosen, setChosen] = useState<ProjectId | null>(null);
  const project = projects.find(({ id }) => id === chosen);
  const own: Partial<Record<BudgetScope, Budget>> = project === undefined ? budgets : (budgets.perProject[project.id] ?? {});
  const setBudget = (scope: BudgetScope, budget: Budget) => {
    if (project === undefined) return save({ budgets: { [scope]: budget } });
    // without any amount, the budget for all projects applies again
    const { [scope]: _, ...others } = own;
    const changed = Object.keys(budget).length === 0 ? others : { ...others, [scope]: budget };
    save({ budgets: { perProject: { ...budgets.perProject, [project.id]: changed } } });
  };
  const scopes = budgetScopeSchema.options.filter((scope) => project === undefined || scope !== "day");
  return (
    <section aria-labelledby="settings-budgets" className="space-y-6">
      <div>
        <h3 className="font-semibold" id="settings-budgets">
          {words.budgets}
        </h3>
        <p className="text-ink-soft text-sm">{words.aboutBudgets}</p>
      </div>
      {error && <ErrorText>{error}</ErrorText>}
      {projects.length > 0 && (
        <div>
          <Select
            label={words.budgetsOf}
            onChange={(id) => setChosen(projects.find((one) => one.id === id)?.id ?? null)}
            options={[{ value: "", label: words.allProjects }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
            value={project?.id ?? ""}
          />
          {project && <p className="mt-1 text-ink-faint text-xs">{words.aboutProjectBudgets}</p>}
        </div>
      )}
      {scopes.map((scope) => (
        <fieldset key={`${project?.id} ${scope}`}>
          <legend className="mb-2 font-medium text-sm">{words.scopes[scope]}</legend>
          <BudgetInputs
            budget={own[scope] ?? {}}
            disabled={disabled}
            emptyLabel={project !== undefined && budgets[scope] !== undefined && own[scope] === undefined ? words.asForAll : words.noLimit}
            onChange={(budget) => setBudget(scope, budget)}
          />
        </fieldset>
      ))}
      <fieldset className="space-y-2">
        <legend className="mb-2 font-semibold">{words.parking}</legend>
        {(["resume", "onOverload"] as const).map((choice) => (
          <label className="flex min-h-8 items-center gap-2 text-sm" key={choice}>
            <input
              checked={parking[choice]}
              className="size-4 accent-accent"
              disabled={disabled}
              onChange={(event) => save({ parking: { [choice]: event.target.checked } })}
              type="checkbox"
            />
            {words.parkingChoices[choice]}
          </label>
        ))}
      </fieldset>
    </section>
  );
}
