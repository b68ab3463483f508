import { join } from "node:path";
import { type LoadedFiles, listDifferentFiles } from "@skein/agents/loaded-files";
import {
  type AgentId,
  contentHashSchema,
  type LoadedFilesProblem,
  type Project,
  type ProjectId,
  projectIdSchema,
  type TrustedFileChange,
  type TrustState,
  timestampSchema,
} from "@skein/contracts";
import type { ReadAgentSettings, ReadHooks, ReadScripts, RepositoryFiles, Workspaces } from "@skein/host";
import { z } from "zod";
import { openTrustFile, TrustFileError } from "../data-dir/trust-file.ts";
import { openTrustedContents } from "../data-dir/trusted-contents.ts";
import { compareWithTrusted, toContentHash } from "./covered-files.ts";

const kindSchema = z.enum(["scripts", "agent-settings", "hooks"]);
export type TrustKind = z.infer<typeof kindSchema>;

const entrySchema = z.object({
  projectId: projectIdSchema,
  kind: kindSchema,
  hash: contentHashSchema,
  /** Hashes of the files that are trusted with it. */
  files: z.record(z.string(), contentHashSchema).optional(),
  trustedAt: timestampSchema,
});
type Entry = z.infer<typeof entrySchema>;

export interface KnownScripts {
  read: ReadScripts;
  trust: TrustState;
  /** Whether the content of `.skein/project.json` is trusted, regardless of other files. */
  isDefinitionTrusted: boolean;
  /** Hash of the definition and the loaded files; null if it cannot be trusted. */
  hash: string | null;
  loaded: LoadedFiles;
  /** Separate per script: files that setup creates must not block cleanup. */
  runs: Readonly<Record<"setup" | "cleanup" | "check" | "dev", ScriptRun>>;
}

/** Whether a script may run, and what prevents it. */
export interface ScriptRun {
  isTrusted: boolean;
  /** Files that differ from the trusted ones. */
  different: string[];
  problem?: LoadedFilesProblem | undefined;
}

export interface KnownAgentSettings {
  read: ReadAgentSettings;
  trust: TrustState;
}

export interface KnownHooks {
  read: ReadHooks;
  trust: TrustState;
  /** Hash of the hooks, the settings and the loaded files, as shown; null if they cannot be trusted. */
  hash: string | null;
}

export interface JudgedAgentSettings {
  areTrusted: boolean;
  /** The settings and the files that they name or load, if they are trusted. */
  trusted: string[];
  /** Files that prevent their use; empty if there are no settings. */
  untrusted: string[];
  wereTrusted: boolean;
}

/** What repositories contain that runs programs, and what of it the user trusts. Each call reads the disk. */
export interface RepositoryTrust {
  /** `.skein/project.json` of the project's own folder, with the files that it loads from `directory`. */
  readScripts(project: Project, directory?: string): Promise<KnownScripts>;
  readAgentSettings(project: Project, directory?: string): Promise<KnownAgentSettings>;
  /** Hooks that a commit or a push in `directory` would run. */
  readHooks(project: Project, directory?: string): Promise<KnownHooks>;
  /**
   * Whether `agent` may use the settings in `directory`: there are some for it, and each file is trusted with its current content.
   * Without settings nothing is trusted, because files that appear later were never reviewed. A worktree may lack files that git
   * ignores, which exist in the project's folder only.
   */
  judgeAgentSettings(input: { project: Project; directory: string; agent: AgentId }): Promise<JudgedAgentSettings>;
  trust(input: { project: Project; directory: string; kind: TrustKind; shown: string; at: number }): Promise<boolean>;
  /** Returns false if nothing was trusted. */
  revoke(projectId: ProjectId, kind: TrustKind): boolean;
  describeChanges(input: { project: Project; directory: string; kind: TrustKind }): Promise<TrustedFileChange[]>;
}

