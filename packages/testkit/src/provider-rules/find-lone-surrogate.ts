/** The path of the first string, key or value, that is not valid Unicode; undefined when there is none. */
export function findLoneSurrogate(value: unknown): string | undefined {
  const open: { path: string; value: unknown }[] = [{ path: "", value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value: found } = next;
    if (typeof found === "string" && !found.isWellFormed()) return path;
    if (typeof found !== "object" || found === null) continue;
    const entries = Object.entries(found);
    const badKey = entries.find(([key]) => !key.isWellFormed());
    if (badKey !== undefined) return path;
    for (const [key, child] of entries.reverse()) open.push({ path: path === "" ? key : `${path}.${key}`, value: child });
  }
  return undefined;
}
