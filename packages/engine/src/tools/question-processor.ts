import type { JsonValue, ToolDetails } from "@skein/contracts";
import { keepStart } from "../text/truncate.ts";
import { arrayField, booleanField, objectField, stringField } from "./json-fields.ts";
import type { ToolProcessor } from "./tool-processor.ts";

const maxQuestions = 20;
const maxTextLength = 4096;

type Question = Extract<ToolDetails, { type: "question" }>["data"]["questions"][number];

/** Questions to the user, shown as a form while they are open. A question that failed shows its error. */
export const questionProcessor: ToolProcessor = {
  toolNames: ["AskUserQuestion", "ask"],
  present(observation) {
    const questions = readQuestions(observation.input);
    // for a form, its fields alone have little information
    const message = stringField(observation.input, "message");
    const subject = message === undefined ? questions.map(({ question }) => question).join(" ") : keepStart(message, maxTextLength);
    const summary = { action: "ask", subject } as const;
    if (questions.length === 0 || observation.state === "failed") return { summary };
    const answers = objectField(observation.structured, "answers");
    return { summary, details: { type: "question", data: { questions, ...(answers === undefined ? {} : { answers }) } } };
  },
};

function readQuestions(input: JsonValue): Question[] {
  return (arrayField(input, "questions") ?? []).slice(0, maxQuestions).flatMap((item) => {
    const question = stringField(item, "question");
    if (question === undefined) return [];
    const header = stringField(item, "header");
    return [
      {
        ...(header === undefined ? {} : { header: keepStart(header, maxTextLength) }),
        question: keepStart(question, maxTextLength),
        options: readOptions(item),
        multiple: booleanField(item, "multiSelect", "multiple") ?? false,
      },
    ];
  });
}

function readOptions(item: JsonValue): Question["options"] {
  return (arrayField(item, "options") ?? []).slice(0, maxQuestions).flatMap((option) => {
    const label = stringField(option, "label");
    const description = stringField(option, "description");
    if (label === undefined) return [];
    return [
      {
        label: keepStart(label, maxTextLength),
        ...(description === undefined ? {} : { description: keepStart(description, maxTextLength) }),
      },
    ];
  });
}
