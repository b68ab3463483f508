import type { AnswerApproval, ApprovalId } from "@skein/contracts";
import { useState } from "react";
import { api } from "../api/api.ts";
import { ApiError } from "../api/api-error.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { answeredHere } from "./answered-here.ts";

/** Answers once. Stays busy afterwards: the card is removed when the server reports the approval as resolved. */
export function useAnswer(id: ApprovalId): { busy: boolean; error: string | null; answer(body: AnswerApproval): Promise<void> } {
  const text = useTaskText();
  const describe = useErrorText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const answer = async (body: AnswerApproval) => {
    setBusy(true);
    setError(null);
    answeredHere.add(id);
    try {
      await api.answerApproval(id, body);
    } catch (failure) {
      const late = failure instanceof ApiError && failure.problem.code === "approval-already-resolved";
      setError(late ? text.approval.alreadyAnswered : describe(failure));
      setBusy(false);
    }
  };
  return { busy, error, answer };
}
