import type { AgentSettings, GitHooks, GitLfs, ProjectId, ProjectScripts, TrustContent, TrustPlace } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { TrustFileError } from "../data-dir/trust-file.ts";
import type { TrustKind } from "../repository/repository-trust.ts";
import { toProblemFields } from "../repository/to-problem-fields.ts";
import { listTrustChanges } from "./list-trust-changes.ts";
import { getProject } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";
import { findTrustPlace } from "./trust-place.ts";

/** What a repository contains that runs programs: shows it, and trusts it as shown. Runs nothing. */
export function createRepositoryService(
  context: ServiceContext,
): Pick<Services, "projectScripts" | "agentSettings" | "gitHooks" | "gitLfs" | "trustChanges"> {
  const { storage, now, repositoryTrust, gitLfs } = context;

  const readScripts = (id: ProjectId, place: TrustPlace = {}): Promise<ProjectScripts> =>
    useTrust(async () => {
      const { project, directory } = await findTrustPlace(storage.read, id, place);
      const { read, trust, hash, loaded } = await repositoryTrust.readScripts(project, directory);
      const nothing = {
        setup: null,
        cleanup: null,
        timeoutSeconds: null,
        check: null,
        checkTimeoutSeconds: null,
        dev: null,
        copy: [],
        hash: null,
        trust,
        files: [],
        changes: [],
      };
      if (read.kind === "none") return nothing;
      if (read.kind === "unusable") return { ...nothing, ...toProblemFields(read.problem) };
      const { setup = null, cleanup = null, check = null, dev = null, timeoutSeconds, checkTimeoutSeconds, copy } = read.scripts;
      const changes = await repositoryTrust.describeChanges({ project, directory, kind: "scripts" });
      const { files, problem } = loaded;
      const scripts = {
        setup,
        cleanup,
        check,
        dev,
        timeoutSeconds,
        checkTimeoutSeconds,
        copy,
        hash,
        trust,
        files: Object.keys(files),
        changes,
      };
      return problem === undefined ? scripts : { ...scripts, ...toProblemFields({ code: "scripts-untrustable", reason: problem }) };
    });

  const readSettings = (id: ProjectId, place: TrustPlace = {}): Promise<AgentSettings> =>
    useTrust(async () => {
      const { project, directory } = await findTrustPlace(storage.read, id, place);
      const { read, trust } = await repositoryTrust.readAgentSettings(project, directory);
      const { files, hash, problem } = read;
      const changes = trust === "changed" ? await repositoryTrust.describeChanges({ project, directory, kind: "agent-settings" }) : [];
      return { files, changes, hash, trust, ...(problem === undefined ? {} : toProblemFields(problem)) };
    });

  const readHooks = (id: ProjectId, place: TrustPlace = {}): Promise<GitHooks> =>
    useTrust(async () => {
      const { project, directory } = await findTrustPlace(storage.read, id, place);
      const { read, trust, hash } = await repositoryTrust.readHooks(project, directory);
      const changes = trust === "changed" ? await repositoryTrust.describeChanges({ project, directory, kind: "hooks" }) : [];
      const { hooks, settings, loaded, problem } = read;
      return {
        hooks,
        settings,
        files: Object.keys(loaded.files),
        changes,
        hash,
        trust,
        ...(problem === undefined ? {} : toProblemFields(problem)),
      };
    });

  function toTrustable<T>(kind: TrustKind, get: (id: ProjectId, place?: TrustPlace) => Promise<T>) {
    return {
      get,
      async trust(projectId: ProjectId, { hash, ...place }: TrustContent): Promise<T> {
        const { project, directory } = await findTrustPlace(storage.read, projectId, place);
        if (!(await useTrust(() => repositoryTrust.trust({ project, directory, kind, shown: hash, at: now() })))) throw changed(kind);
        return get(projectId, place);
      },
      async revoke(projectId: ProjectId): Promise<void> {
        await getProject(storage.read, projectId);
        if (!(await useTrust(async () => repositoryTrust.revoke(projectId, kind)))) throw notTrusted(kind);
      },
    };
  }

  const readLfs = (id: ProjectId): Promise<GitLfs> => useTrust(async () => gitLfs.describe(await getProject(storage.read, id)));

  return {
    projectScripts: toTrustable("scripts", readScripts),
    agentSettings: toTrustable("agent-settings", readSettings),
    gitHooks: toTrustable("hooks", readHooks),
    gitLfs: {
      get: readLfs,
      async trust(projectId, { hash }) {
        const project = await getProject(storage.read, projectId);
        if (!(await useTrust(() => gitLfs.trust({ project, shown: hash, at: now() })))) throw changed("git-lfs");
        return readLfs(projectId);
      },
      async revoke(projectId) {
        await getProject(storage.read, projectId);
        if (!(await useTrust(async () => gitLfs.revoke(projectId)))) throw notTrusted("git-lfs");
      },
    },
    trustChanges: (projectId) => useTrust(() => listTrustChanges(context, projectId)),
  };
}

function changed(kind: TrustKind | "git-lfs"): ServiceError {
  return new ServiceError("conflict", { code: `${kind}-changed` });
}

function notTrusted(kind: TrustKind | "git-lfs"): ServiceError {
  return new ServiceError("not-found", { code: `${kind}-not-trusted` });
}

async function useTrust<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TrustFileError)
      throw new ServiceError("unavailable", { code: "trust-unreadable", path: error.path }, { cause: error });
    throw error;
  }
}
