import { useLayoutEffect, useRef } from "react";

/** Keys typed into a field, or into an open dialog or menu, belong to it. */
export function isTyping(event: KeyboardEvent): boolean {
  return isField(event.target);
}

/** A field, or anything in an open dialog or menu. */
export function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=menu], [role=listbox]") !== null;
}

export interface ShortcutOptions {
  enabled?: boolean;
  /** A key that is held acts again and again; only for what just moves. */
  repeats?: boolean;
  /** Goes before the same key of the page around it. */
  first?: boolean;
}

/**
 * A single key anywhere on the page, without modifiers. It works from the moment that what it is for can be seen: a key that
 * is pressed in between must not be taken for another.
 */
export function useShortcut(
  key: string,
  action: () => void,
  { enabled = true, repeats = false, first = false }: ShortcutOptions = {},
): void {
  const latest = useRef(action);
  useLayoutEffect(() => {
    latest.current = action;
  });
  useLayoutEffect(() => {
    if (!enabled) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
      event.preventDefault();
      if (repeats || !event.repeat) latest.current();
    };
    document.addEventListener("keydown", listen, { capture: first });
    return () => document.removeEventListener("keydown", listen, { capture: first });
  }, [key, enabled, repeats, first]);
}
