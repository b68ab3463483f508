import type { EndedExecution } from "@skein/contracts";
import { type ComponentProps, useState } from "react";
import { api } from "../api/api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { ExecutionLine } from "./execution-line.tsx";
import { ExecutionMenu } from "./execution-menu.tsx";

/** A line after the last message of an execution: duration and cost, and how to continue if it did not finish. */
export function ExecutionEnd({
  execution,
  onContinue,
}: {
  execution: EndedExecution;
  onContinue?: ((message: string) => void) | undefined;
}) {
  const text = useTaskText();
  return (
    <ExecutionLine execution={execution}>
      <ExecutionMenu executionId={execution.id} />
      {onContinue &&
        (execution.code === "not-answered" ? (
          <RetryButton execution={execution} />
        ) : (
          <EndButton onClick={() => onContinue(text.execution.continueMessage)} title={text.flow.execution.continueHint}>
            {text.execution.continue}
          </EndButton>
        ))}
    </ExecutionLine>
  );
}

function EndButton(props: ComponentProps<"button">) {
  return <button className="pointer-coarse:min-h-11 rounded px-1.5 py-0.5 text-accent hover:bg-hover" type="button" {...props} />;
}

/** Sends the same message again: the agent has done nothing that could be continued. */
function RetryButton({ execution: { id: executionId, taskId, attemptId } }: { execution: EndedExecution }) {
  const text = useTaskText();
  const describe = useErrorText();
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    try {
      await api.execute({ id: crypto.randomUUID(), type: "RETRY_EXECUTION", taskId, attemptId, executionId });
    } catch (error) {
      showToast({ text: describe(error), tone: "bad" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <EndButton disabled={busy} onClick={() => void retry()} title={text.flow.execution.retryHint}>
      {text.flow.execution.retry}
    </EndButton>
  );
}
