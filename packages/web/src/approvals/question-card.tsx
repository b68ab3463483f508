import type { Approval } from "@skein/contracts";
import { useId, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { ExternalLink } from "../ui/external-link.tsx";
import { ApprovalFrame } from "./approval-frame.tsx";
import {
  chooseLabel,
  chooseOther,
  emptyDraft,
  isRefused,
  type Question,
  type QuestionDraft,
  toAnswers,
  toFormMessage,
} from "./question-form.ts";
import { revealSizes } from "./reveal-size.ts";
import { ShownText } from "./shown-text.tsx";
import { TamperingWarning } from "./tampering-warning.tsx";
import { useAnswer } from "./use-answer.ts";
import { useAnswerGuard } from "./use-answer-guard.ts";

/** What the agent asks, with its choices and room for words of one's own. The agent waits until it is answered or skipped. */
export function QuestionCard({ approval, questions, active }: { approval: Approval; questions: readonly Question[]; active: boolean }) {
  const text = useText();
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

interface QuestionFieldsProps {
  question: Question;
  draft: QuestionDraft;
  onChange(draft: QuestionDraft): void;
}

/** As everything that is decided by: nothing in it can hide, and more of a long text is shown on request. */
function LimitedText({ text }: { text: string }) {
  const [step, setStep] = useState(0);
  const size = revealSizes[Math.min(step, revealSizes.length - 1)] ?? revealSizes[0];
  return <ShownText onShowAll={() => setStep(step + 1)} size={size} text={text} />;
}

const choiceClass =
  "flex min-h-9 pointer-coarse:min-h-11 gap-2.5 rounded-lg border border-line px-3 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-wash";

function QuestionFields({ question, draft, onChange }: QuestionFieldsProps) {
  const text = useText();
  const name = useId();
  const type = question.multiple ? "checkbox" : "radio";
  const rules = question.field;
  const isText = question.options.length === 0 && rules?.type !== "url" && rules?.type !== "consent";
  const isNumber = rules?.type === "number" || rules?.type === "integer";
  const refusal = isRefused(question, draft) ? <Refusal question={question} /> : null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 [overflow-wrap:anywhere]">
        {question.header && (
          <span className="block font-medium text-ink-faint text-xs">
            <LimitedText text={question.header} />
          </span>
        )}
        <span className="whitespace-pre-wrap font-medium">
          <LimitedText text={question.question} />
        </span>
        {question.multiple && rules?.minimum == null && rules?.maximum == null && (
          <span className="ms-2 text-ink-faint text-xs">{text.approval.chooseMany}</span>
        )}
        {rules?.optional && <span className="ms-2 text-ink-faint text-xs">{text.approval.optional}</span>}
        {rules?.hint && (
          <span className="block text-ink-soft text-sm">
            <LimitedText text={rules.hint} />
          </span>
        )}
      </legend>
      {rules?.url && <PageLink url={rules.url} />}
      <div className="space-y-1.5">
        {question.options.map(({ label, description }) => (
          <label className={`${choiceClass} items-start py-2`} key={label}>
            <input
              checked={draft.labels.includes(label)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
              name={name}
              onChange={() => onChange(chooseLabel(draft, label, question))}
              type={type}
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {rules?.type === "boolean" ? label === "Yes" ? text.approval.yes : text.approval.no : <LimitedText text={label} />}
              {description && (
                <span className="block text-ink-soft text-xs">
                  <LimitedText text={description} />
                </span>
              )}
            </span>
          </label>
        ))}
        {(isText || rules === undefined) && (
          <div className={`${choiceClass} items-center py-1`}>
            {question.options.length > 0 && (
              <label className="flex items-center gap-2.5">
                <input
                  checked={draft.usesOther}
                  className="size-4 shrink-0 accent-accent"
                  name={name}
                  onChange={(event) => onChange(chooseOther(draft, { usesOther: event.target.checked }, question))}
                  type={type}
                />
                {text.approval.other}
              </label>
            )}
            <input
              aria-label={text.approval.otherLabel(question.question)}
              className="h-7 pointer-coarse:h-9 min-w-0 flex-1 rounded bg-transparent px-1 placeholder:text-ink-faint"
              maxLength={10_000}
              onChange={({ target }) =>
                onChange(
                  chooseOther(draft, { usesOther: question.options.length === 0 || target.value !== "", other: target.value }, question),
                )
              }
              onKeyDown={(event) => {
                // Enter that ends an input method's word, or is held, must not send the form.
                if (event.key === "Enter" && (event.nativeEvent.isComposing || event.repeat)) event.preventDefault();
              }}
              inputMode={isNumber ? "decimal" : "text"}
              aria-invalid={refusal !== null}
              placeholder={isNumber ? "" : text.approval.otherPlaceholder}
              value={draft.other}
            />
          </div>
        )}
        {refusal}
      </div>
    </fieldset>
  );
}

function Refusal({ question: { field } }: { question: Question }) {
  const { approval } = useText();
  if (field === undefined) return null;
  const [minimum, maximum] = [field.minimum, field.maximum].map((bound) => (bound === null ? null : String(bound)));
  const range = approval.range(minimum ?? null, maximum ?? null);
  const say = field.type === "integer" ? approval.notAnInteger : field.type === "number" ? approval.notANumber : approval.wrongCount;
  return <ErrorText>{say(range)}</ErrorText>;
}

/** An address from an agent: all of it is shown, its host apart, and only the user opens it. */
function PageLink({ url }: { url: string }) {
  const { approval } = useText();
  const host = URL.canParse(url) ? new URL(url).host : url;
  return (
    <div className="space-y-2 text-sm">
      <p className="rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs [overflow-wrap:anywhere]">
        <LimitedText text={url} />
      </p>
      <p className="text-ink-soft">{approval.pageNote(host)}</p>
      <ExternalLink url={url}>{approval.openPage}</ExternalLink>
    </div>
  );
}
