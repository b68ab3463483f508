import type { Node, ParsedScript, Word, WordPart } from "unbash";
import { noDeeperThanTheStack, parseShell } from "./parse-shell.ts";

/** A command that a text would run, as far as it can be read. */
export interface RunCommand {
  /** Without its folder. */
  name: string;
  /** Unquoted; parts that are known only at run time stay as written. */
  args: readonly string[];
  /** The command that its output is piped into. */
  pipedInto: RunCommand | undefined;
  /** Commands inside its words: `$(…)`, `` `…` ``, `<(…)`. */
  inside: readonly RunCommand[];
  /** Files that it writes by redirection. */
  writes: readonly string[];
}

export const shells = new Set("sh bash dash zsh ksh fish ash".split(" "));

/** Programs that run their arguments as a command; these options of them take a value. */
const wrappers: Readonly<Record<string, string>> = {
  builtin: "",
  busybox: "",
  command: "",
  doas: "-u -C",
  env: "-u -C -S --unset --chdir --split-string",
  exec: "-a",
  ionice: "-c -n -p",
  nice: "-n",
  nohup: "",
  parallel: "-j --jobs -a",
  setsid: "",
  stdbuf: "-i -o -e",
  strace: "-e -o -p -s",
  sudo: "-u -g -h -p -C -T -R -D -U",
  time: "-f -o",
  timeout: "-k -s --signal --kill-after",
  watch: "-n --interval",
  xargs: "-a -d -E -I -L -n -P -s",
};

const maximumDepth = 8;
const maximumCommands = 5000;

/**
 * Every command that a text would run, including those in substitutions, functions, loops, `sh -c`, `eval`, `find -exec`, and after
 * `env`, `xargs` and similar. A text with syntax errors is read as far as possible. Undefined if it is too long or too deeply nested.
 */
export function listRunCommands(text: string): RunCommand[] | undefined {
  const found: RunCommand[] = [];
  const script = parseShell(text);
  return noDeeperThanTheStack(() => {
    addScript(script, { found, depth: 0 });
    return found;
  });
}

interface Search {
  found: RunCommand[];
  depth: number;
}

/** @throws RangeError, like a stack overflow */
function addScript(script: ParsedScript | undefined, search: Search): RunCommand[] {
  if (script === undefined || search.depth > maximumDepth || search.found.length > maximumCommands) throw new RangeError("too deep");
  return script.commands.flatMap((statement) => addNode(statement, search));
}

/** Returns the commands of the node itself, the last of a pipeline first. */
function addNode(node: Node, search: Search): RunCommand[] {
  switch (node.type) {
    case "Command": {
      const words = [...(node.name === undefined ? [] : [node.name]), ...node.suffix];
      const targets = node.redirects.flatMap(({ target, operator }) =>
        target !== undefined && operator.includes(">") ? [target.value] : [],
      );
      const around = [
        ...node.prefix.flatMap(({ value, array }) => [...(value === undefined ? [] : [value]), ...(array ?? [])]),
        ...node.redirects.flatMap(({ target, body }) => [target, body].filter((word) => word !== undefined)),
      ];
      for (const word of around) addWord(word, search);
      const inside = words.flatMap((word) => addWord(word, search));
      return addWords(
        words.map((word) => word.value),
        { inside, writes: targets },
        search,
      );
    }
    case "Pipeline": {
      const stages = node.commands.map((command) => addNode(command, search));
      for (const [index, stage] of stages.entries()) {
        const next = stages[index + 1]?.[0];
        for (const command of stage) if (next !== undefined) command.pipedInto ??= next;
      }
      return stages.at(-1) ?? [];
    }
    case "AndOr":
    case "CompoundList":
      return node.commands.flatMap((command) => addNode(command, search));
    case "Statement": {
      // of a group: those of a single command are its own
      const targets = node.redirects.flatMap(({ target }) => target ?? []);
      for (const target of targets) addWord(target, search);
      const writes = targets.map((target) => target.value);
      if (writes.length > 0) search.found.push({ name: "", args: [], pipedInto: undefined, inside: [], writes });
      return addNode(node.command, search);
    }
    case "If":
      return [node.clause, node.then, ...(node.else === undefined ? [] : [node.else])].flatMap((part) => addNode(part, search));
    case "While":
      return [...addNode(node.clause, search), ...addNode(node.body, search)];
    case "For":
    case "Select":
      for (const word of node.wordlist) addWord(word, search);
      return addNode(node.body, search);
    case "ArithmeticFor":
    case "Subshell":
    case "BraceGroup":
    case "Function":
    case "Coproc":
      return addNode(node.body, search);
    case "Case":
      addWord(node.word, search);
      return node.items.flatMap((item) => addNode(item.body, search));
    default:
      return [];
  }
}

