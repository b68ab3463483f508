import { Dialog as Base } from "@base-ui/react/dialog";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { usePaletteText } from "../i18n/palette-text.ts";
import { Icon, Spinner } from "../ui/icon.tsx";
import { type MarkedText, nextIndex, type PaletteGroup, type PaletteItem, toRuns } from "./palette-item.ts";
import { usePaletteItems } from "./use-palette-items.ts";

/** Everything by keyboard: type, choose with the arrow keys, Enter. The focus stays in the field. */
export function CommandPalette(props: {
  onClose(): void;
  showShortcuts(): void;
  /** What was typed before there was a field to type into. */
  readTyped(): string;
}) {
  const { onClose, showShortcuts, readTyped } = props;
  const text = usePaletteText();
  const words = text.shell.palette;
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState(readTyped);
  const [active, setActive] = useState(0);
  const { items, searching, failed } = usePaletteItems(typed, { showShortcuts });
  const at = Math.min(active, items.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });

  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key === "Enter") choose(items[at]);
    else if (key === "ArrowDown" || key === "ArrowUp") setActive(nextIndex(items.length, at, key));
    else if ((key === "Home" || key === "End") && (event.ctrlKey || event.metaKey)) setActive(nextIndex(items.length, at, key));
    else return;
    event.preventDefault();
  };
  const groups = [...new Set(items.map(({ group }) => group))];
  return (
    <Base.Root onOpenChange={(open) => !open && onClose()} open>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/30 dark:bg-black/60" />
        <Base.Popup
          aria-label={words.title}
          className="fixed top-[10dvh] left-1/2 z-50 flex max-h-[76dvh] w-[calc(100vw-1rem)] max-w-2xl -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line-strong/60 bg-raised shadow-pop"
        >
          <div className="flex items-center gap-2 border-line border-b px-3">
            <Icon className="text-ink-faint" name="search" />
            <input
              aria-activedescendant={at >= 0 ? optionId(at) : undefined}
              aria-autocomplete="list"
              aria-controls={listId}
              aria-expanded={items.length > 0}
              aria-label={words.title}
              autoComplete="off"
              // biome-ignore lint/a11y/noAutofocus: the dialog is for typing
              autoFocus
              className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-ink-faint"
              maxLength={500}
              onChange={(event) => {
                setTyped(event.target.value);
                setActive(0);
              }}
              onKeyDown={onKeyDown}
              placeholder={words.placeholder}
              role="combobox"
              spellCheck={false}
              value={typed}
            />
            {searching && <Spinner className="text-ink-faint" size={14} />}
          </div>
          <div
            aria-label={words.results}
            className="scroll-quiet min-h-0 flex-1 overflow-y-auto p-1.5"
            id={listId}
            ref={list}
            role="listbox"
          >
            {groups.map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: a listbox has no fieldsets
              <div aria-label={words.groups[group]} key={group} role="group">
                <GroupLabel group={group} />
                {items.map(
                  (item, index) =>
                    item.group === group && (
                      <Option
                        id={optionId(index)}
                        item={item}
                        key={item.id}
                        onChoose={() => choose(item)}
                        onPoint={() => setActive(index)}
                        selected={index === at}
                      />
                    ),
                )}
              </div>
            ))}
          </div>
          <p aria-live="polite" className={items.length === 0 ? "px-4 pt-1 pb-5 text-center text-ink-soft text-sm" : "sr-only"}>
            {failed ? words.failed : searching ? "" : items.length === 0 ? words.nothing : words.count(items.length)}
          </p>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function GroupLabel({ group }: { group: PaletteGroup }) {
  const text = usePaletteText();
  return (
    <div aria-hidden="true" className="px-2 pt-2 pb-1 font-medium text-ink-faint text-xs">
      {text.shell.palette.groups[group]}
    </div>
  );
}

function Option(props: { id: string; item: PaletteItem; selected: boolean; onChoose(): void; onPoint(): void }) {
  const { item, selected } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field, which has the focus, handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      aria-selected={selected}
      className={`flex min-h-9 pointer-coarse:min-h-11 cursor-default items-center gap-2.5 rounded-md px-2 py-1 text-sm ${selected ? "bg-active" : ""}`}
      id={props.id}
      onClick={props.onChoose}
      onPointerMove={props.onPoint}
      role="option"
    >
      <Icon className="text-ink-faint" name={item.icon} />
      <span className="min-w-0 flex-1">
        <Marked className={item.detail ? "line-clamp-2 [overflow-wrap:anywhere]" : "block truncate"} {...item.title} />
        {item.detail && <Marked className="block truncate text-ink-faint text-xs" {...item.detail} />}
      </span>
      {item.hint && <span className="shrink-0 text-ink-faint text-xs">{item.hint}</span>}
    </div>
  );
}

function Marked({ className, ...marked }: MarkedText & { className: string }) {
  return (
    <span className={className}>
      {toRuns(marked).map((run, index) =>
        run.marked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs have no identity of their own
          <mark className="rounded-xs bg-accent/25 text-inherit" key={index}>
            {run.text}
          </mark>
        ) : (
          run.text
        ),
      )}
    </span>
  );
}
