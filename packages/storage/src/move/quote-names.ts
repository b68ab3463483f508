/** A table or column name in SQL. */
export function quote(name: string): string {
  return `"${name}"`;
}

/** Names in SQL, separated by commas. */
export function list(names: readonly string[]): string {
  return names.map(quote).join(", ");
}
