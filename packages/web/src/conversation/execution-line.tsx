import type { EndedExecution } from "@skein/contracts";
import type { ReactNode } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { toExecutionFacts } from "./execution-facts.ts";

/** How an execution ended, how long it took and what it cost. */
export function ExecutionLine({ execution, children }: { execution: EndedExecution; children?: ReactNode }) {
  const text = useTaskText();
  const format = useFormats();
  return (
    <div
      className="flex min-h-6 flex-wrap items-center gap-x-1.5 px-2 text-ink-faint text-xs tabular-nums"
      data-execution-id={execution.id}
      title={execution.reason === null ? format.dateTime(execution.endedAt) : text.coded(execution.reasonText, execution.reason)}
    >
      <span className="sr-only">{text.execution.label}: </span>
      {toExecutionFacts(execution, text, format).join(" · ")}
      {children}
    </div>
  );
}
