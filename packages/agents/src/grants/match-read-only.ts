import type { PlainCommand, PlainWord } from "./plain-commands.ts";
import { gitGlobalOptions, type OptionValue, type ReadOnlyProgram, readOnlyPrograms } from "./read-only-programs.ts";

/** A read-only call of a listed program. */
export interface ReadOnlyCall {
  /** As listed: `git log`. */
  program: string;
  /** Words that must be paths in the worktree. */
  paths: readonly string[];
  /** Words that are not paths, as far as the list knows the program. */
  texts: readonly string[];
  onlyAtRoot: boolean;
}

/** Undefined for programs that are not listed, and for options or operands that the list does not have. */
export function matchReadOnlyCall({ name, args }: PlainCommand): ReadOnlyCall | undefined {
  if (name.isQuoted || args.some(isAmbiguous)) return undefined;
  const found = findProgram([name, ...args]);
  if (found === undefined) return undefined;
  const { program, rule, rest } = found;
  const call = rule.style === "find" ? readFindWords(rule, rest) : readWords(rule, rest);
  return call === undefined ? undefined : { program, ...call, onlyAtRoot: rule.onlyAtRoot ?? false };
}

/** A file name pattern becomes any number of words; a non-ASCII character may only look like the dash of an option. */
function isAmbiguous({ value, isPattern }: PlainWord): boolean {
  return isPattern || /^[^\p{L}\p{N}\x20-\x7e]/u.test(value);
}

function findProgram(words: readonly PlainWord[]): { program: string; rule: ReadOnlyProgram; rest: PlainWord[] } | undefined {
  const [first, ...others] = words;
  if (first === undefined) return undefined;
  const globals = first.value === "git" ? others.findIndex((word) => !gitGlobalOptions.includes(word.text)) : 0;
  const plain = [first, ...others.slice(Math.max(globals, 0))];
  for (const length of [3, 2, 1]) {
    const named = plain.slice(0, length);
    const program = named.map((word) => word.text).join(" ");
    if (named.length < length || !Object.hasOwn(readOnlyPrograms, program)) continue;
    const rule = readOnlyPrograms[program];
    if (rule !== undefined) return { program, rule, rest: plain.slice(length) };
  }
  return undefined;
}

type Values = Pick<ReadOnlyCall, "paths" | "texts">;

function readWords(rule: ReadOnlyProgram, words: readonly PlainWord[]): Values | undefined {
  const paths: string[] = [];
  const texts: string[] = [];
  const operands: string[] = [];
  const used = new Set<string>();
  let areOptionsOver = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    if (!areOptionsOver && word.text === "--") {
      areOptionsOver = true;
      continue;
    }
    if (areOptionsOver || !word.value.startsWith("-") || word.value === "-") {
      operands.push(word.value);
      continue;
    }
    const mayBeOperand = operands.length > 0 && rule.takesOptionsAnywhere !== true;
    const option = readOption(rule, word);
    if (option === undefined || (mayBeOperand && rule.maximumOperands !== undefined)) return undefined;
    for (const name of option.names) used.add(name);
    if (mayBeOperand) paths.push(word.value);
    if (option.value === undefined) continue;
    const value = option.attached ?? words[++index]?.value;
    if (value === undefined || !isValue(option.value, value, option.attached !== undefined)) return undefined;
    (option.value === "path" || mayBeOperand ? paths : texts).push(value);
  }
  const read = readOperands(rule, operands, used);
  return read === undefined ? undefined : { paths: [...paths, ...read.paths], texts: [...texts, ...read.texts] };
}

interface ReadOption {
  names: readonly string[];
  /** Undefined if it takes none. */
  value: OptionValue | undefined;
  /** The value in the same word. */
  attached?: string;
}

/** Undefined for options that the entry does not have, even in part, and for quoted ones. */
function readOption({ options, takesCount }: ReadOnlyProgram, word: PlainWord): ReadOption | undefined {
  const [name = "", ...rest] = word.text.split("=");
  if (!/^--?[A-Za-z0-9]/.test(word.text) || /["'\\]/.test(name)) return undefined;
  if (word.text.startsWith("--")) {
    const value = Object.hasOwn(options, name) ? options[name] : undefined;
    const attached = word.value.slice(name.length + 1);
    if (value === undefined || (value === "none" && rest.length > 0)) return undefined;
    if (rest.length > 0) return { names: [name], value, attached };
    return { names: [name], value: value === "none" || value === "attached" ? undefined : value };
  }
  if (word.isQuoted) return undefined;
  if (takesCount === true && /^-\d+$/.test(word.value)) return { names: [], value: undefined };
  const names: string[] = [];
  for (let index = 1; index < word.value.length; index++) {
    const short = `-${word.value[index]}`;
    const value = Object.hasOwn(options, short) ? options[short] : undefined;
    if (value === undefined) return undefined;
    names.push(short);
    if (value === "none") continue;
    const attached = word.value.slice(index + 1);
    if (attached !== "") return { names, value, attached };
    return { names, value: value === "attached" ? undefined : value };
  }
  return { names, value: undefined };
}

function isValue(kind: OptionValue, value: string, isAttached: boolean): boolean {
  if (kind === "number") return /^[+-]?\d+[A-Za-z%]?$/.test(value);
  // a value that looks like an option is one for programs whose value is optional
  return isAttached || !value.startsWith("-");
}

function readOperands(rule: ReadOnlyProgram, operands: readonly string[], used: ReadonlySet<string>): Values | undefined {
  if (operands.length > (rule.maximumOperands ?? Number.POSITIVE_INFINITY)) return undefined;
  const named = operands.filter((operand) => operand !== "-");
  switch (rule.operands) {
    case "none":
      return operands.length === 0 ? { paths: [], texts: [] } : undefined;
    case "texts":
      return { paths: [], texts: operands };
    case "paths":
      return { paths: named, texts: [] };
    case "pattern": {
      if (rule.patternOptions?.some((option) => used.has(option)) === true) return { paths: named, texts: [] };
      const [pattern, ...others] = operands;
      return pattern === undefined ? undefined : { texts: [pattern], paths: others.filter((operand) => operand !== "-") };
    }
    default: {
      const [first, ...others] = operands;
      if (first === undefined || !rule.operands.first.test(first)) return undefined;
      return { texts: [first], paths: others.filter((operand) => operand !== "-") };
    }
  }
}

function readFindWords(rule: ReadOnlyProgram, words: readonly PlainWord[]): Values | undefined {
  const isTest = ({ value }: PlainWord) => /^[-!()]/.test(value);
  const start = words.findIndex(isTest);
  const paths = words.slice(0, start === -1 ? words.length : start).map((word) => word.value);
  const texts: string[] = [];
  for (let index = paths.length; index < words.length; index++) {
    const word = words[index];
    if (word === undefined || !Object.hasOwn(rule.options, word.value)) return undefined;
    const kind = rule.options[word.value];
    // `\(` must be escaped; nothing else needs to be
    if (kind === undefined || (word.isQuoted && !/^[!()]$/.test(word.value))) return undefined;
    if (kind === "none") continue;
    const value = words[++index]?.value;
    if (value === undefined || !isValue(kind, value, kind === "text")) return undefined;
    (kind === "path" ? paths : texts).push(value);
  }
  return { paths, texts };
}
