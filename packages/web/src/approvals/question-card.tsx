import type { Approval } from "@skein/contracts";
import { useState } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { ApprovalFrame } from "./approval-frame.tsx";
import { LimitedText } from "./limited-text.tsx";
import { QuestionFields } from "./question-fields.tsx";
import { emptyDraft, type Question, toAnswers, toFormMessage } from "./question-form.ts";
import { TamperingWarning } from "./tampering-warning.tsx";
import { useAnswer } from "./use-answer.ts";
import { useAnswerGuard } from "./use-answer-guard.ts";

/** The agent's questions, with choices and fields for other answers. The agent waits until they are answered or skipped. */
export function QuestionCard({ approval, questions, active }: { approval: Approval; questions: readonly Question[]; active: boolean }) {
  const text = useTaskText();
  const [drafts, setDrafts] = useState(() => questions.map(emptyDraft));
  const { busy, error, answer } = useAnswer(approval.id);
  const answers = toAnswers(questions, drafts);
  const message = toFormMessage(approval);
  const type = questions[0]?.field?.type;
  const title =
    type === undefined ? text.approval.questionTitle(questions.length) : type === "url" ? text.approval.pageTitle : text.approval.formTitle;
  const guard = useAnswerGuard({ content: approval, active });
  return (
    <ApprovalFrame active={active} icon="question" id={approval.id} title={title} tone="accent">
      <form
        className="space-y-4 px-3 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (answers && !busy && guard.isReady) void answer({ decision: "allow", answers });
        }}
      >
        <TamperingWarning approval={approval} />
        {message && (
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            <LimitedText text={message} />
          </p>
        )}
        {questions.map((question, index) => (
          <QuestionFields
            draft={drafts[index] ?? emptyDraft(question)}
            // biome-ignore lint/suspicious/noArrayIndexKey: the questions of an approval do not change
            key={index}
            onChange={(draft) => setDrafts(drafts.map((known, other) => (other === index ? draft : known)))}
            question={question}
          />
        ))}
        {error && <ErrorText>{error}</ErrorText>}
        <div className="flex flex-wrap gap-2" ref={guard.actions}>
          <Button aria-disabled={!guard.isReady} disabled={busy || !answers} look="primary" type="submit">
            {type === "url" ? text.approval.pageOpened : type === "consent" ? text.approval.agree : text.approval.answer}
          </Button>
          <Button aria-disabled={!guard.isReady} disabled={busy} onClick={() => guard.isReady && void answer({ decision: "deny" })}>
            {text.approval.skip}
          </Button>
        </div>
      </form>
    </ApprovalFrame>
  );
}
