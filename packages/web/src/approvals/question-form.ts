import type { Approval, ApprovalAnswers, JsonValue } from "@skein/contracts";

export interface Question {
  header: string | null;
  question: string;
  options: readonly { label: string; description: string | null }[];
  multiple: boolean;
}

/** What the person has chosen so far. `other` is kept while another choice is tried. */
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
  };
}

export function emptyDraft({ options }: Question): QuestionDraft {
  return { labels: [], usesOther: options.length === 0, other: "" };
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
    if (first === undefined || (draft.usesOther && own === "")) return null;
    answers.push([question.question, question.multiple ? all : first]);
  }
  return Object.fromEntries(answers);
}

function field(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value[name] : undefined;
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
