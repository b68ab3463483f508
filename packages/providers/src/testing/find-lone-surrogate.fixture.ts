/** The path of the first string that is not valid Unicode, keys included. */
export function findLoneSurrogate(value: unknown, path = ""): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const found = key.isWellFormed() ? findLoneSurrogate(child, `${path}.${key}`) : path;
    if (found !== undefined) return found;
  }
  return undefined;
}
