import type { HookedOperation } from "@skein/engine";
import { Icon } from "../ui/icon.tsx";
import { ReviewHooksButton } from "./review-hooks-button.tsx";
import { useGitHooksText } from "./use-git-hooks-text.ts";
import { type HookedAttempt, useHooksPlan } from "./use-hooks-plan.ts";

/** Before an operation: which hooks will run, or that they will not. Nothing if there are none. */
export function HooksHint({ operation, ...attempt }: HookedAttempt & { operation: HookedOperation }) {
  const words = useGitHooksText();
  const plan = useHooksPlan(attempt, operation);
  if (plan.kind === "none") return null;
  const runs = plan.kind === "run";
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p className="flex min-w-0 flex-1 basis-60 items-start gap-1.5 text-ink-soft">
        <Icon className={`mt-[3px] ${runs ? "text-ink-faint" : "text-warn"}`} name={runs ? "info" : "warning"} size={14} />
        <span className="min-w-0">{runs ? words.willRun(plan.names) : words.willNotRun[plan.kind]}</span>
      </p>
      <ReviewHooksButton {...attempt} />
    </div>
  );
}
