import type { AgentSettings, ProjectId, ProjectScripts } from "@skein/contracts";
import { TrustFileError } from "../data-dir/trust-file.ts";
import { getProject } from "../services/lookup.ts";
import type { ServiceContext } from "../services/service-context.ts";
import { ServiceError } from "../services/service-error.ts";
import type { Services } from "../services/services.ts";

type Kind = "scripts" | "agent-settings";

/** What a repository brings along: shown, trusted as it was shown, or not. Nothing is run here. */
export function createRepositoryService({
  storage,
  now,
  repositoryTrust,
}: ServiceContext): Pick<Services, "projectScripts" | "agentSettings"> {
  const readScripts = (id: ProjectId): Promise<ProjectScripts> =>
    useTrust(async () => {
      const { read, trust } = await repositoryTrust.readScripts(await getProject(storage.read, id));
      const nothing = { setup: null, cleanup: null, timeoutSeconds: null, copy: [], hash: null, trust };
      if (read.kind === "none") return nothing;
      if (read.kind === "unusable") return { ...nothing, problem: read.problem };
      const { setup = null, cleanup = null, timeoutSeconds, copy } = read.scripts;
      return { setup, cleanup, timeoutSeconds, copy, hash: read.hash, trust };
    });

  const readSettings = (id: ProjectId): Promise<AgentSettings> =>
    useTrust(async () => {
      const project = await getProject(storage.read, id);
      const { read, trust } = await repositoryTrust.readAgentSettings(project, project.path);
      return { ...read, trust };
    });

  async function trust<Shown extends { hash: string | null }>(input: {
    projectId: ProjectId;
    kind: Kind;
    hash: string;
    read: (id: ProjectId) => Promise<Shown>;
  }): Promise<Shown> {
    const { projectId, kind, hash, read } = input;
    // what the person looked at is not what is there now: they must look again
    if ((await read(projectId)).hash !== hash) {
      throw new ServiceError("conflict", `${kind}-changed`, "This has changed since it was shown. Look at it again before you trust it.");
    }
    await useTrust(async () => repositoryTrust.file.put({ projectId, kind, hash, trustedAt: now() }));
    return read(projectId);
  }

  async function revoke(projectId: ProjectId, kind: Kind): Promise<void> {
    await getProject(storage.read, projectId);
    const isIt = (entry: { projectId: ProjectId; kind: Kind }) => entry.projectId === projectId && entry.kind === kind;
    if (await useTrust(async () => repositoryTrust.file.remove(isIt))) return;
    throw new ServiceError("not-found", `${kind}-not-trusted`, "This is not trusted in this project.");
  }

  return {
    projectScripts: {
      get: readScripts,
      trust: (projectId, { hash }) => trust({ projectId, kind: "scripts", hash, read: readScripts }),
      revoke: (projectId) => revoke(projectId, "scripts"),
    },
    agentSettings: {
      get: readSettings,
      trust: (projectId, { hash }) => trust({ projectId, kind: "agent-settings", hash, read: readSettings }),
      revoke: (projectId) => revoke(projectId, "agent-settings"),
    },
  };
}

async function useTrust<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TrustFileError) throw new ServiceError("unavailable", "trust-unreadable", error.message, { cause: error });
    throw error;
  }
}
