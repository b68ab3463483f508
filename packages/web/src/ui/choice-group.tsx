import { useId } from "react";

/** A few values side by side, one of them chosen. Real radio buttons: the arrow keys choose. */
export function ChoiceGroup<Value extends string>(props: {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string; lang?: string }[];
  onChange(value: Value): void;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-sm">{props.label}</legend>
      <div className="inline-flex max-w-full flex-wrap gap-0.5 rounded-lg border border-line bg-sunken p-0.5">
        {props.choices.map(({ value, label, lang }) => (
          <label
            className="flex min-h-8 pointer-coarse:min-h-11 cursor-pointer items-center rounded-md px-3 text-ink-soft text-sm hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-xs dark:has-checked:bg-active has-focus-visible:outline-2 has-focus-visible:outline-accent"
            key={value}
            lang={lang}
          >
            <input
              checked={props.value === value}
              className="sr-only"
              name={name}
              onChange={() => props.onChange(value)}
              type="radio"
              value={value}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
