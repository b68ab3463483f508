import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Icon, type IconName } from "./icon.tsx";

export interface Suggestion {
  value: string;
  label: string;
  /** At the end of the row. */
  hint?: string;
  icon: IconName;
}

export interface SuggestFieldProps {
  id?: string;
  label: string;
  listLabel: string;
  value: string;
  placeholder?: string;
  suggestions: readonly Suggestion[];
  /** Enter chooses the first one; otherwise only one that the arrow keys have reached. */
  preselect: boolean;
  invalid?: boolean;
  describedBy?: string;
  autoFocus?: boolean;
  onChange(value: string): void;
  onChoose(value: string): void;
  /** Tab puts a suggestion into the field, to be completed further; without it, Tab leaves the field. */
  onComplete?(value: string): void;
  /** Enter while nothing is suggested. */
  onSubmit(): void;
}

/** A text field with suggestions below it. The focus stays in the field; the arrow keys choose. */
export function SuggestField(props: SuggestFieldProps) {
  const { suggestions, onComplete } = props;
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const active = Math.min(chosen ?? (props.preselect ? 0 : -1), suggestions.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const suggestion = suggestions[active];
    if (by !== undefined && suggestions.length > 0)
      setChosen(active < 0 && by < 0 ? suggestions.length - 1 : (active + by + suggestions.length) % suggestions.length);
    else if (event.key === "Enter") suggestion ? props.onChoose(suggestion.value) : props.onSubmit();
    else if (event.key === "Tab" && !event.shiftKey && onComplete && suggestion && suggestion.value !== props.value)
      onComplete(suggestion.value);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        aria-activedescendant={active >= 0 ? optionId(active) : undefined}
        aria-autocomplete="list"
        aria-controls={suggestions.length > 0 ? listId : undefined}
        aria-describedby={props.describedBy}
        aria-expanded={suggestions.length > 0}
        aria-invalid={props.invalid}
        aria-label={props.label}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        // biome-ignore lint/a11y/noAutofocus: only where the field is what the page or the popup is for
        autoFocus={props.autoFocus}
        className={`h-9 pointer-coarse:h-11 w-full rounded-md border bg-canvas px-3 text-sm placeholder:text-ink-faint ${props.invalid ? "border-bad" : "border-line-strong"}`}
        id={props.id}
        onChange={(event) => {
          setChosen(null);
          props.onChange(event.target.value);
        }}
        onKeyDown={onKeyDown}
        placeholder={props.placeholder}
        role="combobox"
        spellCheck={false}
        value={props.value}
      />
      {suggestions.length > 0 && (
        <div
          aria-label={props.listLabel}
          className="scroll-quiet mt-1 max-h-60 overflow-y-auto rounded-md border border-line p-1"
          id={listId}
          ref={list}
          role="listbox"
        >
          {suggestions.map(({ value, label, hint, icon }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field, which has the focus, handles the keys
            <div
              aria-selected={index === active}
              className="flex min-h-8 pointer-coarse:min-h-11 cursor-default items-center gap-2 rounded-md px-2 text-sm hover:bg-hover aria-selected:bg-active"
              id={optionId(index)}
              key={value}
              onClick={() => props.onChoose(value)}
              onMouseDown={(event) => event.preventDefault()}
              role="option"
              tabIndex={-1}
            >
              <Icon className="text-ink-faint" name={icon} size={14} />
              <span className="min-w-0 flex-1 truncate" title={label}>
                {label}
              </span>
              {hint && <span className="shrink-0 text-ink-faint text-xs">{hint}</span>}
            </div>
          ))}
        </div>
      )}
    </>
  );
}
