import type { z } from "zod";
import { bracketed, quoted } from "./parse-shape.ts";
import type { Rule, Violation } from "./violation.ts";

/** Messages that Chat Completions and Responses share. */
export function tooLong(rule: Rule, path: string, { max, length }: { max: number; length: number }): Violation {
  const message = `Invalid '${path}': string too long. Expected a string with maximum length ${max}, but got a string with length ${length} instead.`;
  return { rule, path, message, code: "string_above_max_length" };
}

export function patternMismatch(rule: Rule, path: string, pattern: RegExp): Violation {
  const message = `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`;
  return { rule, path, message, code: "invalid_value" };
}

export function emptyArray(rule: Rule, path: string): Violation {
  const message = `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  return { rule, path, message, code: "empty_array" };
}

/** Checks a function name: characters first, then length, as OpenAI does. */
export function checkName(rule: Rule, path: string, { name, max }: { name: string; max: number }): Violation[] {
  const pattern = /^[a-zA-Z0-9_-]+$/;
  if (!pattern.test(name)) return [patternMismatch(rule, path, pattern)];
  return name.length > max ? [tooLong(rule, path, { max, length: name.length })] : [];
}

export function wrongType(rule: Rule, path: string, { expected, found }: { expected: string; found: unknown }): Violation {
  const message = `Invalid type for '${path}': expected ${article(expected)}, but got ${article(kindOf(found))} instead.`;
  return { rule, path, message, code: "invalid_type" };
}

export function describeShapeIssue(issue: z.core.$ZodIssue, found: unknown): Violation {
  const path = bracketed(issue.path);
  if (path === "")
    return { rule: "shape", path, message: "We could not parse the JSON body of your request. The API expects a JSON payload." };
  if (issue.code === "too_small") return emptyArray("shape", path);
  if (found === undefined)
    return { rule: "shape", path, message: `Missing required parameter: '${path}'.`, code: "missing_required_parameter" };
  if (issue.code === "invalid_type") return wrongType("shape", path, { expected: issue.expected, found });
  return { rule: "shape", path, message: `Invalid value: '${quoted(found)}' for '${path}'.`, code: "invalid_value" };
}

function kindOf(found: unknown): string {
  if (found === null) return "null";
  return Array.isArray(found) ? "array" : typeof found;
}

function article(kind: string): string {
  if (kind === "null") return kind;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
