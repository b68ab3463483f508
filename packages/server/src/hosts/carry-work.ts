import type { HostId } from "@skein/contracts";
import { createConcurrencyLimit, ServiceError } from "@skein/engine";
import type { AttemptFolder, AttemptWork, Host, ProjectFolder } from "@skein/host";
import type { Logger } from "../logger.ts";

/** Carries objects and work between the server's own machine and other hosts. */
export interface WorkCarrier {
  /** Brings objects of the project's repository to a host. */
  bring(input: { project: ProjectFolder; to: Host; ids: readonly string[] }): Promise<void>;
  /** Brings the base branch of an attempt to its host, if it has moved since. */
  bringBase(attempt: AttemptFolder & { baseBranch: string | null }, hostId: HostId, host: Host): Promise<void>;
  /** Updates the mirror of an attempt from its host. Returns the work; null if the attempt has no branch checked out. */
  mirror(attempt: AttemptFolder, host: Host): Promise<AttemptWork | null>;
}

export function createWorkCarrier({ local, logger }: { local: Host; logger: Logger }): WorkCarrier {
  /** The last commit of a base branch that a host has. */
  const bases = new Map<string, string>();
  /** One transfer at a time for each repository: the next one has less to send. */
  const queues = new Map<string, ReturnType<typeof createConcurrencyLimit>>();

  function inTurn<T>({ id }: ProjectFolder, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(id) ?? createConcurrencyLimit(1);
    queues.set(id, queue);
    return queue(work);
  }

  async function send({ from, to, project, ids }: { from: Host; to: Host; project: ProjectFolder; ids: readonly string[] }): Promise<void> {
    const wants = await to.transfers.findMissing({ project, ids });
    if (wants.length === 0) return;
    const haves = await to.transfers.listTips(project);
    const pack = from.transfers.readPack({ project, wants, haves });
    const objectFormat = wants.some((id) => id.length === 64) ? "sha256" : "sha1";
    await to.transfers.storePack({ project, objectFormat, pack });
    logger.info("objects were carried to another machine", { projectId: project.id, objects: wants.length });
  }

  return {
    bring: ({ project, to, ids }) => inTurn(project, () => send({ from: local, to, project, ids })),
    async bringBase({ project, baseBranch }, hostId, host) {
      if (baseBranch === null) return;
      const { commit } = await local.workspaces.resolveBase({ project, branch: baseBranch });
      const key = `${hostId} ${project.id} ${baseBranch}`;
      if (commit === null || bases.get(key) === commit) return;
      await inTurn(project, async () => {
        const identity = await local.transfers.readIdentity(project);
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
  };
}

/** Everything that the work names. */
export function listObjects({ head, tree, recorded, safetyRefs }: AttemptWork): string[] {
  const recordedObjects = recorded.flatMap((one) => (one.head === null ? [one.tree] : [one.tree, one.head]));
  return [...new Set([head, tree, ...recordedObjects, ...safetyRefs.map(({ commit }) => commit)])];
}
