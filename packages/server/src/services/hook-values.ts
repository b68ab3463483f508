const maxValues = 500;
const maxDepth = 8;
const maxLength = 20_000;

/** The fields of a delivery as variables: `issue.title`, `commits.0.message`. Objects and lists themselves have no value. */
export function toHookValues(payload: unknown, event: string | undefined): Map<string, string> {
  const values = new Map<string, string>(event === undefined ? [] : [["event", event.slice(0, 200)]]);
  collect(payload, "", 0);
  return values;

  function collect(value: unknown, path: string, depth: number): void {
    if (values.size >= maxValues) return;
    if (typeof value === "object" && value !== null) {
      if (depth >= maxDepth) return;
      for (const [key, child] of Object.entries(value)) collect(child, path === "" ? key : `${path}.${key}`, depth + 1);
      return;
    }
    if (value === null || path === "" || values.has(path)) return;
    const text = String(value);
    values.set(path, text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
  }
}
