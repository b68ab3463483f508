/*
 * Postgres cannot store the character U+0000, which agents do print. It is stored as the noncharacter U+FFFF and "0", and U+FFFF itself
 * as two of them: both are practically never used otherwise.
 */
const mark = "\uffff";

/** The text to store. */
export function toStoredText(text: string): string {
  if (!text.includes("\0") && !text.includes(mark)) return text;
  return text.replaceAll(mark, mark + mark).replaceAll("\0", `${mark}0`);
}

export function fromStoredText(stored: string): string {
  if (!stored.includes(mark)) return stored;
  return stored.replace(/\uffff(.)/g, (_, kind: string) => (kind === "0" ? "\0" : mark));
}

/** The values of a query, with texts as they are stored. */
export function toStoredValues(values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    if (typeof value === "string") return toStoredText(value);
    return Array.isArray(value) ? toStoredValues(value) : value;
  });
}
