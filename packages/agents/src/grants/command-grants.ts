import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { PermissionGrant } from "@skein/contracts";
import { findDanger } from "./dangerous-commands.ts";
import { matchReadOnlyCall, type ReadOnlyCall } from "./match-read-only.ts";
import { type PlainCommand, type PlainWord, readPlainCommands } from "./plain-commands.ts";
import { isInsideWorktree, isSameFolder, leadsOutside, type WorktreePlace } from "./worktree-paths.ts";

type CommandGrant = Extract<PermissionGrant, { type: "command" | "read-only-command" }>;

/** As in the stored form. */
const maximumLength = 2000;

/**
 * What “always” offers for a command: a read-only program if this is a read-only call of it, otherwise exactly this command. Undefined if
 * nothing may be granted. Without a `place`, only relative paths count as inside.
 */
export function toCommandGrant(tool: string, command: string, place?: WorktreePlace): CommandGrant | undefined {
  const steps = findDanger(command) === undefined ? toSteps(command, place) : undefined;
  if (steps === undefined) return undefined;
  const [only, ...others] = steps;
  const call = only !== undefined && others.length === 0 ? matchReadOnlyCall(only.command) : undefined;
  if (call !== undefined && only !== undefined && staysInside(call, only.place)) {
    return { type: "read-only-command", tool, program: call.program };
  }
  const text = command.trim();
  const isExact = isAtRoot(place) && steps.every(({ command: one, place: where }) => !namesOutside(one, where));
  return isExact && text.length <= maximumLength ? { type: "command", tool, command: text } : undefined;
}

/**
 * Whether grants cover a command: it is exactly a granted one, or each of its parts is. Dangerous and unparsable commands are never
 * covered.
 */
export function coversCommand(grants: readonly CommandGrant[], command: string, place: WorktreePlace): boolean {
  if (grants.length === 0 || findDanger(command) !== undefined) return false;
  const steps = toSteps(command, place);
  if (steps === undefined || steps.length === 0) return false;
  const staysExact = steps.every(({ command: one, place: where }) => !namesOutside(one, where));
  const isGranted = grants.some((grant) => grant.type === "command" && grant.command === command.trim());
  if (isGranted && staysExact && isAtRoot(place)) return true;
  return steps.every((step) => grants.some((grant) => coversStep(grant, step)));
}

/** One command of a text, and where it runs. */
interface Step {
  command: PlainCommand;
  place: WorktreePlace | undefined;
}

/**
 * The commands without a leading `cd`, which sets where they run. Elsewhere `cd` is not supported: whether it has run would depend on
 * earlier commands.
 */
function toSteps(command: string, place: WorktreePlace | undefined): Step[] | undefined {
  const isInside = place?.cwd === undefined || isInsideWorktree(place.cwd, place);
  const [first, ...others] = (isInside && readPlainCommands(command)) || [];
  if (first === undefined) return undefined;
  if (others.some(({ name }) => name.value === "cd")) return undefined;
  if (first.name.value !== "cd") return [first, ...others].map((one) => ({ command: one, place }));
  const [folder, ...more] = first.args;
  const isPlain = folder !== undefined && more.length === 0 && !folder.isPattern && !folder.value.startsWith("-");
  if (!isPlain || others[0]?.joinedBy !== "&&") return undefined;
  const moved = moveTo(folder.value, place);
  return moved === undefined ? undefined : others.map((one) => ({ command: one, place: moved }));
}

function moveTo(folder: string, place: WorktreePlace | undefined): WorktreePlace | undefined {
  if (place === undefined || !isInsideWorktree(folder, place)) return undefined;
  const cwd = resolve(place.cwd ?? place.directory, folder);
  return statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true ? { ...place, cwd } : undefined;
}

function coversStep(grant: CommandGrant, { command, place }: Step): boolean {
  if (place === undefined) return false;
  if (grant.type === "read-only-command") {
    const call = matchReadOnlyCall(command);
    return call?.program === grant.program && staysInside(call, place);
  }
  // piped input may be executed: `cat x | node`
  if (command.joinedBy === "|" || !isAtRoot(place) || namesOutside(command, place)) return false;
  const [granted, ...others] = readPlainCommands(grant.command) ?? [];
  return granted !== undefined && others.length === 0 && isSameCommand(granted, command);
}

/** The same words, however they are quoted: a shell passes both as the same arguments. */
function isSameCommand(one: PlainCommand, other: PlainCommand): boolean {
  const words = [other.name, ...other.args];
  const isSame = (word: PlainWord, index: number) => {
    const match = words[index];
    return word.isPattern || match?.isPattern === true ? word.text === match?.text : word.value === match?.value;
  };
  return one.args.length === other.args.length && [one.name, ...one.args].every(isSame);
}

function staysInside({ paths, texts, onlyAtRoot }: ReadOnlyCall, place: WorktreePlace | undefined): boolean {
  if (place === undefined) return ![...paths, ...texts].some(looksOutside);
  // a folder without its own `.git` can be made to look like a repository by writing ordinary files
  if (onlyAtRoot && !(isAtRoot(place) && existsSync(join(place.directory, ".git")))) return false;
  return paths.every((path) => isInsideWorktree(path, place)) && !texts.some((text) => leadsOutside(text, place));
}

function isAtRoot(place: WorktreePlace | undefined): boolean {
  return place?.cwd === undefined || isSameFolder(place.cwd, place.directory);
}

/**
 * Whether a command that is granted verbatim names a file outside of the worktree, or a link that leads there: its effect may have
 * changed since. Which of its words are paths is unknown, so each counts as one.
 */
function namesOutside({ name, args }: PlainCommand, place: WorktreePlace | undefined): boolean {
  const words = [...(name.value.includes("/") ? [name] : []), ...args].flatMap(({ value }) => listPaths(value));
  if (hasPatternOption(args)) return true;
  if (place === undefined) return words.some(looksOutside);
  return words.some((path) => path !== "/dev/null" && (looksOutside(path) ? !isInsideWorktree(path, place) : leadsOutside(path, place)));
}

/** A pattern at the start of a word may become an option, if there is a file of that name. */
function hasPatternOption(args: readonly PlainWord[]): boolean {
  return args.some(({ isPattern, value }) => isPattern && /^[-*?[]/.test(value));
}

/** A word, its value (`--file=x`), and the value attached to a short option (`-Ix`). */
function listPaths(value: string): string[] {
  const set = value.split("=").slice(1);
  return [value, ...set, ...(/^-[A-Za-z]./.test(value) ? [value.slice(2)] : [])];
}

function looksOutside(path: string): boolean {
  return isAbsolute(path) || path.startsWith("~") || path.split(/[\\/]/).includes("..");
}
