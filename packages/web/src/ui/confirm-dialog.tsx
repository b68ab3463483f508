import { useText } from "../i18n/locale.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorText } from "./error-text.tsx";
import { useAction } from "./use-action.ts";

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description: string;
  action: string;
  onConfirm(): Promise<unknown>;
}

/** For what cannot be undone. A failure of the action is shown here, and the dialog stays open. */
export function ConfirmDialog({ open, onOpenChange, title, description, action, onConfirm }: ConfirmDialogProps) {
  const text = useText();
  const { busy, error, run } = useAction();
  const confirm = () =>
    run(async () => {
      await onConfirm();
      onOpenChange(false);
    });
  return (
    <Dialog description={description} onOpenChange={onOpenChange} open={open} title={title}>
      {error && <ErrorText>{error}</ErrorText>}
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>{text.app.cancel}</Button>
        <Button disabled={busy} look="danger" onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
