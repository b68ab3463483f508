import type { Approval } from "@skein/contracts";
import { findPlan } from "@skein/engine";
import { useMemo } from "react";
import { PermissionCard } from "./permission-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { QuestionCard } from "./question-card.tsx";
import { toQuestions } from "./question-form.ts";

/** What an agent waits for: answers to its questions, approval of its plan, or permission to use a tool. */
export function ApprovalCard({
  approval,
  active = false,
}: {
  approval: Approval;
  /** The keys A, Shift+A and D are for it. */
  active?: boolean;
}) {
  const questions = useMemo(() => toQuestions(approval), [approval]);
  const plan = useMemo(() => findPlan(approval), [approval]);
  if (questions) return <QuestionCard active={active} approval={approval} questions={questions} />;
  if (plan) return <PlanCard active={active} approval={approval} plan={plan.text} />;
  return <PermissionCard active={active} approval={approval} />;
}
