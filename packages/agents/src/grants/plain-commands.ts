import type { AndOr, Command, Node, Pipeline, Redirect, Statement, Word } from "unbash";
import { parseShell } from "./parse-shell.ts";

/** A word whose value is known without running anything. */
export interface PlainWord {
  value: string;
  /** As written in the command. */
  text: string;
  /** It has quotes or backslashes. */
  isQuoted: boolean;
  /** An unquoted `*`, `?` or `[`: its value is a file name pattern. */
  isPattern: boolean;
}

/** One program with its arguments. */
export interface PlainCommand {
  name: PlainWord;
  args: readonly PlainWord[];
  /** As written in the command, without redirections. */
  text: string;
  /** The operator between the previous command and this one; null for the first. */
  joinedBy: "&&" | "||" | ";" | "|" | null;
}

/** Control characters except tab and newline, invisible characters, and spaces that are not separators for a shell. */
const unreadable = /[^\P{C}\t\n]|[^\P{Z} ]|\p{DI}|\u2800|\\\n/u;

/**
 * The commands of a text that consists only of programs with plain arguments, joined by `&&`, `||`, `;`, `|` or line ends. Undefined for
 * everything else: expansions, assignments, redirections to files, background jobs, groups, loops, functions, comments, and words on
 * which the parser and our own reading disagree.
 */
export function readPlainCommands(text: string): PlainCommand[] | undefined {
  const script = unreadable.test(text) ? undefined : parseShell(text);
  if (script === undefined || script.shebang !== undefined || (script.errors?.length ?? 0) > 0) return undefined;
  const found = script.commands.map(listCommands);
  if (found.length === 0 || !found.every((list) => list !== undefined)) return undefined;
  return joinCommands(text, found.flat());
}

/** The simple commands of a node in text order; undefined if there is anything else. */
function listCommands(node: Statement | AndOr | Pipeline | Command | Node): Command[] | undefined {
  switch (node.type) {
    case "Statement":
      return node.background === true || node.redirects.length > 0 ? undefined : listCommands(node.command);
    case "AndOr":
    case "Pipeline": {
      if (node.type === "Pipeline" && (node.negated === true || node.time === true)) return undefined;
      const lists = node.commands.map(listCommands);
      return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
    }
    case "Command":
      return [node];
    default:
      return undefined;
  }
}

const joints: readonly [RegExp, PlainCommand["joinedBy"]][] = [
  [/^[ \t]*&&\s*$/, "&&"],
  [/^[ \t]*\|\|\s*$/, "||"],
  [/^[ \t]*\|\s*$/, "|"],
  [/^[ \t]*(?:;\s*|\n\s*)$/, ";"],
];

/** Every character must be accounted for: what the parser skipped might mean something to a shell. */
function joinCommands(text: string, commands: readonly Command[]): PlainCommand[] | undefined {
  const read: PlainCommand[] = [];
  let end = 0;
  for (const command of commands) {
    const gap = text.slice(end, command.pos);
    const joinedBy = read.length === 0 ? null : joints.find(([pattern]) => pattern.test(gap))?.[1];
    const plain = joinedBy === undefined || (joinedBy === null && gap.trim() !== "") ? undefined : toPlainCommand(text, command, joinedBy);
    if (plain === undefined) return undefined;
    read.push(plain);
    end = command.end;
  }
  return ["", ";"].includes(text.slice(end).trim()) ? read : undefined;
}

function toPlainCommand(text: string, command: Command, joinedBy: PlainCommand["joinedBy"]): PlainCommand | undefined {
  const { name, prefix, suffix, redirects } = command;
  if (name === undefined || prefix.length > 0 || !redirects.every((redirect) => isHarmless(text, redirect))) return undefined;
  const words = [name, ...suffix];
  const pieces = [...words, ...redirects].sort((a, b) => a.pos - b.pos);
  let end = command.pos;
  for (const piece of pieces) {
    // shells disagree on the meaning of `2>&1>>x`
    const isFirst = piece.pos === command.pos;
    if (!isFirst && !/^[ \t]+$/.test(text.slice(end, piece.pos))) return undefined;
    end = piece.end;
  }
  if (end !== command.end) return undefined;
  const [first, ...args] = words.map((word) => toPlainWord(text, word));
  // reserved words and builtins that run their arguments are not programs, however they are quoted
  if (first === undefined || first.isPattern || first.value === "" || notPrograms.has(first.value)) return undefined;
  if (!args.every((word) => word !== undefined)) return undefined;
  const last = redirects.length === 0 ? undefined : Math.max(...words.map((word) => word.end));
  return { name: first, args, text: text.slice(name.pos, last ?? command.end), joinedBy };
}

/** Commands that read, define or run shell text, or change the meaning of later commands. */
const notPrograms = new Set(
  "! . [[ { } alias bind break builtin caller case command compgen complete continue coproc declare dirs disown do done elif else enable esac eval exec exit export fc fi for function hash if in jobs let local logout mapfile popd pushd read readarray readonly return select set shift shopt source suspend then time times trap type typeset ulimit umask unalias unset until wait while".split(
    " ",
  ),
);

/**
 * Output that is merged or discarded, and empty input: no file is touched. Not `&>`: in sh, it starts the command in the background, and
 * what follows is another one.
 */
const harmlessRedirect = /^(?:[12]?>&[12]|[12]?>>?[ \t]*\/dev\/null|0?<[ \t]*\/dev\/null)$/;

function isHarmless(text: string, { pos, end }: Redirect): boolean {
  return harmlessRedirect.test(text.slice(pos, end));
}

/** One part of a word: plain characters, an escaped one, or quotes without expansions. */
const wordPiece = /([^\s"'\\`$&|;<>(){}]+)|\\([^\n])|'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"/y;

/** Parsed a second time: the parser's result counts only if ours is the same. */
function toPlainWord(source: string, word: Word): PlainWord | undefined {
  const text = source.slice(word.pos, word.end);
  if (text !== word.text || (word.parts ?? []).some(({ type }) => !plainParts.has(type))) return undefined;
  let value = "";
  let isPattern = false;
  wordPiece.lastIndex = 0;
  while (wordPiece.lastIndex < text.length) {
    const [, plain, escaped, single, double] = wordPiece.exec(text) ?? [];
    const piece = plain ?? escaped ?? single ?? double?.replace(/\\(.)/g, "$1");
    if (piece === undefined) return undefined;
    if (plain !== undefined && isExpanded(plain, value)) return undefined;
    isPattern ||= plain !== undefined && /[*?[]/.test(plain);
    value += piece;
  }
  return text === "" || value !== word.value ? undefined : { value, text, isQuoted: /["'\\]/.test(text), isPattern };
}

const plainParts = new Set(["Literal", "SingleQuoted", "DoubleQuoted"]);

/** `~` and zsh's `=` at the start or after a path separator, and comments. */
function isExpanded(plain: string, before: string): boolean {
  return /(?:^|[:=])~/.test(before === "" ? plain : before.at(-1) + plain) || (before === "" && /^[=#]/.test(plain));
}
