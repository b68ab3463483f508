import { type ReactNode, useMemo } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { useShownParts } from "./disclosure.tsx";
import { ShowAllButton } from "./show-all-button.tsx";

const step = 1000;

export interface ShownItemsOptions {
  /** Remembers how many are shown. */
  id: string;
  /** How many are shown at first. A few more than that are shown at once. */
  first: number;
  /** The label of the button; “Show # more” without it. */
  label?: (count: number) => string;
}

/** The beginning of a list of any length, and the button that shows more of it, where there is more. */
export function useShownItems<Item>(
  items: readonly Item[],
  { id, first, label }: ShownItemsOptions,
): { shown: readonly Item[]; more: ReactNode } {
  const text = useTaskText();
  const [parts, showMore] = useShownParts(`${id}:items`);
  const count = first + (parts - 1) * step;
  const shown = useMemo(() => (items.length <= count + 5 ? items : items.slice(0, count)), [items, count]);
  const hidden = Math.min(step, items.length - shown.length);
  return {
    shown,
    more: hidden > 0 && <ShowAllButton onClick={showMore}>{(label ?? text.conversation.showAllItems)(hidden)}</ShowAllButton>,
  };
}
