import { devNull } from "node:os";

/** Whose settings a command with a git dir of our own reads: only ours, or also those in the user's own files. */
export type GitSettings = "own" | "user";

export interface GitTarget {
  /** A git dir of our own; without it git looks for the repository that `cwd` is in. */
  gitDir?: string;
  workTree?: string;
  index?: string;
  /** New objects are written there and those of the repository are only read. */
  scratchObjects?: { folder: string; repositoryObjects: string };
  settings?: GitSettings;
  /** The user lets it reach a server: with their own credentials and ssh. Only without any settings of a repository. */
  network?: true;
  /** Of a commit that is made; without it, the identity of the settings. */
  author?: { name: string; email: string; date: string };
  /** Beyond the fixed ones; these win. */
  config?: readonly (readonly [key: string, value: string])[];
}

/** Events for which git 2.54 and later also runs programs that are named in the settings. */
const hookEvents = [
  "applypatch-msg",
  "fsmonitor-watchman",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-rewrite",
  "pre-auto-gc",
  "pre-commit",
  "reference-transaction",
];

/**
 * Settings for every git command of ours. They win over those of a repository, and nothing in them names a program. They are
 * the second line of defence: a git dir of our own does not read a repository's settings in the first place.
 */
const hardening: readonly (readonly [key: string, value: string])[] = [
  ["core.hooksPath", devNull],
  ...hookEvents.map((event) => [`hook.${event}.enabled`, "false"] as const),
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", ":"],
  ["sequence.editor", ":"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.gitProxy", "none"],
  ["core.alternateRefsCommand", ":"],
  ["credential.helper", ""],
  ["gpg.program", "false"],
  ["gpg.ssh.program", "false"],
  ["gpg.x509.program", "false"],
  ["log.showSignature", "false"],
  ["protocol.allow", "never"],
  ["submodule.recurse", "false"],
  ["diff.ignoreSubmodules", "dirty"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  // what follows keeps the answers true: nothing cached by others, nothing replaced, nothing converted
  ["core.attributesFile", devNull],
  ["core.useReplaceRefs", "false"],
  ["core.logAllRefUpdates", "false"],
  ["core.commitGraph", "false"],
  ["core.untrackedCache", "false"],
  ["core.splitIndex", "false"],
  ["core.sparseCheckout", "false"],
  ["core.trustctime", "true"],
  ["core.checkStat", "default"],
  ["core.ignoreStat", "false"],
  ["core.autocrlf", "false"],
  ["core.eol", "lf"],
  ["core.safecrlf", "false"],
  ["core.quotePath", "false"],
  ["diff.suppressBlankEmpty", "false"],
];

/** What a command that reaches a server needs. */
const forNetwork = new Set(["core.askPass", "core.sshCommand", "core.gitProxy", "credential.helper", "protocol.allow"]);

/** These objects are thrown away: no need to compress them or to wait for the disk. */
const forScratch = [
  ["core.fsync", "none"],
  ["core.looseCompression", "0"],
] as const;

/**
 * The environment of every git command of ours: none of the caller's `GIT_*` variables, no network, no prompts, no replaced
 * objects. Settings go by `GIT_CONFIG_KEY_n`, where a name may hold `=` or be empty; with `-c` such a name sets another key.
 */
export function gitEnvironment(target: GitTarget = {}): Record<string, string> {
  const { gitDir, workTree, index, scratchObjects } = target;
  const fixed = target.network ? hardening.filter(([key]) => !forNetwork.has(key)) : hardening;
  const settings = [...fixed, ...(scratchObjects === undefined ? [] : forScratch), ...(target.config ?? [])];
  return {
    ...inheritedEnvironment(),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    // a partial clone would run the programs of its remote to get what is missing; git before 2.45 knows only the second
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: target.network ? "https:http:ssh:git:file" : "none",
    ...(gitDir === undefined ? {} : { GIT_DIR: gitDir, GIT_COMMON_DIR: gitDir, ...(target.settings === "user" ? {} : noUserSettings) }),
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(target.author === undefined
      ? {}
      : { GIT_AUTHOR_NAME: target.author.name, GIT_AUTHOR_EMAIL: target.author.email, GIT_AUTHOR_DATE: target.author.date }),
    ...(scratchObjects === undefined
      ? {}
      : {
          GIT_OBJECT_DIRECTORY: scratchObjects.folder,
          GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(scratchObjects.repositoryObjects),
        }),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}

const noUserSettings = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_SYSTEM: devNull, GIT_CONFIG_GLOBAL: devNull };

/** Git's own variables of the caller would point it at another repository. */
function inheritedEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name, value]) => value !== undefined && !name.startsWith("GIT_"));
  return Object.fromEntries(inherited) as Record<string, string>;
}

/** The list is separated by colons; a quoted entry may hold them. */
function quotePath(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