function addWord(word: Word, search: Search): RunCommand[] {
  return addParts(word.parts, search);
}

function addParts(parts: readonly WordPart[] | undefined, search: Search): RunCommand[] {
  return (parts ?? []).flatMap((part): RunCommand[] => {
    switch (part.type) {
      case "CommandExpansion":
      case "ProcessSubstitution":
        return addScript(part.script, { ...search, depth: search.depth + 1 });
      case "DoubleQuoted":
      case "LocaleString":
      case "BraceExpansion":
      case "ExtendedGlob":
        return addParts(part.parts, search);
      case "ParameterExpansion":
        return part.operand === undefined ? [] : addWord(part.operand, search);
      default:
        return [];
    }
  });
}

/** A command by its words, and the commands that it runs in turn. */
function addWords(words: readonly string[], extra: Pick<RunCommand, "inside" | "writes">, search: Search): RunCommand[] {
  const [first, ...args] = words;
  if (first === undefined || first === "") return [];
  if (search.depth > maximumDepth || search.found.length > maximumCommands) throw new RangeError("too deep");
  const command: RunCommand = { name: first.slice(first.lastIndexOf("/") + 1), args, pipedInto: undefined, ...extra };
  search.found.push(command);
  const deeper = { ...search, depth: search.depth + 1 };
  const none = { inside: [], writes: [] };
  const run = findRunWords(command);
  return [
    command,
    ...run.words.flatMap((inner) => addWords(inner, none, deeper)),
    ...run.texts.flatMap((text) => addScript(parseShell(text), deeper)),
  ];
}

/** The commands, as words, and the shell texts that a command runs from its arguments. */
function findRunWords({ name, args }: RunCommand): { words: string[][]; texts: string[] } {
  if (shells.has(name) || name === "su") {
    const at = args.findIndex((arg) => /^-[a-zA-Z]*c$/.test(arg) || arg === "--command");
    const text = at === -1 ? undefined : args[at + 1];
    return { words: [], texts: text === undefined ? [] : [text] };
  }
  if (name === "eval") return { words: [], texts: [args.join(" ")] };
  if (name === "find") {
    const starts = args.flatMap((arg, index) => (/^-(?:exec|execdir|ok|okdir)$/.test(arg) ? [index + 1] : []));
    return { words: starts.map((start) => args.slice(start, findEnd(args, start))), texts: [] };
  }
  const options = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (options === undefined) return { words: [], texts: [] };
  const texts = args.flatMap((arg, index) => (name === "env" && /^(?:-S|--split-string)$/.test(arg) ? [args[index + 1] ?? ""] : []));
  const taking = options.split(" ");
  const start = args.findIndex((arg, index) => !/^-|^\w+=|^\d+[smhd]?$/.test(arg) && !taking.includes(args[index - 1] ?? "-"));
  return { words: start === -1 ? [] : [args.slice(start)], texts };
}

/** The end of a command of `-exec`. */
function findEnd(args: readonly string[], start: number): number {
  const end = args.findIndex((arg, index) => index > start && (arg === ";" || arg === "+"));
  return end === -1 ? args.length : end;
}
