/**
 * Which parameters and fields an operation takes, from the forge's published description. A path has `:name` for a parameter.
 */
export interface DescribedCall {
  query?: readonly string[];
  body?: readonly string[];
  required?: readonly string[];
}

export interface MatchedCall {
  /** `METHOD /path` of the table. */
  name: string;
  parameters: Record<string, string>;
}

/** Finds the operation of a request, and reports what the description does not know. `path` is not decoded yet. */
export function matchOperation(
  operations: Readonly<Record<string, DescribedCall>>,
  call: { method: string; path: string; query: URLSearchParams; body: unknown },
  report: (violation: string) => void,
): MatchedCall | undefined {
  for (const [name, described] of Object.entries(operations)) {
    const [method, template = ""] = name.split(" ");
    const names = [...template.matchAll(/:(\w+)/g)].map(([, one = ""]) => one);
    const match = method === call.method ? new RegExp(`^${template.replace(/:\w+/g, "([^/]+)")}$`).exec(call.path) : null;
    if (match === null) continue;
    const fields = Object.keys(call.body ?? {});
    const unknown = [
      ...[...call.query.keys()].filter((key) => !described.query?.includes(key)),
      ...fields.filter((key) => !described.body?.includes(key)),
    ];
    for (const field of unknown) report(`${name}: unknown field ${field}`);
    for (const field of described.required ?? []) if (!fields.includes(field)) report(`${name}: ${field} is missing`);
    return { name, parameters: Object.fromEntries(names.map((one, index) => [one, decodeURIComponent(match[index + 1] ?? "")])) };
  }
  report(`${call.method} ${call.path} is not described`);
  return undefined;
}
