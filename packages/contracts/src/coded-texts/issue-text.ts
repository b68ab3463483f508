import { z } from "zod";
import { count, type TextOf, text, toTextSchema } from "./text-shapes.ts";

/** Why a value was rejected: a phrase that follows the name of its field, as in “title: must not be empty”. */
export const issueTextShapes = {
  "value-invalid": {},
  "value-missing": {},
  "value-wrong-type": { expected: text },
  "value-empty": {},
  "value-too-short": { characters: count },
  "value-too-long": { characters: count },
  "list-too-short": { items: count },
  "list-too-long": { items: count },
  "number-too-small": { least: z.number() },
  "number-too-large": { most: z.number() },
  "value-not-allowed": { allowed: z.array(text) },
  "unknown-keys": { keys: z.array(text) },
  "value-wrong-format": { format: text },
  "server-name-invalid": {},
  "key-invalid": {},
  "path-outside-repository": {},
  "endpoint-name-invalid": {},
  "variable-name-invalid": {},
  "command-missing": {},
  "native-agent-elsewhere": {},
};

/** Parses the reason why a value was rejected. */
export const issueTextSchema = toTextSchema(issueTextShapes);
/** Why a value was rejected. */
export type IssueText = TextOf<typeof issueTextShapes>;

/** Issues with a code of their own: the names of string formats (`z.stringFormat`), or `params.rule` of a refinement. */
const ownRules: Readonly<Record<string, IssueText>> = {
  "mcp-server-name": { code: "server-name-invalid" },
  "provider-key": { code: "key-invalid" },
  "inside-repository": { code: "path-outside-repository" },
  "endpoint-name": { code: "endpoint-name-invalid" },
  "variable-name": { code: "variable-name-invalid" },
  "agent-command": { code: "command-missing" },
  "not-native": { code: "native-agent-elsewhere" },
};

/**
 * A zod issue as data, for users of any language. Parse with `reportInput: true`; otherwise a missing value is reported as one of the
 * wrong type.
 */
export function toIssueText(issue: z.core.$ZodIssue): IssueText {
  switch (issue.code) {
    case "invalid_type":
      return "input" in issue && issue.input === undefined
        ? { code: "value-missing" }
        : { code: "value-wrong-type", expected: issue.expected };
    case "too_small":
      return toTooSmall(issue.origin, Number(issue.minimum));
    case "too_big":
      return toTooLarge(issue.origin, Number(issue.maximum));
    case "invalid_value":
      return { code: "value-not-allowed", allowed: issue.values.map(String) };
    case "unrecognized_keys":
      return { code: "unknown-keys", keys: issue.keys };
    case "invalid_format":
      return (
        ownRules[issue.format] ??
        (issue.format === "regex" ? { code: "value-invalid" } : { code: "value-wrong-format", format: issue.format })
      );
    case "custom":
      return ownRules[String(issue.params?.rule)] ?? { code: "value-invalid" };
    default:
      return { code: "value-invalid" };
  }
}

function toTooSmall(origin: string, minimum: number): IssueText {
  if (origin === "array") return { code: "list-too-short", items: minimum };
  if (origin !== "string") return { code: "number-too-small", least: minimum };
  return minimum === 1 ? { code: "value-empty" } : { code: "value-too-short", characters: minimum };
}

function toTooLarge(origin: string, maximum: number): IssueText {
  if (origin === "array") return { code: "list-too-long", items: maximum };
  return origin === "string" ? { code: "value-too-long", characters: maximum } : { code: "number-too-large", most: maximum };
}
