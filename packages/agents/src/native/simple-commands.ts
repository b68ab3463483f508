export interface SimpleCommand {
  /** Without its folder. */
  name: string;
  args: readonly string[];
  /** The text that it was read from. */
  text: string;
  /** Its output goes to the next one. */
  isPiped: boolean;
}

/** They run what comes behind them. */
const wrappers = new Set("env xargs time nohup nice command exec eval then do else if while ! {".split(" "));
export const shells = new Set("sh bash dash zsh ksh fish".split(" "));

/**
 * The commands that a line of shell seems to run, in order, also those inside of quotes, substitutions and `-exec`. It is no
 * parser: it sees too many rather than too few, in a time that grows with the length of the text and no faster.
 */
export function listSimpleCommands(text: string): SimpleCommand[] {
  return text
    .split(/(?<=\|)|[;&\n`()]|\s-exec(?:dir)?\s|(?<=sh)\s-\w*c\s/)
    .map((part) => ({ isPiped: part.endsWith("|"), part: part.endsWith("|") ? part.slice(0, -1) : part }))
    .flatMap(({ part, isPiped }) => {
      const words = part.split(/\s+/).filter((word) => word !== "");
      const start = words.findIndex((word, index) => !isPrefix(words, word, index));
      const name = words[start]?.replace(/^["'$]+|["']+$/g, "") ?? "";
      return name === "" ? [] : [{ name: name.slice(name.lastIndexOf("/") + 1), args: words.slice(start + 1), text: part.trim(), isPiped }];
    });
}

/** What may stand in front of a command: variables, wrappers, and the options of those. */
function isPrefix(words: readonly string[], word: string, index: number): boolean {
  if (wrappers.has(word) || /^\w+=/.test(word)) return true;
  return index > 0 && wrappers.has(words[0] ?? "") && /^-|^\d+$/.test(word);
}
