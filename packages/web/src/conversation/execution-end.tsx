import type { EndedExecution } from "@skein/contracts";
import { useFormats, useText } from "../i18n/locale.tsx";
import { toExecutionFacts } from "./execution-facts.ts";

/** What the execution took, a quiet line after its last message, and a way on where it did not get to its end. */
export function ExecutionEnd({
  execution,
  onContinue,
}: {
  execution: EndedExecution;
  onContinue?: ((message: string) => void) | undefined;
}) {
  const text = useText();
  const format = useFormats();
  return (
    <p
      className="flex min-h-6 flex-wrap items-center gap-x-1.5 px-2 text-ink-faint text-xs tabular-nums"
      data-execution-id={execution.id}
      title={execution.reason ?? format.dateTime(execution.endedAt)}
    >
      <span className="sr-only">{text.execution.label}: </span>
      {toExecutionFacts(execution, text, format).join(" · ")}
      {onContinue && (
        <button
          className="pointer-coarse:min-h-11 rounded px-1.5 py-0.5 text-accent hover:bg-hover"
          onClick={() => onContinue(text.execution.continueMessage)}
          type="button"
        >
          {text.execution.continue}
        </button>
      )}
    </p>
  );
}
