import { contentHashSchema, type Project, type ProjectId, projectIdSchema, type TrustState, timestampSchema } from "@skein/contracts";
import { z } from "zod";
import { openTrustFile, type TrustFile, TrustFileError } from "../data-dir/trust-file.ts";
import { type ReadAgentSettings, readAgentSettings } from "./read-agent-settings.ts";
import { type ReadScripts, readProjectScripts } from "./read-project-scripts.ts";

const entrySchema = z.object({
  projectId: projectIdSchema,
  kind: z.enum(["scripts", "agent-settings"]),
  hash: contentHashSchema,
  /** Of each file, where trust is in several. */
  files: z.record(z.string(), contentHashSchema).optional(),
  trustedAt: timestampSchema,
});
type Entry = z.infer<typeof entrySchema>;

/** What the projects' repositories bring along, and what of it the person trusts. Each look reads the disk. */
export interface RepositoryTrust {
  readonly file: TrustFile<Entry>;
  readScripts(project: Project): Promise<{ read: ReadScripts; trust: TrustState }>;
  /** As they are in `directory`, where an agent may have changed them. */
  readAgentSettings(project: Project, directory: string): Promise<{ read: ReadAgentSettings; trust: TrustState }>;
  /**
   * Whether what agents find in `directory` may count: each file of it is one that the person trusts as it is. A worktree
   * need not have all of them: those that git does not have are in the project's folder only.
   */
  judgeAgentSettings(project: Project, directory: string): Promise<{ areTrusted: boolean; files: string[] }>;
}

export function openRepositoryTrust(path: string): RepositoryTrust {
  const file = openTrustFile({
    path,
    entry: entrySchema,
    isSame: (one, other) => one.projectId === other.projectId && one.kind === other.kind,
    nothing: "nothing that a repository brings along",
  });

  function findTrusted(projectId: ProjectId, kind: Entry["kind"]): Entry | undefined {
    return file.list().find((entry) => entry.projectId === projectId && entry.kind === kind);
  }

  function toState(projectId: ProjectId, kind: Entry["kind"], hash: string | null): TrustState {
    const trusted = findTrusted(projectId, kind);
    if (trusted === undefined) return "none";
    return trusted.hash === hash ? "trusted" : "changed";
  }

  const readSettings: RepositoryTrust["readAgentSettings"] = async (project, directory) => {
    const read = await readAgentSettings(directory);
    const isNothing = read.files.length === 0 && read.problem === undefined;
    return { read, trust: isNothing ? "none" : toState(project.id, "agent-settings", read.hash) };
  };

  return {
    file,
    async readScripts(project) {
      const read = await readProjectScripts(project.path);
      // what is gone again has not changed: there is nothing to look at
      if (read.kind === "none") return { read, trust: "none" };
      return { read, trust: toState(project.id, "scripts", read.kind === "read" ? read.hash : null) };
    },
    readAgentSettings: readSettings,
    async judgeAgentSettings(project, directory) {
      const { files, hash, hashes, problem } = await readAgentSettings(directory);
      if (files.length === 0 && problem === undefined) return { areTrusted: true, files };
      if (hash === null) return { areTrusted: false, files };
      try {
        const trusted = findTrusted(project.id, "agent-settings")?.files ?? {};
        return { areTrusted: files.every((name) => Object.hasOwn(trusted, name) && trusted[name] === hashes[name]), files };
      } catch (error) {
        if (error instanceof TrustFileError) return { areTrusted: false, files };
        throw error;
      }
    },
  };
}