export function openRepositoryTrust({
  home,
  files: repository,
}: {
  home: string;
  files: RepositoryFiles & Pick<Workspaces, "readHooks">;
}): RepositoryTrust {
  const contents = openTrustedContents({ folder: join(home, "trusted-content"), files: repository });
  const file = openTrustFile({
    path: join(home, "repository-trust.json"),
    entry: entrySchema,
    toSubject: ({ projectId, kind }) => JSON.stringify([projectId, kind]),
    toVersion: ({ hash, files = {} }) => toContentHash(hash, files),
  });
  const listVersions = (projectId: ProjectId, kind: TrustKind): Entry[] =>
    file.list().filter((entry) => entry.projectId === projectId && entry.kind === kind);

  const readScripts: RepositoryTrust["readScripts"] = async (project, directory = project.path) => {
    const read = await repository.readScripts({ directory: project.path });
    const notRun = { isTrusted: false, different: [] };
    const nothing = {
      isDefinitionTrusted: false,
      hash: null,
      loaded: { files: {} },
      runs: { setup: notRun, cleanup: notRun, check: notRun, dev: notRun },
    };
    // a removed file is not a change: there is nothing to review
    if (read.kind === "none") return { read, trust: "none", ...nothing };
    const versions = listVersions(project.id, "scripts");
    if (read.kind === "unusable") return { read, trust: versions.length === 0 ? "none" : "changed", ...nothing };
    const find = (...scripts: (string | undefined)[]) =>
      repository.findLoadedFiles({ directory, commands: scripts.flatMap((script) => (script === undefined ? [] : [{ script }])) });
    const compare = (loaded: LoadedFiles) => compareWithTrusted(versions, { hash: read.hash, ...loaded });
    const toRun = (loaded: LoadedFiles): ScriptRun => {
      const compared = compare(loaded);
      const different = compared.state === "changed" ? compared.different : [];
      return { isTrusted: compared.state === "trusted", different, problem: loaded.problem };
    };
    const { setup, cleanup, check, dev } = read.scripts;
    const loaded = await find(setup, cleanup, check, dev);
    return {
      read,
      trust: compare(loaded).state,
      isDefinitionTrusted: versions.some(({ hash }) => hash === read.hash),
      hash: loaded.problem === undefined ? toContentHash(read.hash, loaded.files) : null,
      loaded,
      runs: {
        ...{ setup: toRun(await find(setup)), cleanup: toRun(await find(cleanup)) },
        ...{ check: toRun(await find(check)), dev: toRun(await find(dev)) },
      },
    };
  };

  const readSettings: RepositoryTrust["readAgentSettings"] = async (project, directory = project.path) => {
    const read = await repository.readAgentSettings({ directory });
    if (read.files.length === 0 && read.problem === undefined) return { read, trust: "none" };
    const versions = listVersions(project.id, "agent-settings");
    if (versions.length === 0) return { read, trust: "none" };
    const isTrusted =
      read.hash !== null && versions.some(({ files = {} }) => listDifferentFiles({ files: read.hashes }, files).length === 0);
    return { read, trust: isTrusted ? "trusted" : "changed" };
  };

  /** A commit must not fail because the file cannot be read: then nothing is trusted. */
  function listHookVersions(projectId: ProjectId): Entry[] {
    try {
      return listVersions(projectId, "hooks");
    } catch (error) {
      if (error instanceof TrustFileError) return [];
      throw error;
    }
  }

  const readHooks: RepositoryTrust["readHooks"] = async (project, directory = project.path) => {
    const read = await repository.readHooks({ project, directory });
    if (read.hooks.length === 0) return { read, trust: "none", hash: null };
    const { state } = compareWithTrusted(listHookVersions(project.id), { hash: read.hash, ...read.loaded });
    return { read, trust: state, hash: read.hash === null ? null : toContentHash(read.hash, read.loaded.files) };
  };

  /** The current version, as it would be trusted. */
  async function readVersion(project: Project, directory: string, kind: TrustKind) {
    if (kind === "hooks") {
      const { read, hash } = await readHooks(project, directory);
      return { shown: hash, hash: read.hash, loaded: read.loaded };
    }
    if (kind === "agent-settings") {
      const { hash, hashes } = (await readSettings(project, directory)).read;
      return { shown: hash, hash, loaded: { files: hashes } };
    }
    const { read, hash, loaded } = await readScripts(project, directory);
    return { shown: hash, hash: read.kind === "read" ? read.hash : null, loaded };
  }

  return {
    readScripts,
    readAgentSettings: readSettings,
    readHooks,

    async judgeAgentSettings({ project, directory, agent }) {
      const { settings, hash, hashes, problem } = await repository.readAgentSettings({ directory });
      const own = settings.filter((path) => isSettingOf(agent, path));
      if (settings.length === 0 && problem === undefined) return { areTrusted: false, trusted: [], untrusted: [], wereTrusted: false };
      const versions = listTrusted();
      const wereTrusted = versions.length > 0;
      if (hash === null) return { areTrusted: false, trusted: [], untrusted: settings, wereTrusted };
      const different = versions
        .map(({ files = {} }) => listDifferentFiles({ files: hashes }, files))
        .reduce<string[]>((least, one) => (one.length < least.length ? one : least), Object.keys(hashes));
      const areTrusted = different.length === 0 && own.length > 0;
      return { areTrusted, trusted: areTrusted ? Object.keys(hashes) : [], untrusted: different, wereTrusted };

      function listTrusted(): Entry[] {
        try {
          return listVersions(project.id, "agent-settings");
        } catch (error) {
          if (error instanceof TrustFileError) return [];
          throw error;
        }
      }
    },

    async trust({ project, directory, kind, shown, at }) {
      const version = await readVersion(project, directory, kind);
      if (version.hash === null || version.shown !== shown) return false;
      file.put({ projectId: project.id, kind, hash: version.hash, files: { ...version.loaded.files }, trustedAt: at });
      await contents.keep(directory, version.loaded.files);
      return true;
    },

    revoke: (projectId, kind) => file.remove((entry) => entry.projectId === projectId && entry.kind === kind),

    async describeChanges({ project, directory, kind }) {
      const { hash, loaded } = await readVersion(project, directory, kind);
      // settings have no definition besides their files
      const versions = listVersions(project.id, kind).map((entry) => (kind === "agent-settings" ? { ...entry, hash: hash ?? "" } : entry));
      const compared = compareWithTrusted(versions, { hash, ...loaded });
      return compared.state === "changed" ? contents.describeChanges({ directory, loaded, trusted: compared.version.files ?? {} }) : [];
    },
  };
}

const settingsOfAgents: Readonly<Record<string, RegExp>> = {
  "claude-code": /^(?:\.claude\/|\.mcp\.json$)/,
  codex: /^\.codex\//,
  gemini: /^\.gemini\//,
  opencode: /^(?:\.opencode\/|opencode\.json)/,
};

/** Agents that Skein does not know by name may use any of them. */
function isSettingOf(agent: AgentId, path: string): boolean {
  return settingsOfAgents[agent]?.test(path) ?? true;
}
