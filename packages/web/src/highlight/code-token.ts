/** What a piece of code is, as far as its colour shows. */
export const tokenKinds = [
  "plain",
  "comment",
  "keyword",
  "string",
  "constant",
  "function",
  "parameter",
  "punctuation",
  "link",
  "inserted",
  "deleted",
] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** A piece of a line, and the place of its kind in `tokenKinds`. */
export type CodeToken = readonly [text: string, kind: number];
export type CodeLine = readonly CodeToken[];

export interface HighlightRequest {
  code: string;
  language: string;
}

export interface HighlightAnswer {
  /** Null for a text that has no colours. */
  lines: CodeLine[] | null;
}
