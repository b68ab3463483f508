import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement } from "react";
import { Icon } from "./icon.tsx";
import type { MenuEntry } from "./menu-entry.ts";

const popupClass =
  "z-50 min-w-44 max-w-[min(22rem,calc(100vw-1rem))] max-h-(--available-height) overflow-y-auto rounded-lg border border-line-strong/60 bg-raised p-1 shadow-pop outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0";
const itemClass =
  "flex min-h-8 pointer-coarse:min-h-11 cursor-default items-center gap-2 rounded-md px-2 text-sm outline-none select-none data-disabled:text-ink-faint data-highlighted:bg-hover";

const labelClass = "px-2 pt-1.5 pb-1 font-medium text-ink-faint text-xs";

/** Drawn for the first time because its button was pressed: it starts open. */
export function MenuPopup({ trigger, entries, align }: { trigger: ReactElement; entries: readonly MenuEntry[]; align: "start" | "end" }) {
  return (
    <Base.Root defaultOpen modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} className="z-50 outline-none" sideOffset={4}>
          {/* a menu that scrolls can have the focus itself */}
          <Base.Popup className={popupClass} tabIndex={0}>
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the entries of a menu keep their places
              <Entry entry={entry} key={index} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry.kind === "line") return <hr className="mx-1 my-1 border-line" />;
  if (entry.kind === "item") {
    return (
      <Base.Item
        className={`${itemClass} ${entry.danger ? "text-bad" : ""}`}
        disabled={entry.obstacle !== undefined && !entry.canExplain}
        onClick={entry.onSelect}
      >
        <Icon className={entry.danger ? "" : "text-ink-faint"} name={entry.icon} />
        <span className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
          <span className={entry.obstacle === undefined ? "" : "text-ink-faint"}>{entry.label}</span>
          {(entry.obstacle ?? entry.hint) !== undefined && (
            <span className="block text-ink-faint text-xs">{entry.obstacle ?? entry.hint}</span>
          )}
        </span>
      </Base.Item>
    );
  }
  if (entry.kind === "checks") {
    return (
      <Base.Group>
        <Base.GroupLabel className={labelClass}>{entry.label}</Base.GroupLabel>
        {entry.choices.map((choice) => (
          <Base.CheckboxItem
            checked={entry.values.includes(choice.value)}
            className={itemClass}
            closeOnClick={false}
            key={choice.value}
            onCheckedChange={() => entry.onToggle(choice.value)}
          >
            {choice.icon}
            <span className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">{choice.label}</span>
            <Base.CheckboxItemIndicator className="text-accent">
              <Icon name="check" size={14} />
            </Base.CheckboxItemIndicator>
          </Base.CheckboxItem>
        ))}
      </Base.Group>
    );
  }
  return (
    <Base.Group>
      <Base.GroupLabel className={labelClass}>{entry.label}</Base.GroupLabel>
      <Base.RadioGroup onValueChange={entry.onChoose} value={entry.value}>
        {entry.choices.map((choice) => (
          <Base.RadioItem className={itemClass} closeOnClick disabled={choice.disabled ?? false} key={choice.value} value={choice.value}>
            {choice.icon}
            <span className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">{choice.label}</span>
            <Base.RadioItemIndicator className="text-accent">
              <Icon name="check" size={14} />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}
