import type { JsonValue } from "@skein/contracts";
import { toWritableJson } from "@skein/engine/bounded-json";
import { arrayField, asObject, booleanField, objectField, stringField } from "@skein/engine/json-fields";
import { keepNewest } from "@skein/engine/keep-newest";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import {
  type CodexQuestion,
  elicitationMethod,
  isQuestion,
  planMethod,
  planTool,
  toElicitingTool,
  userInputMethod,
} from "./codex-approvals.ts";
import { findCommandDanger, toCodexGrant } from "./codex-grants.ts";
import type { CodexItem } from "./codex-item.ts";
import type { CodexItems } from "./codex-items.ts";

const maxAsked = 64;

export type CodexQuestionsState = string[];

/**
 * Identifies the subject of a request by Codex's ids. Codex may ask twice about one item (again when the sandbox was in the way), and
 * each request needs its own answer. Driver and decoder count the same way.
 */
export class QuestionIds {
  readonly #asked: Set<string>;

  constructor(state: CodexQuestionsState = []) {
    this.#asked = new Set(state);
  }

  next(requestId: string, { params }: CodexQuestion): string {
    const itemId = stringField(params, "itemId") ?? "elicitation";
    if (this.#asked.has(itemId) || itemId === "elicitation") return `${itemId}_${requestId}`;
    this.#asked.add(itemId);
    keepNewest(this.#asked, maxAsked);
    return itemId;
  }

  save(): CodexQuestionsState {
    return [...this.#asked];
  }
}

/** Requests of Codex that the user answers. The driver rejects all others. */
export class CodexQuestions {
  readonly #ids: QuestionIds;
  readonly #directory: string | undefined;

  constructor(state?: CodexQuestionsState, directory?: string) {
    this.#ids = new QuestionIds(state);
    this.#directory = directory;
  }

  read(question: CodexQuestion & { requestId: string }, items: CodexItems, context: LineContext): void {
    const { method, params, requestId } = question;
    if (method !== planMethod && !isQuestion(question)) return;
    const id = this.#ids.next(requestId, question);
    const { toolName, input } = toAsked(question, items, context);
    if (method === userInputMethod) items.start(id, { type: "tool", toolName, input, result: { output: "", isError: false } }, context);
    const message = method === elicitationMethod ? stringField(params, "message") : undefined;
    const reason = stringField(params, "reason") ?? message ?? findCommandDanger(question);
    const grant = toCodexGrant(question, this.#directory);
    context.emit({
      type: "approval-request",
      toolUseId: context.toolUseId(id),
      toolName,
      input,
      ...(reason === undefined ? {} : { reason }),
      ...(grant === undefined ? {} : { grant }),
      requestId,
      at: context.at,
    });
  }

  /** Codex does not repeat the user's answer: the driver records it. */
  readAnswer(params: JsonObject, items: CodexItems, context: LineContext): void {
    const id = stringField(params, "itemId");
    if (id === undefined) return;
    if (Object.hasOwn(params, "plan")) {
      items.complete(id, toAnsweredPlan(params), context);
      return;
    }
    const isDenied = stringField(params, "decision") === "deny";
    const answers = objectField(params, "answers") ?? {};
    const output = isDenied ? "Not answered." : Object.values(answers).flat().join("\n");
    const result = { output, isError: isDenied, ...(isDenied ? { state: "denied" as const } : { structured: { answers } }) };
    items.complete(id, { type: "tool", toolName: "ask", input: {}, result }, context);
  }

  save(): CodexQuestionsState {
    return this.#ids.save();
  }
}

function toAnsweredPlan(params: JsonObject): CodexItem {
  const isDenied = stringField(params, "decision") === "deny";
  const plan = stringField(params, "plan") ?? "";
  const output = isDenied ? (stringField(params, "reason") ?? "Not approved.") : "The user approved the plan.";
  const end = isDenied ? { isError: true, state: "denied" as const } : { isError: false, structured: { plan } };
  return { type: "tool", toolName: planTool, input: { plan }, result: { output, ...end } };
}

function toAsked({ method, params }: CodexQuestion, items: CodexItems, context: LineContext): { toolName: string; input: JsonValue } {
  switch (method) {
    case planMethod:
      return { toolName: planTool, input: { plan: stringField(params, "plan") ?? "" } };
    case userInputMethod:
      return { toolName: "ask", input: { questions: (arrayField(params, "questions") ?? []).map(toQuestion) } };
    case elicitationMethod:
      return {
        toolName: toElicitingTool(params) ?? `mcp__${stringField(params, "serverName") ?? "server"}`,
        input: toWritableJson(toElicitationInput(params)),
      };
    case "item/fileChange/requestApproval":
      return { toolName: "file_change", input: toApprovalInput(params, items.findChanges(stringField(params, "itemId") ?? "", context)) };
    default:
      return { toolName: "command_execution", input: toApprovalInput(params, []) };
  }
}

function toQuestion(value: JsonValue): JsonObject {
  const options = (arrayField(value, "options") ?? []).flatMap((option): JsonValue[] => {
    const label = stringField(option, "label");
    return label === undefined ? [] : [{ label, description: stringField(option, "description") ?? "" }];
  });
  return {
    header: stringField(value, "header") ?? "",
    question: stringField(value, "question") ?? "",
    options,
    multiple: booleanField(value, "multiSelect") ?? false,
  };
}

/** A tool that asks has its arguments in `_meta`. */
function toElicitationInput(params: JsonObject): JsonObject {
  const meta = objectField(params, "_meta");
  return asObject(meta?.tool_params) ?? { message: stringField(params, "message") ?? "" };
}

/** The change is in the item that is reported before the request, which has only its id. */
function toApprovalInput(params: JsonObject, changes: readonly JsonObject[]): JsonValue {
  const { command, cwd, grantRoot, commandActions, permissions } = params;
  const input: JsonObject = changes.length === 0 ? {} : { changes: [...changes] };
  for (const [name, field] of Object.entries({ command, cwd, grantRoot, commandActions, permissions })) {
    if (field !== undefined && field !== null) input[name] = field;
  }
  return toWritableJson(input);
}
