import type { ApprovalWarning } from "@skein/contracts";
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

/** A warning without parameters. */
type DangerCode = Exclude<ApprovalWarning, { path: string } | { agent: string }>["code"];

const dangers: readonly [isDangerous: (command: RunCommand) => boolean, code: DangerCode][] = [
  [({ name }) => isOneOf(name, "sudo doas su pkexec"), "runs-as-other-user"],
  [({ name, args }) => name === "rm" && hasOption(args, "rR", "--recursive"), "deletes-folders"],
  [({ name, args }) => name === "find" && args.includes("-delete"), "deletes-found-files"],
  [(command) => isDownload(command.name) && reachesInterpreter(command), "runs-from-network"],
  [(command) => isInterpreter(command) && command.inside.some(({ name }) => isDownload(name)), "runs-from-network"],
  [({ name, args }) => name === "git" && subcommandOf(args) === "push" && overwritesRemote(args), "overwrites-remote"],
  [({ name, args }) => name === "git" && discardsChanges(args), "discards-changes"],
  [({ name, args }) => name === "dd" && args.some((arg) => arg.startsWith("of=")), "overwrites-disk"],
  [({ name }) => /^mkfs(\.|$)/.test(name) || isOneOf(name, "wipefs fdisk parted"), "changes-file-system"],
  [({ name, args }) => isOneOf(name, "chmod chown chgrp") && hasOption(args, "R", "--recursive"), "changes-rights"],
  [({ name }) => isOneOf(name, "shutdown reboot halt poweroff"), "turns-machine-off"],
  [({ writes }) => writes.some((path) => /^\/dev\/(?!(?:null|stdout|stderr|tty)$|fd\/)/.test(path)), "writes-to-device"],
];

/**
 * Why a command needs attention. A short list of well-known ways to lose work, not a sandbox: other commands may be as harmful, which is
 * why commands need approval at all.
 */
export function findDanger(text: string): ApprovalWarning | undefined {
  if (text.replace(/\s/g, "").includes(":(){:|:&};:")) return { code: "copies-itself" };
  const commands = listRunCommands(text);
  if (commands === undefined) return { code: "not-checked" };
  const code = dangers.find(([isDangerous]) => commands.some(isDangerous))?.[1];
  return code === undefined ? undefined : { code };
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

/** `-C folder` and `-c setting` may precede it. */
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
