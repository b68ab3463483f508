/** Splits a text into `count` pieces; no character is cut in two. */
export function pieces(text: string, count: number): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / count));
  const cut: string[] = [];
  for (let at = 0; at < characters.length; at += size) cut.push(characters.slice(at, at + size).join(""));
  return cut;
}

/** The pieces of a script, or a few pieces of its whole text. */
export function textPieces(text: string | readonly string[] | undefined): string[] {
  if (text === undefined) return [];
  return typeof text === "string" ? pieces(text, 3) : [...text];
}

export function argumentsText(given: Record<string, unknown> | string): string {
  return typeof given === "string" ? given : JSON.stringify(given);
}

export function argumentsObject(given: Record<string, unknown> | string): unknown {
  return typeof given === "string" ? JSON.parse(given) : given;
}
