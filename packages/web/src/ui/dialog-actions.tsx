import type { ReactNode } from "react";
import { useText } from "../i18n/locale.tsx";
import { Button } from "./button.tsx";
import { Spinner } from "./icon.tsx";
import { KeyHint } from "./key-hint.tsx";

interface DialogActionsProps {
  busy: boolean;
  /** Default: while busy. */
  disabled?: boolean;
  onCancel(): void;
  /** Without it, the button submits the form around it. */
  onSubmit?: (() => void) | undefined;
  /** Shown next to the label. */
  keys?: string;
  /** The label of the button that submits. */
  children: ReactNode;
}

/** The last row of a dialog: cancel, and the button that does it. */
export function DialogActions({ busy, disabled = busy, onCancel, onSubmit, keys, children }: DialogActionsProps) {
  const { app } = useText();
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onCancel}>{app.cancel}</Button>
      <Button disabled={disabled} look="primary" onClick={onSubmit} type={onSubmit ? "button" : "submit"}>
        {busy && <Spinner size={14} />}
        {children}
        {keys && <KeyHint keys={keys} />}
      </Button>
    </div>
  );
}
