/** One matching line. */
export interface SearchMatch {
  filePath: string;
  line?: number;
  text?: string;
}

const fileLineText = /^((?:[A-Za-z]:)?[^:\n]+):(\d{1,9}):(.*)$/;
const lineText = /^(\d{1,9}):(.*)$/;
const fileText = /^((?:[A-Za-z]:)?[^:\n]+):(.*)$/;
const contextLine = /^(?:.+-)?\d{1,9}-|^--$/;

/** The output lines of ripgrep and grep, without context lines. */
export function readMatchLines(text: string, searchedPath: string | undefined): SearchMatch[] {
  const matches: SearchMatch[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const match = readMatchLine(line, searchedPath);
    if (match !== undefined) matches.push(match);
  }
  return matches;
}

function readMatchLine(line: string, searchedPath: string | undefined): SearchMatch | undefined {
  const full = fileLineText.exec(line);
  if (full !== null) return toMatch(full[1], full[2], full[3]);
  // A search in one file does not repeat its name.
  const numbered = searchedPath === undefined ? null : lineText.exec(line);
  if (numbered !== null) return toMatch(searchedPath, numbered[1], numbered[2]);
  if (contextLine.test(line)) return undefined;
  const named = fileText.exec(line);
  return named === null ? undefined : toMatch(named[1], undefined, named[2]);
}

function toMatch(filePath: string | undefined, line: string | undefined, text: string | undefined): SearchMatch | undefined {
  if (filePath === undefined) return undefined;
  const number = line === undefined ? 0 : Number(line);
  return { filePath, ...(number > 0 ? { line: number } : {}), ...(text === undefined ? {} : { text }) };
}

/** `path:3`, one line per file. */
export function readCountLines(text: string): { matches: SearchMatch[]; total: number } {
  const matches: SearchMatch[] = [];
  let total = 0;
  for (const line of text.split("\n")) {
    const [, filePath, digits] = /^(.+):(\d{1,9})$/.exec(line) ?? [];
    if (filePath === undefined || digits === undefined) continue;
    const count = Number(digits);
    total += count;
    matches.push({ filePath, text: `${count} ${count === 1 ? "match" : "matches"}` });
  }
  return { matches, total };
}
