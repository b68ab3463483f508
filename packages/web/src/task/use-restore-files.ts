import type { AttemptId, RestoreRequest } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { gitApi, gitStateQuery } from "../api/git-api.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useRewindText } from "./use-rewind-text.ts";

/** Restores files of an attempt, and reports it with an undo, which restores the safety ref that was written before. */
export function useRestoreFiles(attemptId: AttemptId): (target: Extract<RestoreRequest, { executionId: string }>) => Promise<void> {
  const words = useRewindText();
  const describe = useErrorText();
  const client = useQueryClient();
  const restore = async (body: RestoreRequest): Promise<void> => {
    const { paths, safetyRef } = await gitApi.restore(attemptId, body);
    void client.invalidateQueries({ queryKey: gitStateQuery(attemptId).queryKey });
    if (paths.length === 0) return showToast({ text: words.same, tone: "plain" });
    const undo = () => void restore({ ref: safetyRef.ref }).catch((error: unknown) => showToast({ text: describe(error), tone: "bad" }));
    showToast({ text: words.restored(paths.length), tone: "plain", undo });
  };
  return ({ executionId, to }) => restore({ executionId, to });
}
