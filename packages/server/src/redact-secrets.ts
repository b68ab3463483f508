import { browserSecretPattern } from "./browser-secret.ts";

/** Returns a plain JSON value without known or recognised secrets. */
export type Redact = (value: unknown) => unknown;

const mark = "[redacted]";
const maxDepth = 8;
const maxEntries = 200;
const maxTextLength = 100_000;
/** Shorter values could be ordinary words. */
const minSecretLength = 8;

/** Names of fields, headers and variables with secret values. Counts such as `inputTokens` are numbers, which are kept. */
const secretName =
  /(^|[-_.])(authorization|cookies?|skein-session)$|(token|secret|password|passwd|credentials?|api[-_]?key|private[-_]?key)$/i;

const patterns: readonly [RegExp, string][] = [
  [browserSecretPattern, mark],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, mark],
  // the rest of a line that looks like a header with credentials
  [/\b((?:proxy-)?authorization|(?:set-)?cookie|skein-session|x-(?:goog-)?api-key)(["']?\s*[:=]\s*["']?)[^\r\n"']+/gi, `$1$2${mark}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${mark}`],
  // API keys of providers and services, by prefix
  [/\b(?:sk|pk|rk|gsk|xai|glpat|xox[abeprs])-[\w-]{16,}/g, mark],
  [/\b(?:gsk|hf|r8|npm|gh[opsur]|github_pat|glpat|sk_live|sk_test)_\w{16,}/g, mark],
  [/\bAIza[\w-]{20,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bya29\.[\w-]{16,}/g, mark],
  // bounded, to avoid quadratic time on long words
  [/\beyJ[\w-]{8,4000}\.[\w-]{8,16000}\.[\w-]*/g, mark],
  // a URL with a password, or with a key as a parameter
  [/(\b[a-z][a-z+.-]{0,20}:\/\/)[^\s/@:]*:[^\s/@]+@/gi, `$1${mark}@`],
  [/([?&#](?:key|api[-_]?key|access_token|token|code|secret|password|signature)=)[^&\s"'<>]+/gi, `$1${mark}`],
];

/**
 * `secrets` lists the current secret values, such as the token and API keys. It is called each time, because keys can change; a value
 * that was listed once stays a secret.
 */
export function createRedactor(secrets: () => Iterable<string>): Redact {
  const known = new Set<string>();

  const redactText = (text: string): string => {
    let result = text;
    for (const secret of known) result = result.replaceAll(secret, mark);
    for (const [pattern, replacement] of patterns) result = result.replace(pattern, replacement);
    return result.length > maxTextLength ? `${result.slice(0, maxTextLength)}… [${result.length - maxTextLength} more characters]` : result;
  };

  const redactFields = (entries: Iterable<readonly [string, unknown]>, above: readonly object[]): Record<string, unknown> => {
    const fields: Record<string, unknown> = {};
    let count = 0;
    for (const [name, value] of entries) {
      if (++count > maxEntries) break;
      const isSecret = secretName.test(name) && (typeof value === "string" || (typeof value === "object" && value !== null));
      fields[redactText(name)] = isSecret ? mark : redactValue(value, above);
    }
    return fields;
  };

  const redactValue = (value: unknown, above: readonly object[]): unknown => {
    if (typeof value === "string") return redactText(value);
    if (typeof value === "bigint" || typeof value === "symbol") return redactText(String(value));
    if (typeof value === "function") return undefined;
    if (typeof value !== "object" || value === null) return value;
    if (above.includes(value)) return "[circular]";
    if (above.length >= maxDepth) return "[too deep]";
    return redactObject(value, [...above, value]);
  };

  const redactObject = (value: object, above: readonly object[]): unknown => {
    if (value instanceof Error) {
      // `cause` and fields that libraries add, such as a response with its headers; the first three are not enumerable
      const { name, message, stack, cause } = value;
      const fields = Object.entries(value).filter(([key]) => !["name", "message", "stack", "cause"].includes(key));
      const errors = value instanceof AggregateError ? [["errors", value.errors] as const] : [];
      return redactFields([["name", name], ["message", message], ["stack", stack], ["cause", cause], ...errors, ...fields], above);
    }
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value) || value instanceof Set) return [...value].slice(0, maxEntries).map((item) => redactValue(item, above));
    if (value instanceof Map || value instanceof Headers || value instanceof URLSearchParams)
      return redactFields(
        [...value.entries()].map(([name, item]) => [String(name), item] as const),
        above,
      );
    if ("toJSON" in value && typeof value.toJSON === "function") return redactValue(value.toJSON(), above);
    return redactFields(Object.entries(value), above);
  };

  return (value) => {
    for (const secret of secrets()) if (secret.length >= minSecretLength) known.add(secret);
    return redactValue(value, []);
  };
}

/** The values of variables and settings with a secret name. */
export function listSecrets(variables: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(variables).flatMap(([name, value]) => (value !== undefined && secretName.test(name) ? [value] : []));
}
