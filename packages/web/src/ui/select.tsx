import { Select as Base } from "@base-ui/react/select";
import { useId } from "react";
import { Icon } from "./icon.tsx";

export interface SelectOption {
  value: string;
  label: string;
  hint?: string;
  disabled?: boolean;
}

export function Select(props: { label: string; value: string; options: readonly SelectOption[]; onChange(value: string): void }) {
  const id = useId();
  const chosen = props.options.find((option) => option.value === props.value);
  return (
    <div>
      <span className="mb-1 block font-medium text-sm" id={id}>
        {props.label}
      </span>
      <Base.Root items={[...props.options]} onValueChange={(value) => value !== null && props.onChange(value)} value={props.value}>
        <Base.Trigger
          aria-labelledby={id}
          className="flex h-9 pointer-coarse:h-11 w-full items-center gap-2 rounded-md border border-line-strong bg-canvas px-2.5 text-start text-sm hover:bg-hover"
        >
          <span className="min-w-0 flex-1 truncate">
            <Base.Value />
          </span>
          <Base.Icon className="text-ink-faint">
            <Icon name="chevronUpDown" size={14} />
          </Base.Icon>
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner alignItemWithTrigger={false} className="z-[60] outline-none" sideOffset={4}>
            <Base.Popup className="max-h-[min(20rem,var(--available-height))] min-w-[var(--anchor-width)] max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line-strong/60 bg-raised p-1 shadow-pop outline-none">
              {props.options.map((option) => (
                <Base.Item
                  className="flex min-h-8 pointer-coarse:min-h-11 cursor-default items-center gap-2 rounded-md px-2 py-1 text-sm outline-none select-none data-disabled:text-ink-faint data-highlighted:bg-hover"
                  disabled={option.disabled ?? false}
                  key={option.value}
                  value={option.value}
                >
                  <span className="min-w-0 flex-1">
                    <Base.ItemText>{option.label}</Base.ItemText>
                    {option.hint && <span className="block text-ink-faint text-xs">{option.hint}</span>}
                  </span>
                  <Base.ItemIndicator className="text-accent">
                    <Icon name="check" size={14} />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
      {chosen?.hint && <p className="mt-1 text-ink-faint text-xs">{chosen.hint}</p>}
    </div>
  );
}
