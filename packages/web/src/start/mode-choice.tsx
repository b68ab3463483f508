import type { AgentInfo, PermissionMode } from "@skein/contracts";
import { useId } from "react";
import { toModeWords, workingModes } from "../agents/mode-hint.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { recommendedMode } from "./recommended-mode.ts";

/** Until a permission mode was chosen once: what each allows, with one that fits most. Real radio buttons: the arrow keys choose. */
export function ModeChoice(props: { agent: AgentInfo | undefined; value: PermissionMode; onChange(mode: PermissionMode): void }) {
  const text = useTaskText();
  const name = useId();
  const modes = workingModes.map((mode) => ({ mode, ...toModeWords(props.agent, mode, text) }));
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">{text.start.mode.question}</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {modes.map(({ mode, label, hint }) => (
          <label
            className="flex cursor-pointer gap-2 rounded-lg border border-line-strong bg-raised px-3 py-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-accent sm:flex-col sm:gap-1"
            key={mode}
          >
            <input
              checked={props.value === mode}
              className="mt-1 accent-accent sm:sr-only"
              name={name}
              onChange={() => props.onChange(mode)}
              type="radio"
              value={mode}
            />
            <span className="min-w-0">
              <span className="block font-medium">{label}</span>
              <span className="block text-ink-soft text-xs">{hint}</span>
              {mode === recommendedMode && (
                <span className="mt-0.5 block font-medium text-accent text-xs">{text.start.mode.recommended}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      <p className="mt-1.5 text-ink-faint text-xs">{text.start.mode.later}</p>
    </fieldset>
  );
}
