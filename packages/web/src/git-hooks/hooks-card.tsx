import type { HooksRun } from "@skein/contracts";
import type { HookedOperation } from "@skein/engine";
import { useId, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { IconButton } from "../ui/button.tsx";
import { DisclosureButton } from "../ui/disclosure-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { OutputBlock } from "../ui/output-block.tsx";
import { ReviewHooksButton } from "./review-hooks-button.tsx";
import { useGitHooksText } from "./use-git-hooks-text.ts";
import type { HookedAttempt } from "./use-hooks-plan.ts";

/** Hooks of an operation that has succeeded. */
export interface HooksReport {
  operation: HookedOperation;
  run: HooksRun;
}

/** After an operation: that hooks ran, with their output to open, or why they did not. */
export function HooksCard({ report, onClose, ...attempt }: HookedAttempt & { report: HooksReport; onClose(): void }) {
  const { app } = useText();
  const { outcome } = report.run;
  if (outcome === "none") return null;
  return (
    <div className="flex items-start gap-2 border-line border-b px-3 py-1.5 text-sm">
      {outcome === "ran" ? <Ran {...report} /> : <DidNotRun {...attempt} outcome={outcome} />}
      <IconButton label={app.close} onClick={onClose}>
        <Icon name="cross" size={14} />
      </IconButton>
    </div>
  );
}

function Ran({ operation, run: { output } }: HooksReport) {
  const words = useGitHooksText();
  const id = useId();
  const [open, setOpen] = useState(false);
  if (output.trim() === "")
    return (
      <p className="min-w-0 flex-1 py-1 text-ink-soft" role="status">
        {words.ran[operation]}. {words.silent}
      </p>
    );
  return (
    <div className="min-w-0 flex-1">
      <DisclosureButton
        className="min-h-8 pointer-coarse:min-h-11 w-full gap-1.5 rounded-md"
        controls={id}
        onOpenChange={setOpen}
        open={open}
      >
        <span className="min-w-0">{words.ran[operation]}</span>
      </DisclosureButton>
      <div id={id}>{open && <OutputBlock label={words.output} text={output} />}</div>
    </div>
  );
}

function DidNotRun({ outcome, ...attempt }: HookedAttempt & { outcome: "not-trusted" | "changed" }) {
  const words = useGitHooksText();
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <p className="min-w-0 flex-1 basis-60 text-warn" role="status">
        {words.didNotRun[outcome]}
      </p>
      <ReviewHooksButton {...attempt} />
    </div>
  );
}
