import { Dialog as Base } from "@base-ui/react/dialog";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { useText } from "../i18n/locale.tsx";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

const widths = {
  narrow: "top-[12dvh] max-h-[80dvh] max-w-md",
  wide: "top-[12dvh] max-h-[80dvh] max-w-xl",
  full: "top-[4dvh] max-h-[92dvh] max-w-6xl",
} as const;

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: string;
  children: ReactNode;
  width?: keyof typeof widths;
  /** Keys of the whole dialog, wherever the focus is in it. */
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function Dialog({ open, onOpenChange, title, description, children, width = "narrow", onKeyDown }: DialogProps) {
  const text = useText();
  const popup = useRef<HTMLDivElement>(null);
  /** The first field, unless the dialog has chosen another one; by touch the dialog itself, so that no keyboard covers it. */
  const findFocus = (opened: string) => {
    if (popup.current?.contains(document.activeElement)) return false;
    if (opened === "touch" || matchMedia("(pointer: coarse)").matches) return popup.current ?? true;
    return popup.current?.querySelector<HTMLElement>(":is(input, textarea, select):not(:disabled)") ?? true;
  };
  return (
    <Base.Root onOpenChange={onOpenChange} open={open}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/30 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0 dark:bg-black/60" />
        <Base.Popup
          {...(onKeyDown && { onKeyDown })}
          className={`fixed left-1/2 z-50 w-[calc(100vw-1.5rem)] -translate-x-1/2 overflow-y-auto rounded-xl border outline-none border-line-strong/60 bg-raised p-5 shadow-pop transition-[opacity,transform] duration-150 data-ending-style:scale-[0.98] data-ending-style:opacity-0 data-starting-style:scale-[0.98] data-starting-style:opacity-0 ${widths[width]}`}
          initialFocus={findFocus}
          ref={popup}
        >
          <div className="mb-4 flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="font-semibold text-[0.95rem]">{title}</Base.Title>
              {description && <Base.Description className="mt-1 text-ink-soft text-sm">{description}</Base.Description>}
            </div>
            <Base.Close
              render={<IconButton className="-mt-1 pointer-coarse:-mt-2.5 -mr-1 pointer-coarse:-mr-2.5" label={text.app.close} />}
            >
              <Icon name="cross" />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
