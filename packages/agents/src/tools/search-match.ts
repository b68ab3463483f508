import { takeStart } from "@skein/engine";

export interface SearchMatch {
  filePath: string;
  line: number;
  text: string;
}

export interface SearchQuery {
  pattern: string;
  /** Only files whose name matches; a pattern without `/` applies to the last path segment. */
  glob: string | undefined;
  signal: AbortSignal;
  /** Returns false when enough has been found. */
  onMatch(match: SearchMatch): boolean;
}

const maximumTextLength = 300;

export function toMatch(filePath: string, line: number, text: string): SearchMatch {
  const trimmed = text.replace(/\r?\n$/, "");
  return { filePath, line, text: trimmed.length > maximumTextLength ? `${takeStart(trimmed, maximumTextLength)}…` : trimmed };
}
