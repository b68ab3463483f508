import type { HostId, ProjectId, WorkerFetch } from "@skein/contracts";
import { createConcurrencyLimit, ServiceError, type Storage } from "@skein/engine";
import type { AttemptFolder, AttemptWork, Host, ProjectFolder } from "@skein/host";
import type { Logger } from "../logger.ts";

/** Carries objects and work between the server's own machine and other hosts. */
export interface WorkCarrier {
  /** Brings objects of the project's repository to a host. */
  bring(input: { project: ProjectFolder; hostId: HostId; to: Host; ids: readonly string[] }): Promise<void>;
  /** Brings the base branch of an attempt to its host, if it has moved since. */
  bringBase(attempt: AttemptFolder & { baseBranch: string | null }, hostId: HostId, host: Host): Promise<void>;
  /** Updates the mirror of an attempt from its host. Returns the work; null if the attempt has no branch checked out. */
  mirror(attempt: AttemptFolder, host: Host): Promise<AttemptWork | null>;
  /** Fetches of a host from the remotes of projects: those that run, and the last ones that failed. */
  listFetches(hostId: HostId): WorkerFetch[];
}

export function createWorkCarrier({
  local,
  storage,
  logger,
}: {
  local: Host;
  storage: { read: Pick<Storage["read"], "findProject"> };
  logger: Logger;
}): WorkCarrier {
  const fetches = new Map<HostId, Map<ProjectId, WorkerFetch>>();
  /** The last commit of a base branch that a host has. */
  const bases = new Map<string, string>();
  /** One transfer at a time for each repository: the next one has less to send. */
  const queues = new Map<string, ReturnType<typeof createConcurrencyLimit>>();

  function inTurn<T>({ id }: ProjectFolder, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(id) ?? createConcurrencyLimit(1);
    queues.set(id, queue);
    return queue(work);
  }

  /** Lets a host fetch from the project's remote, if its owners want that. What is missing afterwards is sent. */
  async function fetchFirst({ project, hostId, to, ids }: { project: ProjectFolder; hostId: HostId; to: Host; ids: readonly string[] }) {
    if ((await storage.read.findProject({ id: project.id }))?.workersFetch !== true) return;
    const missing = await to.transfers.findMissing({ project, ids });
    const url = missing.length === 0 ? null : await local.transfers.findRemote(project);
    if (url === null) return;
    const known = fetches.get(hostId) ?? new Map<ProjectId, WorkerFetch>();
    fetches.set(hostId, known);
    const note = (state: WorkerFetch["state"], text: string) => known.set(project.id, { projectId: project.id, state, text });
    let failure: string | undefined;
    try {
      note("running", "");
      const objectFormat = toObjectFormat(ids);
      for await (const { type, text } of to.transfers.fetchRemote({ project, objectFormat, url })) {
        if (type === "failed") failure = text;
        else note("running", text);
      }
    } catch (error) {
      // an older worker, for example
      failure = error instanceof Error ? error.message : String(error);
    }
    if (failure === undefined) known.delete(project.id);
    else note("failed", failure);
    logger[failure === undefined ? "info" : "warn"]("a worker fetched from the remote of a project", {
      projectId: project.id,
      hostId,
      failure,
    });
  }

  async function send({ from, to, project, ids }: { from: Host; to: Host; project: ProjectFolder; ids: readonly string[] }): Promise<void> {
    const wants = await to.transfers.findMissing({ project, ids });
    if (wants.length === 0) return;
    const haves = await to.transfers.listTips(project);
    const pack = from.transfers.readPack({ project, wants, haves });
    await to.transfers.storePack({ project, objectFormat: toObjectFormat(wants), pack });
    logger.info("objects were carried to another machine", { projectId: project.id, objects: wants.length });
  }

  return {
    bring: ({ project, hostId, to, ids }) =>
      inTurn(project, async () => {
        await fetchFirst({ project, hostId, to, ids });
        await send({ from: local, to, project, ids });
      }),
    async bringBase({ project, baseBranch }, hostId, host) {
      if (baseBranch === null) return;
      const { commit } = await local.workspaces.resolveBase({ project, branch: baseBranch });
      const key = `${hostId} ${project.id} ${baseBranch}`;
      if (commit === null || bases.get(key) === commit) return;
      await inTurn(project, async () => {
        const identity = await local.transfers.readIdentity(project);
        await fetchFirst({ project, hostId, to: host, ids: [commit] });
        await send({ from: local, to: host, project, ids: [commit] });
        await host.transfers.setRefs({ project, refs: [{ ref: `refs/heads/${baseBranch}`, commit }], identity });
      });
      bases.set(key, commit);
    },
    mirror: (attempt, host) =>
      inTurn(attempt.project, async () => {
        const work = await host.transfers.readWork(attempt);
        if (work === null) return null;
        if (attempt.branch === null || work.branch !== attempt.branch) {
          // the agent checked out another branch: the server's refs of that name may be somebody else's
          throw new ServiceError("conflict", { code: "detached-head" });
        }
        await send({ from: host, to: local, project: attempt.project, ids: listObjects(work) });
        await local.transfers.saveMirror({ attempt, work });
        return work;
      }),
    listFetches: (hostId) => [...(fetches.get(hostId)?.values() ?? [])],
  };
}

function toObjectFormat(ids: readonly string[]): "sha1" | "sha256" {
  return ids.some((id) => id.length === 64) ? "sha256" : "sha1";
}

/** Everything that the work names. */
export function listObjects({ head, tree, recorded, safetyRefs }: AttemptWork): string[] {
  const recordedObjects = recorded.flatMap((one) => (one.head === null ? [one.tree] : [one.tree, one.head]));
  return [...new Set([head, tree, ...recordedObjects, ...safetyRefs.map(({ commit }) => commit)])];
}
