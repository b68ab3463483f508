import type { Approval, ApprovalAnswers, JsonValue } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";

export interface Question {
  header: string | null;
  question: string;
  options: readonly { label: string; description: string | null }[];
  multiple: boolean;
  /** A field of a form that an agent asks for: its answer has a type, and there is none but those that are offered. */
  field?: QuestionField;
}

export interface QuestionField {
  /** `url` asks to open a page, `consent` for nothing but agreement. */
  type: "text" | "number" | "integer" | "boolean" | "choice" | "choices" | "url" | "consent";
  hint: string | null;
  optional: boolean;
  /** The initial answer. */
  initial: readonly string[];
  /** Bounds of a number, or of the number of chosen options. */
  minimum: number | null;
  maximum: number | null;
  url: string | null;
}

/** What the user has chosen so far. `other` is kept while another choice is tried. */
export interface QuestionDraft {
  labels: readonly string[];
  usesOther: boolean;
  other: string;
}

/** The questions of an approval that only asks; null for one that lets a tool act, and for questions that cannot be read. */
export function toQuestions({ toolName, input }: Pick<Approval, "toolName" | "input">): Question[] | null {
  if (toolName !== "ask") return null;
  const asked = field(input, "questions");
  if (!Array.isArray(asked) || asked.length === 0) return null;
  const questions = asked.map(toQuestion);
  return questions.every((question) => question !== null) ? questions : null;
}

/** The text above the fields of a form. */
export function toFormMessage({ input }: Pick<Approval, "input">): string | null {
  return text(field(input, "message"));
}

function toQuestion(value: JsonValue): Question | null {
  const question = text(field(value, "question"));
  const options = field(value, "options") ?? [];
  if (question === null || !Array.isArray(options)) return null;
  return {
    header: text(field(value, "header")),
    question,
    options: options.flatMap((option) => {
      const label = text(field(option, "label"));
      return label === null ? [] : [{ label, description: text(field(option, "description")) }];
    }),
    multiple: field(value, "multiple") === true,
    ...toField(value),
  };
}

const fieldTypes: readonly QuestionField["type"][] = ["text", "number", "integer", "boolean", "choice", "choices", "url", "consent"];

function toField(value: JsonValue): { field?: QuestionField } {
  const type = fieldTypes.find((known) => known === field(value, "type"));
  if (type === undefined) return {};
  const initial = field(value, "initial");
  const number = (...names: string[]) => names.map((name) => field(value, name)).find((bound) => typeof bound === "number") ?? null;
  return {
    field: {
      type,
      hint: text(field(value, "hint")),
      optional: field(value, "optional") === true,
      initial: Array.isArray(initial) ? initial.filter((item) => typeof item === "string") : [],
      minimum: number("minimum", "minItems"),
      maximum: number("maximum", "maxItems"),
      url: text(field(value, "url")),
    },
  };
}

export function emptyDraft({ options, field: rules }: Question): QuestionDraft {
  const initial = rules?.initial ?? [];
  if (options.length > 0) return { labels: initial, usesOther: false, other: "" };
  return { labels: [], usesOther: true, other: initial[0] ?? "" };
}

export function chooseLabel(draft: QuestionDraft, label: string, { multiple }: Question): QuestionDraft {
  if (!multiple) return { ...draft, labels: [label], usesOther: false };
  const others = draft.labels.filter((known) => known !== label);
  return { ...draft, labels: others.length < draft.labels.length ? others : [...draft.labels, label] };
}

export function chooseOther(draft: QuestionDraft, changes: { usesOther: boolean; other?: string }, { multiple }: Question): QuestionDraft {
  return { ...draft, ...changes, labels: changes.usesOther && !multiple ? [] : draft.labels };
}

/** Null until every question has an answer. Chosen labels are in the order of the options, not of the clicks. */
export function toAnswers(questions: readonly Question[], drafts: readonly QuestionDraft[]): ApprovalAnswers | null {
  const answers: [string, string | string[]][] = [];
  for (const [index, question] of questions.entries()) {
    const draft = drafts[index] ?? emptyDraft(question);
    const own = draft.usesOther ? draft.other.trim() : "";
    const chosen = question.options.map(({ label }) => label).filter((label) => draft.labels.includes(label));
    const all = own === "" ? chosen : [...chosen, own];
    const [first] = all;
    if (question.field !== undefined) {
      if (isAnswerless(question.field) || (question.field.optional && first === undefined)) continue;
      if (first === undefined || !isValid(question.field, all)) return null;
    }
    if (first === undefined || (draft.usesOther && own === "")) return null;
    answers.push([question.question, question.multiple ? all : first]);
  }
  return Object.fromEntries(answers);
}

/** Whether the field rejects what was entered. Shown at once, not only when the form is sent. */
export function isRefused({ field: rules, options, multiple }: Question, { labels, other }: QuestionDraft): boolean {
  if (rules === undefined || isAnswerless(rules)) return false;
  const entered = options.length === 0 ? [other.trim()].filter((item) => item !== "") : labels;
  return entered.length > 0 && (multiple || options.length === 0) && !isValid(rules, entered);
}

function isAnswerless({ type }: QuestionField): boolean {
  return type === "url" || type === "consent";
}

function isValid({ type, minimum, maximum }: QuestionField, all: readonly string[]): boolean {
  const size = type === "choices" ? all.length : type === "number" || type === "integer" ? Number(all[0]) : null;
  if (size === null) return true;
  if (type === "integer" ? !Number.isInteger(size) : !Number.isFinite(size)) return false;
  return (minimum === null || size >= minimum) && (maximum === null || size <= maximum);
}

function field(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
