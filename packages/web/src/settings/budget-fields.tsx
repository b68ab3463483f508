import {
  type Budget,
  type BudgetMeasure,
  type BudgetScope,
  type BudgetSettings,
  budgetMeasureSchema,
  budgetScopeSchema,
  type ParkingSettings,
} from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { putSettings, settingsApi } from "../api/shell-api.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { NumberSetting } from "./setting-fields.tsx";
import { useLimitsText } from "./use-limits-text.ts";

const most = 1_000_000_000;

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
  const setBudget = (scope: BudgetScope, measure: BudgetMeasure, value: number | null) => {
    const { [measure]: _, ...others } = budgets[scope] ?? {};
    const budget: Budget = value === null ? others : { ...others, [measure]: value };
    save({ budgets: { [scope]: budget } });
  };
  return (
    <section aria-labelledby="settings-budgets" className="space-y-6">
      <div>
        <h3 className="font-semibold" id="settings-budgets">
          {words.budgets}
        </h3>
        <p className="text-ink-soft text-sm">{words.aboutBudgets}</p>
      </div>
      {error && <ErrorText>{error}</ErrorText>}
      {budgetScopeSchema.options.map((scope) => (
        <fieldset className="grid gap-3 sm:grid-cols-3" key={scope}>
          <legend className="mb-2 font-medium text-sm">{words.scopes[scope]}</legend>
          {budgetMeasureSchema.options.map((measure) => (
            <NumberSetting
              disabled={disabled}
              emptyLabel={words.noLimit}
              key={measure}
              label={words.measures[measure]}
              max={most}
              min={1}
              note={null}
              onChange={(value) => setBudget(scope, measure, value)}
              value={budgets[scope]?.[measure] ?? null}
            />
          ))}
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
