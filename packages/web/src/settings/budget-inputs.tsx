import { type Budget, type BudgetMeasure, budgetMeasureSchema } from "@skein/contracts";
import { NumberSetting } from "./setting-fields.tsx";
import { useLimitsText } from "./use-limits-text.ts";

const most = 1_000_000_000;

export interface BudgetInputsProps {
  budget: Budget;
  /** Shown in an empty field: what applies then. */
  emptyLabel: string;
  disabled: boolean;
  onChange(budget: Budget): void;
}

/** A field for each measure of a budget. */
export function BudgetInputs({ budget, emptyLabel, disabled, onChange }: BudgetInputsProps) {
  const words = useLimitsText();
  const set = (measure: BudgetMeasure, value: number | null) => {
    const { [measure]: _, ...others } = budget;
    onChange(value === null ? others : { ...others, [measure]: value });
  };
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {budgetMeasureSchema.options.map((measure) => (
        <NumberSetting
          disabled={disabled}
          emptyLabel={emptyLabel}
          isFraction={measure !== "tokens"}
          key={measure}
          label={words.measures[measure]}
          max={most}
          min={measure === "tokens" ? 1 : 0.01}
          note={null}
          onChange={(value) => set(measure, value)}
          value={budget[measure] ?? null}
        />
      ))}
    </div>
  );
}
