import { join } from "node:path";
import type { AttemptId, HostId } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { AttemptBranch, AttemptFolder, CreatedAttemptFolder, Host, NewAttemptFolder, Workspaces } from "@skein/host";
import type { Logger } from "../logger.ts";
import { listObjects, type WorkCarrier } from "./carry-work.ts";
import { type HostDirectory, isUnreachable } from "./host-directory.ts";
import type { HostLocator } from "./locate-host.ts";
import { whileAlone } from "./routing-executions.ts";

/**
 * Sends calls about an attempt's folder to its host. Branches land and are pushed on the server's own machine, which has the project's
 * repository and a mirror of each attempt on another host; the mirror also answers while that host is not connected.
 */
export function createRoutingWorkspaces(input: {
  local: Host;
  directory: HostDirectory;
  locator: HostLocator;
  carrier: WorkCarrier;
  logger: Logger;
}): Workspaces {
  const { directory, locator, carrier, logger } = input;
  const local = input.local.workspaces;

  /** Where an attempt is. Its host may have changed since the caller read the attempt. */
  const hostIdOf = (attempt: AttemptFolder): HostId | null => attempt.hostId ?? null;
  const at = (hostId: HostId | null): Workspaces => (hostId === null ? local : directory.get(hostId).workspaces);
  const ofAttempt = (attempt: AttemptFolder): Workspaces => at(hostIdOf(attempt));
  const ofId = async (id: AttemptId): Promise<Workspaces> => at(await locator.ofAttempt(id));
  const ofPath = async (path: string): Promise<Workspaces> => at(await locator.ofPath(path));
  const isRemoved = (hostId: HostId | null): boolean => hostId !== null && directory.find(hostId)?.stored.state === "removed";

  /** Reads from the host, or from the mirror while the host is not connected. */
  async function readOrMirror<T>(
    attempt: AttemptFolder,
    read: (workspaces: Workspaces) => Promise<T>,
    mirrored: () => Promise<T>,
  ): Promise<T> {
    try {
      return await read(ofAttempt(attempt));
    } catch (error) {
      const isGone = error instanceof ServiceError && (error.code === "host-unreachable" || error.code === "host-removed");
      if (hostIdOf(attempt) === null || !isGone || !(await locator.hasRepository(attempt.project.id))) throw error;
      if ((await input.local.transfers.readMirror(attempt)) === null) throw error;
      return mirrored();
    }
  }

  /** Changes the folder on its host, then updates the mirror. */
  async function change<T>(attempt: AttemptFolder, work: (workspaces: Workspaces) => Promise<T>): Promise<T> {
    const hostId = hostIdOf(attempt);
    if (hostId === null) return work(local);
    const host = directory.get(hostId);
    if ((await host.workspaces.listUnfinished()).includes(attempt.id)) {
      await host.workspaces.recoverOperations({ attempts: [attempt], projects: [] });
    }
    const result = await work(host.workspaces);
    await updateMirror(attempt, host);
    return result;
  }

  async function updateMirror(attempt: AttemptFolder, host: Host): Promise<void> {
    // the server with the repository updates it
    if (!(await locator.hasRepository(attempt.project.id))) return;
    try {
      await carrier.mirror(attempt, host);
    } catch (error) {
      logger.warn("the work of an attempt could not be fetched from its host", { attemptId: attempt.id, error });
    }
  }

  async function bringBase(attempt: AttemptBranch): Promise<void> {
    const hostId = hostIdOf(attempt);
    if (hostId === null || !(await locator.hasRepository(attempt.project.id))) return;
    await carrier.bringBase(attempt, hostId, directory.get(hostId));
  }

  /** For landing and pushing: the mirror has what the host has now, or had last. */
  async function withMirror<T>(attempt: AttemptFolder, work: () => Promise<T>): Promise<T> {
    const hostId = hostIdOf(attempt);
    if (hostId === null) return work();
    try {
      await carrier.mirror(attempt, directory.get(hostId));
    } catch (error) {
      if (!isUnreachable(error) && !isRemoved(hostId)) throw error;
      const { name = hostId } = directory.find(hostId)?.stored ?? {};
      if ((await input.local.transfers.readMirror(attempt)) === null)
        throw new ServiceError("conflict", { code: "attempt-not-mirrored", host: name });
    }
    return work();
  }

  async function createElsewhere(wanted: NewAttemptFolder, hostId: HostId | null): Promise<CreatedAttemptFolder> {
    const { id, project, source } = wanted;
    const name = (hostId !== null && directory.find(hostId)?.stored.name) || "";
    if (wanted.isolation === "in-place") throw new ServiceError("invalid", { code: "host-needs-worktree", host: name });
    // before anything is created
    const host = hostId === null ? input.local : directory.get(hostId);
    if (source !== undefined) await withMirror(source, async () => {});
    const { branch, base, commit, tree, folderName } = await input.local.transfers.reserve(wanted);
    const work = { branch, head: commit, tree: tree ?? commit, recorded: [], safetyRefs: [] };
    const attempt: AttemptFolder = { id, project, isolation: "worktree", directory: "", branch, baseCommit: base.commit };
    if (hostId !== null) {
      await carrier.bring({ project, hostId, to: host, ids: [...listObjects(work), ...(base.commit === null ? [] : [base.commit])] });
      await carrier.bringBase({ ...attempt, baseBranch: base.branch }, hostId, host);
    }
    const { directory: made } = await host.transfers.adopt({ id, project, baseCommit: base.commit, folderName, work });
    locator.note({ id, directory: made }, hostId);
    if (hostId !== null) await updateMirror({ ...attempt, directory: made, hostId }, host);
    return { directory: made, branch, base };
  }

  /** The branch stays if it has commits that exist nowhere else. */
  function removeMirror(attempt: AttemptFolder): Promise<{ keptBranch: string | null }> {
    // a folder with the same path on this machine is a different one
    return local.remove({ attempt: { ...attempt, directory: join(attempt.project.path, ".skein-no-folder") } });
  }

  const routed: Workspaces = {
    ...local,
    readHooks: async (wanted) => {
      const hostId = await locator.ofPath(wanted.directory);
      return at(isRemoved(hostId) ? null : hostId).readHooks(wanted);
    },
    async create(wanted) {
      const hostId = wanted.hostId ?? null;
      const isLocal = hostId === null && (wanted.source === undefined || hostIdOf(wanted.source) === null);
      return isLocal ? local.create(wanted) : createElsewhere(wanted, hostId);
    },
    prepareInPlace: (attempt) => ofAttempt(attempt).prepareInPlace(attempt),
    restore: (attempt) => ofAttempt(attempt).restore(attempt),
    async exists(wanted) {
      const { hostId } = wanted as { hostId?: HostId };
      return (hostId === undefined ? await ofPath(wanted.directory) : at(hostId)).exists({
        directory: wanted.directory,
        ...(wanted.path === undefined ? {} : { path: wanted.path }),
      });
    },
    async remove({ attempt, later }) {
      const hostId = hostIdOf(attempt);
      if (hostId === null) return local.remove({ attempt, ...(later === undefined ? {} : { later }) });
      if (!isRemoved(hostId)) {
        const host = directory.get(hostId);
        await updateMirror(attempt, host);
        await host.workspaces.remove({ attempt, ...(later === undefined ? {} : { later }) });
      }
      return removeMirror(attempt);
    },
    async removeFolder(wanted) {
      const hostId = hostIdOf(wanted.attempt);
      if (hostId === null) return local.removeFolder(wanted);
      const host = directory.get(hostId);
      // what the project's repository has of it stays readable
      await updateMirror(wanted.attempt, host);
      return host.workspaces.removeFolder(wanted);
    },
    removeSandboxHome: async (wanted) => (await ofId(wanted.id)).removeSandboxHome(wanted),
    async forget({ id }) {
      const hostId = await locator.ofAttempt(id);
      if (hostId !== null && !isRemoved(hostId)) await directory.get(hostId).workspaces.forget({ id });
      await local.forget({ id });
      locator.forget(id);
    },

    diff: (attempt) =>
      readOrMirror(
        attempt,
        (host) => host.diff(attempt),
        () => input.local.transfers.diffMirror(attempt),
      ),
    diffStat: (wanted) =>
      readOrMirror(
        wanted.attempt,
        (host) => host.diffStat(wanted),
        async () => {
          const { files } = await input.local.transfers.diffMirror(wanted.attempt);
          const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + (file[key] ?? 0), 0);
          const uncommitted = wanted.uncommitted ? { uncommitted: (await local.listUncommitted(wanted.attempt)).length } : {};
          return { files: files.length, additions: sum("additions"), deletions: sum("deletions"), ...uncommitted };
        },
      ),
    listUncommitted: (attempt) =>
      readOrMirror(
        attempt,
        (host) => host.listUncommitted(attempt),
        () => local.listUncommitted(attempt),
      ),

    identifyContent: (attempt) => ofAttempt(attempt).identifyContent(attempt),
    async recordExecution(wanted) {
      const { attempt } = wanted;
      const hostId = hostIdOf(attempt);
      if (hostId === null) return local.recordExecution(wanted);
      const host = directory.get(hostId);
      await host.workspaces.recordExecution(wanted);
      await updateMirror(attempt, host);
    },
    recordExecutionStart: (wanted) => ofAttempt(wanted.attempt).recordExecutionStart(wanted),
    hasRecorded: (wanted) => ofAttempt(wanted.attempt).hasRecorded(wanted),
    diffExecution: (wanted) =>
      readOrMirror(
        wanted.attempt,
        (host) => host.diffExecution(wanted),
        () => local.diffExecution({ ...wanted, isRunning: false }),
      ),

    readFolder: (wanted) => ofAttempt(wanted.attempt).readFolder(wanted),
    readFile: (wanted) => ofAttempt(wanted.attempt).readFile(wanted),
    matchPaths: (wanted) => ("attempt" in wanted.folder ? ofAttempt(wanted.folder.attempt) : local).matchPaths(wanted),
    listCommands: (folder) => ("attempt" in folder ? ofAttempt(folder.attempt) : local).listCommands(folder),

    async nameFolders(wanted) {
      const [first = ""] = wanted.directories;
      const hostId = await locator.ofPath(first);
      return at(isRemoved(hostId) ? null : hostId).nameFolders(wanted);
    },
    findRecentChanges: async (wanted) => (await ofPath(wanted.path)).findRecentChanges(wanted),
    prepareLfs: (wanted) => ofAttempt(wanted.attempt).prepareLfs(wanted),
    cancelLfsDownload: async (wanted) => (await ofId(wanted.id)).cancelLfsDownload(wanted),

    readScripts: async (wanted) => (await ofPath(wanted.directory)).readScripts(wanted),
    readAgentSettings: async (wanted) => (await ofPath(wanted.directory)).readAgentSettings(wanted),
    findLoadedFiles: async (wanted) => (await ofPath(wanted.directory)).findLoadedFiles(wanted),
    readSmallFile: async (wanted) => (await ofPath(wanted.directory)).readSmallFile(wanted),
    async copyFiles({ from, to, patterns }) {
      const [source, target] = [await locator.ofPath(from), await locator.ofPath(to)];
      if (source === target) return at(target).copyFiles({ from, to, patterns });
      const [reader, writer] = [source, target].map((hostId) => (hostId === null ? input.local : directory.get(hostId)));
      const files = reader?.transfers.readFiles({ from, patterns });
      return files === undefined || writer === undefined ? { problems: [] } : writer.transfers.writeFiles({ to, files });
    },
    isSetUp: async (wanted) => (await ofId(wanted.id)).isSetUp(wanted),
    beginSetup: async (wanted) => (await ofId(wanted.id)).beginSetup(wanted),
    finishSetup: async (wanted) => (await ofId(wanted.id)).finishSetup(wanted),
    async forgetSetup(wanted) {
      const hostId = await locator.ofAttempt(wanted.id);
      if (!isRemoved(hostId)) await at(hostId).forgetSetup(wanted);
    },
    readMcpTools: async (wanted) => (await ofPath(wanted.directory)).readMcpTools(wanted),
    endScript: async (wanted) => (await ofPath(wanted.directory)).endScript(wanted),
    runScript: async (wanted) => (await ofPath(wanted.directory)).runScript(wanted),

    async readGitState(wanted) {
      const { attempt } = wanted;
      if (hostIdOf(attempt) === null) return local.readGitState(wanted);
      return readOrMirror(
        attempt,
        async (host) => {
          await bringBase(attempt);
          const state = await host.readGitState(wanted);
          // remotes are those of the project's own repository
          const own = await local.readGitState(wanted).catch(() => undefined);
          const { push: _push, ...obstacles } = state.obstacles;
          const push = state.obstacles.push?.text.code === "no-remote" ? own?.obstacles.push : state.obstacles.push;
          return { ...state, remote: own?.remote ?? null, obstacles: { ...obstacles, ...(push === undefined ? {} : { push }) } };
        },
        () => local.readGitState(wanted),
      );
    },
    diffUncommitted: (attempt) => ofAttempt(attempt).diffUncommitted(attempt),
    commit: (wanted) => change(wanted.attempt, (host) => host.commit(wanted)),
    discard: (wanted) => change(wanted.attempt, (host) => host.discard(wanted)),
    restoreExecution: (wanted) => change(wanted.attempt, (host) => host.restoreExecution(wanted)),
    restoreSafetyRef: (wanted) => change(wanted.attempt, (host) => host.restoreSafetyRef(wanted)),
    async update(wanted) {
      await bringBase(wanted.attempt);
      return change(wanted.attempt, (host) => host.update(wanted));
    },
    readConflictSides: (wanted) => ofAttempt(wanted.attempt).readConflictSides(wanted),
    resolveConflict: (wanted) => change(wanted.attempt, (host) => host.resolveConflict(wanted)),
    finishUpdate: (attempt) => change(attempt, (host) => host.finishUpdate(attempt)),
    abortUpdate: (attempt) => change(attempt, (host) => host.abortUpdate(attempt)),
    async land(wanted) {
      const { attempt } = wanted;
      const hostId = hostIdOf(attempt);
      if (hostId !== null && !isRemoved(hostId) && directory.find(hostId)?.connection !== undefined) {
        const { conflict } = await directory.get(hostId).workspaces.readGitState({ attempt, isRunning: false, landing: wanted.landed });
        if (conflict !== null) throw new ServiceError("conflict", { code: "in-conflict" });
      }
      return withMirror(attempt, () => local.land(wanted));
    },
    undoLanding: (wanted) => local.undoLanding(wanted),
    push: (wanted) =>
      withMirror(wanted.attempt, () => local.push({ ...wanted, hooks: hostIdOf(wanted.attempt) === null ? wanted.hooks : undefined })),
  };
  return whileAlone(directory, local, routed);
}
