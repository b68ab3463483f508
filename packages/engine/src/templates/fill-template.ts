const variable = /\{\{\s*([A-Za-z_][\w.-]{0,99})\s*\}\}/g;

/** The names of the variables of these texts, each once, in order. */
export function listVariables(...texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.flatMap((text) => [...(text ?? "").matchAll(variable)].map((match) => match[1] ?? "")))];
}

/** Replaces the variables that have a value. What a value contains is not looked at again; other variables stay as they are. */
export function fillTemplate(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(variable, (whole, name: string) => values.get(name) ?? whole);
}
