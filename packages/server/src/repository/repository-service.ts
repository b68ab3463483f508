import type { AgentSettings, ProjectId, ProjectScripts } from "@skein/contracts";
import { TrustFileError } from "../data-dir/trust-file.ts";
import { getProject } from "../services/lookup.ts";
import type { ServiceContext } from "../services/service-context.ts";
import { ServiceError } from "../services/service-error.ts";
import type { Services } from "../services/services.ts";
import { readAgentSettings } from "./read-agent-settings.ts";

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
      const { files, hash, problem } = read;
      return { files, hash, trust, ...(problem === undefined ? {} : { problem }) };
    });

  /** What the person looked at must be what is there now: else they must look again. */
  async function trust(
    projectId: ProjectId,
    kind: Kind,
    shown: string,
    found: { hash: string | null; files?: Readonly<Record<string, string>> },
  ): Promise<void> {
    if (found.hash !== shown) {
      throw new ServiceError("conflict", `${kind}-changed`, "This has changed since it was shown. Look at it again before you trust it.");
    }
    const files = found.files === undefined ? {} : { files: found.files };
    await useTrust(async () => repositoryTrust.file.put({ projectId, kind, hash: shown, ...files, trustedAt: now() }));
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
      async trust(projectId, { hash }) {
        await trust(projectId, "scripts", hash, await readScripts(projectId));
        return readScripts(projectId);
      },
      revoke: (projectId) => revoke(projectId, "scripts"),
    },
    agentSettings: {
      get: readSettings,
      async trust(projectId, { hash }) {
        const { hash: current, hashes: files } = await readAgentSettings((await getProject(storage.read, projectId)).path);
        await trust(projectId, "agent-settings", hash, { hash: current, files });
        return readSettings(projectId);
      },
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
