import type { Approval } from "@skein/contracts";
import { findPlan } from "@skein/engine";
import { useMemo } from "react";
import { useIsViewer } from "../team/me.ts";
import { ReadOnlyNote } from "../team/read-only.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { QuestionCard } from "./question-card.tsx";
import { toQuestions } from "./question-form.ts";

/** What an agent waits for: answers to its questions, approval of its plan, or permission to use a tool. */
export function ApprovalCard(props: ApprovalCardProps) {
  if (!useIsViewer(props.approval.taskId)) return <AnswerableCard {...props} />;
  return (
    <fieldset className="min-w-0" disabled>
      <AnswerableCard {...props} active={false} />
      <ReadOnlyNote className="-mt-1 mb-3 px-3" />
    </fieldset>
  );
}

interface ApprovalCardProps {
  approval: Approval;
  /** The keys A, Shift+A and D are for it. */
  active?: boolean;
}

function AnswerableCard({ approval, active = false }: ApprovalCardProps) {
  const questions = useMemo(() => toQuestions(approval), [approval]);
  const plan = useMemo(() => findPlan(approval), [approval]);
  if (questions) return <QuestionCard active={active} approval={approval} questions={questions} />;
  if (plan) return <PlanCard active={active} approval={approval} plan={plan.text} />;
  return <PermissionCard active={active} approval={approval} />;
}
