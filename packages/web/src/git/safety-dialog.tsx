import type { SafetyRef } from "@skein/contracts";
import { useCodedText } from "../i18n/coded-text.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FailureText } from "../ui/failure-text.tsx";
import { useAction } from "../ui/use-action.ts";
import type { GitDialogProps } from "./dialog-props.ts";
import { useGitText } from "./use-git-text.ts";

/** The copies that were written before files were changed, newest first. */
export function SafetyDialog({ state, operations, onClose }: GitDialogProps) {
  const words = useGitText().safety;
  const coded = useCodedText();
  const format = useFormats();
  const { busy, failure, run } = useAction();
  const obstacle = state.obstacles.restore;
  const restore = (safetyRef: SafetyRef) =>
    run(async () => {
      await operations.restore(safetyRef);
      onClose();
    });
  return (
    <Dialog description={words.text} onOpenChange={(open) => !open && onClose()} open title={words.title}>
      {obstacle && (
        <div className="mb-2 text-sm text-warn">
          {coded(obstacle.text, obstacle.text.code)}
          {obstacle.command !== undefined && <CommandLine command={obstacle.command} />}
        </div>
      )}
      <ul className="divide-y divide-line rounded-md border border-line">
        {state.safetyRefs
          .toSorted((a, b) => b.createdAt - a.createdAt)
          .map((safetyRef) => {
            const [what, when] = [words.before[safetyRef.before], format.dateTime(safetyRef.createdAt)];
            return (
              <li className="flex items-center gap-2 px-2.5 py-1.5 text-sm" key={safetyRef.ref}>
                <span className="min-w-0 flex-1">
                  <span className="block">{what}</span>
                  <span className="block text-ink-faint text-xs">{when}</span>
                </span>
                <Button
                  aria-label={words.restoreOne(what, when)}
                  disabled={busy || obstacle !== undefined}
                  onClick={() => void restore(safetyRef)}
                >
                  {words.restore}
                </Button>
              </li>
            );
          })}
      </ul>
      {failure && <FailureText {...failure} />}
    </Dialog>
  );
}
