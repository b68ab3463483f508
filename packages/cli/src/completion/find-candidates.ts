import type { Argument, Command, Option } from "commander";

/** What may be written next, with a description. */
export interface Candidate {
  value: string;
  description: string;
}

/** `ids`: of tasks and attempts, which only a running server knows. `none`: the shell offers files. */
export type Candidates = { kind: "listed"; candidates: Candidate[] } | { kind: "ids"; home: string | undefined } | { kind: "none" };

/**
 * Finds what may follow on a command line, from the grammar itself. `words`: all words after the name of the program, the last one unfinished.
 */
export function findCandidates(program: Command, words: readonly string[]): Candidates {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const { command, given, waiting } = walk(program, before);
  if (waiting !== undefined) return toListed(waiting.argChoices ?? [], current);
  if (current.startsWith("-")) return toListed(listOptions(command), current);
  const subcommands = command.commands.filter((one) => !isHidden(one));
  const named = subcommands.map((one) => ({ value: one.name(), description: one.description() }));
  const argument = command.registeredArguments[given.length];
  if (named.length > 0) return toListed(named, current);
  if (argument === undefined) return { kind: "none" };
  if (argument.argChoices !== undefined) return toListed(argument.argChoices, current);
  return takesId(argument) ? { kind: "ids", home: findHome(before) } : { kind: "none" };
}

/** Follows the finished words: to a command, its arguments, and an option that waits for its value. */
function walk(program: Command, words: readonly string[]): { command: Command; given: string[]; waiting: Option | undefined } {
  let command = program;
  let given: string[] = [];
  let waiting: Option | undefined;
  for (const word of words) {
    if (waiting !== undefined) {
      waiting = undefined;
    } else if (word.startsWith("-")) {
      const option = command.options.find(({ long, short }) => word === long || word === short);
      if (option?.required === true) waiting = option;
    } else {
      const next = command.commands.find((one) => one.name() === word);
      if (next === undefined) given.push(word);
      else {
        command = next;
        given = [];
      }
    }
  }
  return { command, given, waiting };
}

function listOptions({ options }: Command): Candidate[] {
  const listed = options.flatMap(({ long, description, hidden }) => (long && !hidden ? [{ value: long, description }] : []));
  return [...listed, { value: "--help", description: "display help" }];
}

function toListed(all: readonly (string | Candidate)[], current: string): Candidates {
  const candidates = all.map((one) => (typeof one === "string" ? { value: one, description: "" } : one));
  return { kind: "listed", candidates: candidates.filter(({ value }) => value.startsWith(current)) };
}

/** Commander keeps it in a private field. */
function isHidden(command: Command): boolean {
  return "_hidden" in command && command._hidden === true;
}

const takesId = (argument: Argument): boolean => argument.name() === "id";

function findHome(words: readonly string[]): string | undefined {
  const place = words.indexOf("--home");
  return place < 0 ? undefined : words[place + 1];
}
