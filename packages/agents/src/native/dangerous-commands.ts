import { listSimpleCommands, type SimpleCommand, shells } from "./simple-commands.ts";

const hasFlag = (args: readonly string[], short: string, ...long: string[]) =>
  args.some((arg) => (/^-[a-zA-Z]/.test(arg) && arg.includes(short)) || long.some((name) => arg.startsWith(name)));
const isOneOf = (name: string, names: string) => names.split(" ").includes(name);
const fromNetwork = "It runs a program that comes straight from the network.";

/** Looks at one command, and at the one that comes behind it. */
const dangers: readonly [isDangerous: (command: SimpleCommand, next: SimpleCommand | undefined) => boolean, sentence: string][] = [
  [({ name }) => isOneOf(name, "sudo doas su pkexec"), "It runs with the rights of another user, outside of every limit that Skein sets."],
  [
    ({ name, args }) => name === "rm" && (hasFlag(args, "r", "--recursive") || hasFlag(args, "R")),
    "It deletes folders with everything in them, and that cannot be undone.",
  ],
  [({ name, isPiped }, next) => isPiped && isOneOf(name, "curl wget fetch") && next !== undefined && isInterpreter(next.name), fromNetwork],
  // `bash <(curl …)`, `sh -c "$(curl …)"`: the command behind it is what it runs.
  [
    ({ name, text }, next) => shells.has(name) && /[<$"']$|^\S+$/.test(text) && next !== undefined && isOneOf(next.name, "curl wget"),
    fromNetwork,
  ],
  [
    ({ name, args }) =>
      name === "git" &&
      subcommandOf(args) === "push" &&
      (hasFlag(args, "f", "--force", "--delete", "--mirror") || args.some((arg) => arg.startsWith("+"))),
    "It overwrites or deletes what others may already have fetched from the remote repository.",
  ],
  [({ name, args }) => name === "git" && discardsChanges(args), "It throws away changes that are not committed."],
  [({ name, args }) => name === "dd" && args.some((arg) => arg.startsWith("of=")), "It writes over a file or a disk byte by byte."],
  [
    ({ name }) => /^mkfs(\.|$)/.test(name) || isOneOf(name, "wipefs fdisk parted"),
    "It makes or changes a file system; what was on the disk is lost.",
  ],
  [
    ({ name, args }) => isOneOf(name, "chmod chown chgrp") && hasFlag(args, "R", "--recursive"),
    "It changes the rights or the owner of everything below a folder.",
  ],
  [({ name }) => isOneOf(name, "shutdown reboot halt poweroff"), "It turns the machine off."],
];

/**
 * Why a command deserves a second look, as a sentence for the person. A short list of well-known ways to lose work, not a
 * sandbox: a command that is not on it may be as harmful, which is why commands ask at all.
 */
export function findDanger(text: string): string | undefined {
  if (/>\s*\/dev\/(?!null\b|stdout\b|stderr\b|tty\b|fd\/)/.test(text)) return "It writes straight to a device.";
  if (text.replace(/\s/g, "").includes(":(){:|:&};:")) return "It starts copies of itself without end.";
  const commands = listSimpleCommands(text);
  for (const [index, command] of commands.entries()) {
    const found = dangers.find(([isDangerous]) => isDangerous(command, commands[index + 1]));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

function isInterpreter(name: string): boolean {
  return shells.has(name) || /^(?:python|node|perl|ruby|sudo)/.test(name);
}

/** `-C folder` and `-c setting` stand in front of it. */
function subcommandOf(args: readonly string[]): string | undefined {
  return args.find((arg, index) => !arg.startsWith("-") && !isOneOf(args[index - 1] ?? "", "-C -c --git-dir --work-tree"));
}

function discardsChanges(args: readonly string[]): boolean {
  switch (subcommandOf(args)) {
    case "reset":
      return args.includes("--hard");
    case "clean":
      return hasFlag(args, "f", "--force");
    case "checkout":
    case "restore":
      return args.at(-1) === ".";
    default:
      return false;
  }
}
