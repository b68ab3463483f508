import { useEffect, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { useStore } from "../state/external-store.ts";
import { Button, IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { currentToast, dismissToast, undoToast } from "./toast.ts";
import { isTyping } from "./use-shortcut.ts";

const shownMs = 8000;

/** An empty field has nothing of its own to undo, and may just have got the focus: that of the last task's board, for example. */
const isEditing = (event: KeyboardEvent) =>
  isTyping(event) &&
  !((event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) && event.target.value === "");

/** Stays while the pointer or the focus is on it. Ctrl or ⌘+Z undoes from anywhere but a field with text. */
export function Toaster() {
  const text = useText();
  const toast = useStore(currentToast);
  const [held, setHeld] = useState(false);
  const id = toast?.id;
  const undoable = toast?.undo !== undefined;
  useEffect(() => {
    if (id === undefined || held) return;
    const timer = setTimeout(dismissToast, shownMs);
    return () => clearTimeout(timer);
  }, [id, held]);
  useEffect(() => {
    if (!undoable) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || isEditing(event)) return;
      event.preventDefault();
      undoToast();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [undoable]);
  return (
    // The region is always there: one that appears with its text is not read aloud.
    <div aria-live="polite" className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex justify-center px-3" role="status">
      {toast && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it is only kept from going away while it is read
        <div
          className="pointer-events-auto flex max-w-full items-center gap-1 rounded-lg border border-line-strong/60 bg-raised py-1.5 ps-3 pe-1.5 text-sm shadow-pop"
          key={toast.id}
          onBlur={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
        >
          {toast.tone === "bad" && <Icon className="me-1.5 text-bad" name="warning" size={14} />}
          <span className="me-1.5 line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{toast.text}</span>
          {toast.undo && (
            <Button className="h-7 text-accent" look="quiet" onClick={undoToast}>
              {text.app.undo}
            </Button>
          )}
          {toast.action && (
            <Button
              className="h-7 text-accent"
              look="quiet"
              onClick={() => {
                dismissToast();
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <IconButton label={text.app.close} onClick={dismissToast}>
            <Icon name="cross" size={14} />
          </IconButton>
        </div>
      )}
    </div>
  );
}
