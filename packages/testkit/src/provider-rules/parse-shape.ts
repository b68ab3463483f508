import type { z } from "zod";
import type { Violation } from "./violation.ts";

type Issue = z.core.$ZodIssue;
type Key = PropertyKey;

export type Parsed<T> = { ok: true; request: T } | { ok: false; violations: Violation[] };

/** Parses wire JSON; mismatches become `shape` violations worded by `describe`, in the provider's form. */
export function parseShape<T>(schema: z.ZodType<T>, body: unknown, describe: (issue: Issue, found: unknown) => Violation): Parsed<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { ok: true, request: parsed.data };
  const issues = parsed.error.issues.map(deepest);
  return { ok: false, violations: issues.map((issue) => describe(issue, valueAt(body, issue.path))) };
}

// "A string or a list of blocks" fails as a whole; the branch that got furthest names the block that is wrong.
function deepest(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const nested = issue.errors.flat().map((inner) => deepest({ ...inner, path: [...issue.path, ...inner.path] }));
  return nested.reduce<Issue>((best, inner) => (inner.path.length > best.path.length ? inner : best), issue);
}

function valueAt(body: unknown, path: readonly Key[]): unknown {
  let value: unknown = body;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** `messages.0.content.1` */
export function dotted(path: readonly Key[]): string {
  return path.map(String).join(".");
}

/** `messages[0].content[1]` */
export function bracketed(path: readonly Key[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

/** A value as an error message quotes it. */
export function quoted(found: unknown): string {
  return typeof found === "string" ? found : JSON.stringify(found);
}
