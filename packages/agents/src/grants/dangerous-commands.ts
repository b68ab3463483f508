import { listRunCommands, type RunCommand, shells } from "./run-commands.ts";

/** Whether one of the arguments sets an option: `-rf` sets `r` and `f`, `--rec` is short for `--recursive`. */
function hasOption(args: readonly string[], letters: string, ...long: string[]): boolean {
  return args.some((arg) => {
    const [name = ""] = arg.split("=");
    if (/^--./.test(arg)) return long.some((option) => name.length > 3 && option.startsWith(name));
    return arg.startsWith("-") && [...letters].some((letter) => arg.includes(letter));
  });
}

const isOneOf = (name: string, names: string) => names.split(" ").includes(name);
const fromNetwork = "It runs a program that comes straight from the network.";

const dangers: readonly [isDangerous: (command: RunCommand) => boolean, sentence: string][] = [
  [({ name }) => isOneOf(name, "sudo doas su pkexec"), "It runs with the rights of another user, outside of every limit that Skein sets."],
  [
    ({ name, args }) => name === "rm" && hasOption(args, "rR", "--recursive"),
    "It deletes folders with everything in them, and that cannot be undone.",
  ],
  [({ name, args }) => name === "find" && args.includes("-delete"), "It deletes every file that it finds, and that cannot be undone."],
  [(command) => isDownload(command.name) && reachesInterpreter(command), fromNetwork],
  [(command) => isInterpreter(command) && command.inside.some(({ name }) => isDownload(name)), fromNetwork],
  [
    ({ name, args }) => name === "git" && subcommandOf(args) === "push" && overwritesRemote(args),
    "It overwrites or deletes what others may already have fetched from the remote repository.",
  ],
  [({ name, args }) => name === "git" && discardsChanges(args), "It throws away changes that are not committed."],
  [({ name, args }) => name === "dd" && args.some((arg) => arg.startsWith("of=")), "It writes over a file or a disk byte by byte."],
  [
    ({ name }) => /^mkfs(\.|$)/.test(name) || isOneOf(name, "wipefs fdisk parted"),
    "It makes or changes a file system; what was on the disk is lost.",
  ],
  [
    ({ name, args }) => isOneOf(name, "chmod chown chgrp") && hasOption(args, "R", "--recursive"),
    "It changes the rights or the owner of everything below a folder.",
  ],
  [({ name }) => isOneOf(name, "shutdown reboot halt poweroff"), "It turns the machine off."],
  [({ writes }) => writes.some((path) => /^\/dev\/(?!(?:null|stdout|stderr|tty)$|fd\/)/.test(path)), "It writes straight to a device."],
];

/**
 * Why a command deserves a second look, as a sentence for the user. A short list of well-known ways to lose work, not a
 * sandbox: a command that is not on it may be as harmful, which is why commands are asked about at all.
 */
export function findDanger(text: string): string | undefined {
  if (text.replace(/\s/g, "").includes(":(){:|:&};:")) return "It starts copies of itself without end.";
  const commands = listRunCommands(text);
  if (commands === undefined) return "It is too long or too deeply nested to be checked.";
  return dangers.find(([isDangerous]) => commands.some(isDangerous))?.[1];
}

function isDownload(name: string): boolean {
  return isOneOf(name, "curl wget fetch");
}

function reachesInterpreter({ pipedInto }: RunCommand): boolean {
  return pipedInto !== undefined && (isInterpreter(pipedInto) || reachesInterpreter(pipedInto));
}

function isInterpreter({ name }: RunCommand): boolean {
  return shells.has(name) || isOneOf(name, "eval source . sudo") || /^(?:python|node|perl|ruby|php)/.test(name);
}

/** `-C folder` and `-c setting` stand in front of it. */
function subcommandOf(args: readonly string[]): string | undefined {
  return args.find((arg, index) => !arg.startsWith("-") && !isOneOf(args[index - 1] ?? "", "-C -c --git-dir --work-tree --exec-path"));
}

function overwritesRemote(args: readonly string[]): boolean {
  const own = args.slice(args.indexOf("push") + 1);
  const isForced = hasOption(own, "fd", "--force", "--force-with-lease", "--force-if-includes", "--delete", "--mirror", "--prune");
  return isForced || own.some((arg) => /^[+:]./.test(arg));
}

function discardsChanges(args: readonly string[]): boolean {
  switch (subcommandOf(args)) {
    case "reset":
      return hasOption(args, "", "--hard");
    case "clean":
      return hasOption(args, "f", "--force");
    case "checkout":
    case "restore":
      return args.at(-1) === ".";
    default:
      return false;
  }
}
