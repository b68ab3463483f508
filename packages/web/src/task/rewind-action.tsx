import type { Attempt } from "@skein/contracts";
import { useEffect, useRef } from "react";
import type { RewindRequest } from "../conversation/rewind-request.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { ResendDialog } from "./resend-dialog.tsx";
import { useForkAttempt } from "./use-fork-attempt.ts";
import { useRestoreFiles } from "./use-restore-files.ts";
import { useRewindText } from "./use-rewind-text.ts";

export interface RewindActionProps {
  attempt: Attempt;
  /** Undefined where there is nothing to go back to. */
  request: RewindRequest | undefined;
  onClose(): void;
}

/** A step back: restored files and forks at once, with a toast; a message that is sent again is edited first. */
export function RewindAction({ attempt, request, onClose }: RewindActionProps) {
  if (request?.kind === "resend") return <ResendDialog attempt={attempt} key={request.executionId} onClose={onClose} request={request} />;
  return <Immediate attempt={attempt} onClose={onClose} request={request} />;
}

function Immediate({ attempt, request, onClose }: RewindActionProps & { request: Exclude<RewindRequest, { kind: "resend" }> | undefined }) {
  const words = useRewindText();
  const describe = useErrorText();
  const restore = useRestoreFiles(attempt.id);
  const fork = useForkAttempt(attempt);
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    const run = async () => {
      if (request === undefined) return showToast({ text: words.nothing, tone: "plain" });
      if (request.kind === "restore") return restore(request);
      const { number } = await fork({ executionId: request.executionId, at: "end" });
      showToast({ text: words.forked(number), tone: "plain" });
    };
    run()
      .catch((error: unknown) => showToast({ text: describe(error), tone: "bad" }))
      .finally(onClose);
  });
  return null;
}
