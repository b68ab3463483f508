import {
  type Attempt,
  attemptExportSchema,
  type ConversationMessage,
  conversationMessageSchema,
  type Execution,
  type ExportHead,
  executionSchema,
  exportHeadSchema,
  type ProblemText,
  type StoredMessage,
  storedMessageSchema,
  toIssueText,
} from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { z } from "zod";
import { JsonParts, JsonPartsError, parseJson } from "./json-parts.ts";

/** Of one message, or of one other field. */
const maxPartLength = 64 * 1024 * 1024;
const maxExecutions = 100_000;
const longestReason = 300;
const format = exportHeadSchema.shape.format.value;

/** The beginning of an exported attempt, from a file. */
export type ExportedHead = Pick<ExportHead, "task" | "attempt" | "exportedAt"> & { executions: readonly Execution[] };

export type ExportedPart = { kind: "message"; value: StoredMessage } | { kind: "conversation"; value: ConversationMessage };

const headSchemas: Readonly<Record<string, z.ZodType>> = {
  format: exportHeadSchema.shape.format,
  exportedAt: exportHeadSchema.shape.exportedAt,
  task: exportHeadSchema.shape.task,
  attempt: exportHeadSchema.shape.attempt,
};
const itemSchemas: Readonly<Record<string, z.ZodType>> = {
  executions: executionSchema,
  messages: storedMessageSchema,
  conversation: conversationMessageSchema,
};
const arrays = new Set(Object.keys(itemSchemas));
const known = new Set([...Object.keys(headSchemas), ...arrays]);
/** Changes are in git, not in the database. */
const skipped = new Set(Object.keys(attemptExportSchema.shape).filter((name) => !known.has(name)));

interface Reading {
  /** The text of the file, in pieces. */
  chunks: AsyncIterable<string>;
  /** Yields to other work; may reject to end it. */
  pause(): Promise<void> | undefined;
}

/**
 * Reads a whole exported attempt once, and returns its beginning. Throws a `ServiceError` that says what is wrong with the file, before
 * anything of it is stored.
 */
export async function checkExportedFile(reading: Reading): Promise<ExportedHead> {
  const head: Record<string, unknown> = {};
  const executions: Execution[] = [];
  const owners = new Set<string>();
  const fields = new Set<string>();
  let problem: ProblemText | undefined;
  try {
    for await (const { field, index, text } of readParts(reading)) {
      fields.add(field);
      const value = parseJson(text);
      const schema = index === undefined ? headSchemas[field] : itemSchemas[field];
      const place = index === undefined ? field : `${field}[${index}]`;
      const parsed = schema?.safeParse(value, { reportInput: true });
      if (field === "format") head.format = value;
      else if (index === undefined && arrays.has(field))
        problem ??= { code: "export-field-invalid", field, issue: { code: "value-wrong-type", expected: "array" } };
      else if (parsed === undefined) continue;
      else if (!parsed.success) problem ??= toFieldProblem(place, parsed.error);
      else if (field === "executions") executions.push(parsed.data as Execution);
      else if (index === undefined) head[field] = parsed.data;
      else if (field === "messages") owners.add((parsed.data as StoredMessage).executionId);
      if (executions.length > maxExecutions) problem ??= { code: "export-part-too-large", field, maxLength: maxExecutions };
    }
  } catch (error) {
    if (!(error instanceof JsonPartsError)) throw error;
    throw new ServiceError("invalid", toProblem(error, head.format), { cause: error });
  }
  if (head.format !== format) throw new ServiceError("invalid", toFormatProblem(head.format));
  const missing = ["exportedAt", "task", "attempt"].find((name) => !fields.has(name));
  if (missing !== undefined) problem ??= { code: "export-field-invalid", field: missing, issue: { code: "value-missing" } };
  const ids = new Set<string>(executions.map(({ id }) => id));
  const numbers = new Set(executions.map(({ number }) => number));
  const isUnique = ids.size === executions.length && numbers.size === executions.length;
  if (!isUnique || [...owners].some((id) => !ids.has(id)) || (executions.length === 0 && fields.has("conversation")))
    problem ??= { code: "export-field-invalid", field: "executions", issue: { code: "value-invalid" } };
  if (problem !== undefined) throw new ServiceError("invalid", problem);
  return { ...(head as unknown as { task: ExportHead["task"]; attempt: Attempt; exportedAt: number }), executions };
}

/** The messages of a file that was checked, in its order. */
export async function* readExportedMessages(reading: Reading): AsyncGenerator<ExportedPart, void> {
  for await (const { field, index, text } of readParts(reading)) {
    if (index === undefined) continue;
    if (field === "messages") yield { kind: "message", value: storedMessageSchema.parse(JSON.parse(text)) };
    else if (field === "conversation") yield { kind: "conversation", value: conversationMessageSchema.parse(JSON.parse(text)) };
  }
}

async function* readParts({ chunks, pause }: Reading) {
  const parts = new JsonParts({ arrays, skipped, maxLength: maxPartLength });
  for await (const chunk of chunks) {
    for (const part of parts.read(chunk)) {
      yield part;
      const waiting = pause();
      if (waiting !== undefined) await waiting;
    }
  }
  parts.end();
}

function toFormatProblem(found: unknown): ProblemText {
  if (typeof found === "string" && /^skein-attempt\/\d{1,6}$/.test(found)) return { code: "export-other-version", format: found };
  return { code: "not-an-export" };
}

function toProblem({ failure }: JsonPartsError, found: unknown): ProblemText {
  if (found !== undefined && found !== format) return toFormatProblem(found);
  switch (failure.kind) {
    case "cut-off":
      return { code: "export-cut-off" };
    case "not-json":
      return { code: "export-not-json", reason: failure.reason.slice(0, longestReason) };
    case "too-large":
      return { code: "export-part-too-large", field: toFieldName(failure.field), maxLength: maxPartLength };
    case "too-deep":
      return { code: "export-too-deep", field: toFieldName(failure.field) };
  }
}

function toFieldProblem(place: string, { issues }: z.ZodError): ProblemText {
  const [issue] = issues;
  const field = toFieldName([place, ...(issue?.path ?? [])].join("."));
  return { code: "export-field-invalid", field, issue: issue === undefined ? { code: "value-invalid" } : toIssueText(issue) };
}

const toFieldName = (name: string): string => name.slice(0, longestReason);
