import { useId } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { ExternalLink } from "../ui/external-link.tsx";
import { LimitedText } from "./limited-text.tsx";
import { chooseLabel, chooseOther, isRefused, type Question, type QuestionDraft } from "./question-form.ts";

interface QuestionFieldsProps {
  question: Question;
  draft: QuestionDraft;
  onChange(draft: QuestionDraft): void;
}

const choiceClass =
  "flex min-h-9 pointer-coarse:min-h-11 gap-2.5 rounded-lg border border-line px-3 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-wash";

/** One question: its text, its choices, and a field for an answer in other words. */
export function QuestionFields({ question, draft, onChange }: QuestionFieldsProps) {
  const text = useTaskText();
  const name = useId();
  const rules = question.field;
  const isText = question.options.length === 0 && rules?.type !== "url" && rules?.type !== "consent";
  const isInvalid = isRefused(question, draft);
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
        {question.options.map((option) => (
          <Choice draft={draft} key={option.label} name={name} onChange={onChange} option={option} question={question} />
        ))}
        {(isText || rules === undefined) && (
          <OwnAnswer draft={draft} isInvalid={isInvalid} name={name} onChange={onChange} question={question} />
        )}
        {isInvalid && <Refusal question={question} />}
      </div>
    </fieldset>
  );
}

interface AnswerProps extends QuestionFieldsProps {
  /** Of the group of inputs. */
  name: string;
}

const toInputType = ({ multiple }: Question) => (multiple ? "checkbox" : "radio");

function Choice({ question, draft, onChange, name, option }: AnswerProps & { option: Question["options"][number] }) {
  const { approval } = useTaskText();
  const { label, description } = option;
  return (
    <label className={`${choiceClass} items-start py-2`}>
      <input
        checked={draft.labels.includes(label)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        name={name}
        onChange={() => onChange(chooseLabel(draft, label, question))}
        type={toInputType(question)}
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {question.field?.type === "boolean" ? label === "Yes" ? approval.yes : approval.no : <LimitedText text={label} />}
        {description && (
          <span className="block text-ink-soft text-xs">
            <LimitedText text={description} />
          </span>
        )}
      </span>
    </label>
  );
}

function OwnAnswer({ question, draft, onChange, name, isInvalid }: AnswerProps & { isInvalid: boolean }) {
  const { approval } = useTaskText();
  const hasChoices = question.options.length > 0;
  const isNumber = question.field?.type === "number" || question.field?.type === "integer";
  return (
    <div className={`${choiceClass} items-center py-1`}>
      {hasChoices && (
        <label className="flex items-center gap-2.5">
          <input
            checked={draft.usesOther}
            className="size-4 shrink-0 accent-accent"
            name={name}
            onChange={(event) => onChange(chooseOther(draft, { usesOther: event.target.checked }, question))}
            type={toInputType(question)}
          />
          {approval.other}
        </label>
      )}
      <input
        aria-invalid={isInvalid}
        aria-label={approval.otherLabel(question.question)}
        className="h-7 pointer-coarse:h-9 min-w-0 flex-1 rounded bg-transparent px-1 placeholder:text-ink-faint"
        inputMode={isNumber ? "decimal" : "text"}
        maxLength={10_000}
        onChange={({ target }) =>
          onChange(chooseOther(draft, { usesOther: !hasChoices || target.value !== "", other: target.value }, question))
        }
        onKeyDown={(event) => {
          // Enter that ends an input method's word, or is held, must not send the form.
          if (event.key === "Enter" && (event.nativeEvent.isComposing || event.repeat)) event.preventDefault();
        }}
        placeholder={isNumber ? "" : approval.otherPlaceholder}
        value={draft.other}
      />
    </div>
  );
}

function Refusal({ question: { field } }: { question: Question }) {
  const { approval } = useTaskText();
  if (field === undefined) return null;
  const [minimum, maximum] = [field.minimum, field.maximum].map((bound) => (bound === null ? null : String(bound)));
  const range = approval.range(minimum ?? null, maximum ?? null);
  const format = field.type === "integer" ? approval.notAnInteger : field.type === "number" ? approval.notANumber : approval.wrongCount;
  return <ErrorText>{format(range)}</ErrorText>;
}

/** An address from an agent: all of it is shown, its host apart, and only the user opens it. */
function PageLink({ url }: { url: string }) {
  const { approval } = useTaskText();
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
