import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

const popupClass =
  "z-50 min-w-44 max-w-[min(22rem,calc(100vw-1rem))] max-h-[min(24rem,var(--available-height))] overflow-y-auto rounded-lg border border-line-strong/60 bg-raised p-1 shadow-pop outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0";
const itemClass =
  "flex min-h-8 pointer-coarse:min-h-10 cursor-default items-center gap-2 rounded-md px-2 text-sm outline-none select-none data-disabled:text-ink-faint data-highlighted:bg-hover";

/** `trigger` is the button that opens it. */
export function Menu({ trigger, children, align = "start" }: { trigger: ReactElement; children: ReactNode; align?: "start" | "end" }) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} className="z-50 outline-none" sideOffset={4}>
          <Base.Popup className={popupClass}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem(props: {
  icon?: IconName;
  children: ReactNode;
  onSelect(): void;
  danger?: boolean;
  hint?: string;
  disabled?: boolean;
}) {
  return (
    <Base.Item className={`${itemClass} ${props.danger ? "text-bad" : ""}`} disabled={props.disabled ?? false} onClick={props.onSelect}>
      {props.icon && <Icon className={props.danger ? "" : "text-ink-faint"} name={props.icon} />}
      <span className="min-w-0 flex-1 truncate">{props.children}</span>
      {props.hint && <kbd className="font-sans text-ink-faint text-xs">{props.hint}</kbd>}
    </Base.Item>
  );
}

export interface MenuChoice<Value extends string> {
  value: Value;
  label: ReactNode;
  icon?: ReactNode;
}

export function MenuChoices<Value extends string>(props: {
  label: string;
  value: Value;
  choices: readonly MenuChoice<Value>[];
  onChoose(value: Value): void;
}) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 font-medium text-ink-faint text-xs">{props.label}</Base.GroupLabel>
      <Base.RadioGroup onValueChange={(value) => props.onChoose(value as Value)} value={props.value}>
        {props.choices.map((choice) => (
          <Base.RadioItem className={itemClass} closeOnClick key={choice.value} value={choice.value}>
            {choice.icon}
            <span className="min-w-0 flex-1 truncate">{choice.label}</span>
            <Base.RadioItemIndicator className="text-accent">
              <Icon name="check" size={14} />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuLine() {
  return <hr className="mx-1 my-1 border-line" />;
}
