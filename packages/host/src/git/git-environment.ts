import { devNull } from "node:os";

/** Settings that a command with our own git dir reads: only ours, or also the user's global ones. */
export type GitSettings = "own" | "user";

export interface GitTarget {
  /** Our own git dir. Without it, git searches from `cwd`. */
  gitDir?: string;
  workTree?: string;
  index?: string;
  /** Writes new objects to `folder`; the repository's objects are read only. */
  scratchObjects?: { folder: string; repositoryObjects: string };
  settings?: GitSettings;
  /**
   * `remote` allows network access with the user's credentials and ssh; `local`, a repository on this machine. Never combined with
   * settings of a repository.
   */
  network?: "remote" | "local";
  /** For http(s) and this origin only; replaces the user's credential helpers. Git asks for it, so a redirect does not take it elsewhere. */
  credential?: { origin: string; username: string; token: string };
  /** Author of a new commit. Default: the identity of the settings. */
  author?: { name: string; email: string; date: string };
  /** Additional settings; these override the fixed ones. */
  config?: readonly (readonly [key: string, value: string])[];
}

/** Hook events for which git 2.54 and later also runs programs named in settings. */
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
 * Settings for all git commands. They override those of a repository, and none of them names a program. This is the second line of
 * defence: with our own git dir, git does not read the repository's settings at all.
 */
export const hardening: readonly (readonly [key: string, value: string])[] = [
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
  // the following keep results accurate: no foreign caches, no replaced objects, no conversions
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

/** Settings that are lifted for commands with network access. */
const forNetwork = new Set(["core.askPass", "core.sshCommand", "core.gitProxy", "credential.helper", "protocol.allow"]);

/** Scratch objects are discarded: no compression, no fsync. */
const forScratch = [
  ["core.fsync", "none"],
  ["core.looseCompression", "0"],
] as const;

/**
 * Environment of every git command: no inherited `GIT_*` variables, no network, no prompts, no replaced objects. Settings are passed
 * as `GIT_CONFIG_KEY_n`, because with `-c` a name that contains `=` would set another key.
 */
export function gitEnvironment(target: GitTarget = {}): Record<string, string> {
  const { gitDir, workTree, index, scratchObjects } = target;
  const fixed = target.network ? hardening.filter(([key]) => !forNetwork.has(key)) : hardening;
  const credential = target.credential === undefined ? [] : toCredentialSettings(target.credential.origin);
  const settings = [...fixed, ...(scratchObjects === undefined ? [] : forScratch), ...credential, ...(target.config ?? [])];
  return {
    ...inheritedEnvironment(),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    // a partial clone would run programs of its remote to fetch missing objects; git before 2.45 supports only the second setting
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: target.network === undefined ? "none" : target.network === "local" ? "file" : "https:http:ssh:git",
    ...(gitDir === undefined ? {} : { GIT_DIR: gitDir, GIT_COMMON_DIR: gitDir, ...(target.settings === "user" ? {} : noUserSettings) }),
    ...(target.credential === undefined
      ? {}
      : { SKEIN_GIT_USERNAME: target.credential.username, SKEIN_GIT_TOKEN: target.credential.token }),
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

/** The values are in the environment: a helper's command line is visible to other users. */
function toCredentialSettings(origin: string): (readonly [string, string])[] {
  const print = `printf 'username=%s\\npassword=%s\\n' "$SKEIN_GIT_USERNAME" "$SKEIN_GIT_TOKEN"`;
  return [
    ["credential.helper", ""],
    [`credential.${origin}.helper`, `!f() { test "$1" = get && ${print}; }; f`],
  ];
}

const noUserSettings = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_SYSTEM: devNull, GIT_CONFIG_GLOBAL: devNull };

/** Drops inherited `GIT_*` variables, which could point git to another repository. */
function inheritedEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name, value]) => value !== undefined && !name.startsWith("GIT_"));
  return Object.fromEntries(inherited) as Record<string, string>;
}

/** The list is separated by colons; quoted entries may contain them. */
function quotePath(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
