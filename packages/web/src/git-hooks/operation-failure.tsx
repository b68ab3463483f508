import type { HookedOperation } from "@skein/engine";
import { fence } from "@skein/engine";
import { useRef } from "react";
import { api } from "../api/api.ts";
import { stripAnsi } from "../text/parse-ansi.ts";
import { Button } from "../ui/button.tsx";
import { type Failure, FailureText } from "../ui/failure-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { OutputBlock } from "../ui/output-block.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { useGitHooksText } from "./use-git-hooks-text.ts";
import type { HookedAttempt } from "./use-hooks-plan.ts";

export interface OperationFailureProps extends HookedAttempt {
  failure: Failure;
  operation: HookedOperation;
  /** The agent has got the hook's output. */
  onAsked(): void;
}

/** Why a commit or a push failed. A hook that refused it is shown with its output, which one click sends to the agent. */
export function OperationFailure({ failure, ...props }: OperationFailureProps) {
  const { refusal } = failure;
  return (
    <div className="space-y-2">
      <FailureText {...failure} />
      {refusal && <Refusal {...props} refusal={refusal} />}
    </div>
  );
}

function Refusal({
  refusal: { hook, output },
  attemptId,
  taskId,
  operation,
  onAsked,
}: Omit<OperationFailureProps, "failure"> & { refusal: NonNullable<Failure["refusal"]> }) {
  const words = useGitHooksText();
  const { busy, failure, run } = useAction();
  const command = useRef(crypto.randomUUID());
  const ask = () =>
    run(async () => {
      const printed = stripAnsi(output).trim();
      const message = [words.message[operation](hook), ...(printed === "" ? [] : [fence(printed)])].join("\n\n");
      const { queued } = await api.execute({ type: "SEND_MESSAGE", id: command.current, taskId, attemptId, message });
      showToast({ text: queued === undefined ? words.asked : words.queued, tone: "plain" });
      onAsked();
    });
  return (
    <>
      {output !== "" && <OutputBlock label={words.output} text={output} />}
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-60 text-ink-soft text-sm">{words.refused[operation]}</p>
        <Button disabled={busy} onClick={() => void ask()}>
          {busy ? <Spinner size={14} /> : <Icon name="agent" size={14} />}
          {words.ask}
        </Button>
      </div>
      {failure && <FailureText {...failure} />}
    </>
  );
}
