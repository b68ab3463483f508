import { createHash, randomBytes } from "node:crypto";
import {
  type AgentId,
  createId,
  type EnrolWorker,
  type ExecutionId,
  type HostId,
  type StoredHost,
  type Worker,
  type WorkerInvitation,
  type WorkerReport,
  workerReportSchema,
} from "@skein/contracts";
import { type AgentAdapter, ServiceError, type Storage } from "@skein/engine";
import { type Channel, connectHost, serveHost } from "@skein/host";
import { z } from "zod";
import type { Logger } from "../logger.ts";
import { version } from "../version.ts";
import type { HostDirectory, KnownHost } from "./host-directory.ts";
import type { HostLocator } from "./locate-host.ts";

const invitationLifetimeMs = 60 * 60_000;
const seenEveryMs = 60_000;

/** Invites, connects, lists and removes workers, and chooses among them. */
export interface WorkerService {
  list(): Promise<Worker[]>;
  /** `url` is the server's address, for the command that is shown. */
  invite(input: { name?: string | undefined }, url: string): Promise<WorkerInvitation>;
  /** Exchanges the code of an invitation for the worker's own credential. Repeating it with the same credential is harmless. */
  enrol(input: EnrolWorker, address: string): Promise<{ id: HostId }>;
  /** Counts an enrolment as failed before it is made. Returns how long to wait if this address may not try now. */
  limitEnrolment(address: string): Promise<{ waitMs: number }>;
  /** The worker with a credential; undefined if there is none, or it was removed. */
  authenticate(credential: string): Promise<HostId | undefined>;
  /** Takes over a connection that an authenticated worker opened. Resolves when it has ended. */
  accept(id: HostId, channel: Channel): Promise<void>;
  /** For several servers: reads what the others have changed, and repairs what they must know about the connections of this one. */
  synchronise(): Promise<void>;
  /** Lets another server use the connection of a worker, over a channel that it opened. Resolves when one of the two has ended. */
  share(id: HostId, channel: Channel): Promise<void>;
  update(id: HostId, changes: { state: "active" | "draining" }): Promise<Worker>;
  /** Ends the worker's access for good. Its running executions become `interrupted`. */
  remove(id: HostId): Promise<void>;
  /** The worker that a choice (id, name or tag) means: among several, the one with the most free capacity. Throws `host-not-found`. */
  choose(choice: string, agent: AgentId): Promise<HostId>;
  /** Records that an execution waits for its host, or no longer does. */
  noteWaiting(id: ExecutionId, isWaiting: boolean): void;
}

/** Limits failed attempts from an address. */
interface AddressLimits {
  beginFrom(address: string): Promise<{ waitMs: number }>;
  succeedFrom(address: string): Promise<void>;
}

type Load = Pick<Worker, "running" | "waiting" | "waitingExecutions">;

export function createWorkerService(input: {
  storage: Storage;
  findAgent(id: AgentId): Pick<AgentAdapter, "capabilities"> | undefined;
  directory: HostDirectory;
  locator: HostLocator;
  listFetches(id: HostId): Worker["fetches"];
  /** Called with the first enrolment. */
  loadLimits(): Promise<AddressLimits>;
  logger: Logger;
  now(): number;
}): WorkerService {
  const { storage, findAgent, directory, locator, logger, now } = input;
  const waiting = new Set<ExecutionId>();

  async function get(id: HostId): Promise<StoredHost> {
    const stored = await storage.read.findHost({ id });
    if (stored === undefined || stored.state === "removed") throw new ServiceError("not-found", { code: "host-not-found", host: id });
    return stored;
  }

  async function save(id: HostId, change: (host: StoredHost) => StoredHost): Promise<void> {
    await storage.transaction(async (tx) => {
      const stored = await tx.findHost({ id });
      if (stored !== undefined) await tx.updateHost(change(stored));
    });
    await directory.reload();
  }

  /** The other servers learn of it: one of them may hold the connection. */
  async function saveState(id: HostId, change: (host: StoredHost) => StoredHost): Promise<void> {
    await save(id, change);
    await storage.nodes?.wakeOthers();
  }

  async function countRunning(): Promise<Map<HostId, Load>> {
    const counts = new Map<HostId, Load>();
    for (const { id } of await storage.read.listRunningExecutions()) {
      const hostId = await locator.ofExecution(id);
      if (hostId === null) continue;
      const count = counts.get(hostId) ?? { running: 0, waiting: 0, waitingExecutions: [] };
      const isWaiting = waiting.has(id);
      count[isWaiting ? "waiting" : "running"]++;
      if (isWaiting || directory.find(hostId)?.connection === undefined) count.waitingExecutions.push(id);
      counts.set(hostId, count);
    }
    return counts;
  }

  const toWorker = ({ stored, connection }: KnownHost, counts: Load = { running: 0, waiting: 0, waitingExecutions: [] }): Worker => {
    const { tokenHash: _hash, kind: _kind, connectedNodeId: _node, ...shown } = stored;
    const isOtherVersion = shown.version !== "" && shown.version !== version;
    return { ...shown, isConnected: connection !== undefined, ...counts, fetches: input.listFetches(stored.id), isOtherVersion };
  };

  const hasExpired = ({ expiresAt }: StoredHost): boolean => expiresAt !== null && expiresAt < now();

  async function list(): Promise<Worker[]> {
    await directory.reload();
    const counts = await countRunning();
    const shown = directory.list().filter(({ stored: { state, kind } }) => kind === "worker" && state !== "removed");
    return shown.filter(({ stored }) => !hasExpired(stored)).map((host) => toWorker(host, counts.get(host.stored.id)));
  }

  const saveReport = (id: HostId, report: WorkerReport): Promise<void> => save(id, (host) => ({ ...host, ...report, lastSeenAt: now() }));

  return {
    list,
    async invite({ name = "" }, url) {
      const code = randomBytes(24).toString("base64url");
      const at = now();
      const id = createId("hst", at);
      const host: StoredHost = {
        // until it connects with a name of its own
        ...{ id, kind: "worker", name: name || `worker-${id.slice(-4)}`, tags: [], capacity: 1, version: "", agents: [] },
        ...{ state: "invited", tokenHash: hash(code), expiresAt: at + invitationLifetimeMs },
        ...{ lastSeenAt: null, connectedNodeId: null, createdAt: at },
      };
      await storage.transaction(async (tx) => {
        for (const old of await tx.listHosts()) if (old.state === "invited" && hasExpired(old)) await tx.deleteHost({ id: old.id });
        await tx.insertHost(host);
      });
      await directory.reload();
      const named = name === "" ? "" : ` --name ${quote(name)}`;
      const command = `skein worker --server ${url} --token ${code}${named}`;
      return { id, code, expiresAt: at + invitationLifetimeMs, command };
    },
    limitEnrolment: async (address) => (await input.loadLimits()).beginFrom(address),
    async enrol({ code, credential, report }, address) {
      const known = await storage.read.findHost({ tokenHash: hash(credential) });
      if (known !== undefined && known.state !== "removed") {
        await (await input.loadLimits()).succeedFrom(address);
        return { id: known.id };
      }
      const id = await storage.transaction(async (tx) => {
        const invited = await tx.findHost({ tokenHash: hash(code) });
        if (invited?.state !== "invited" || hasExpired(invited)) return undefined;
        await tx.updateHost({ ...invited, ...report, state: "active", tokenHash: hash(credential), expiresAt: null });
        return invited.id;
      });
      if (id === undefined) throw new ServiceError("forbidden", { code: "worker-code-not-valid" });
      await (await input.loadLimits()).succeedFrom(address);
      await directory.reload();
      logger.info("a worker was added", { hostId: id, name: report.name });
      return { id };
    },
    async authenticate(credential) {
      const host = await storage.read.findHost({ tokenHash: hash(credential) });
      return host === undefined || (host.state !== "active" && host.state !== "draining") ? undefined : host.id;
    },
    async accept(id, channel) {
      const connected = await connectHost({
        channel,
        own: { "worker.report": async (report) => saveReport(id, workerReportSchema.parse(report)) },
      });
      const facts = z.object({ report: workerReportSchema }).safeParse(connected.facts);
      if (!facts.success) return connected.link.close("the worker did not introduce itself");
      await saveReport(id, facts.data.report);
      await storage.nodes?.claimHost({ id });
      directory.connect(id, connected);
      logger.info("a worker connected", { hostId: id, name: facts.data.report.name });
      const seeing = setInterval(() => void save(id, (host) => ({ ...host, lastSeenAt: now() })).catch(() => {}), seenEveryMs).unref();
      const reason = await connected.link.closed;
      clearInterval(seeing);
      logger.info("a worker disconnected", { hostId: id, reason });
      await save(id, (host) => ({ ...host, lastSeenAt: now() })).catch(() => {});
      // unless it is connected here again
      if (directory.findDirect(id) === undefined) await storage.nodes?.releaseHost({ id }).catch(() => {});
    },
    async synchronise() {
      await directory.reload();
      for (const { stored } of directory.list()) {
        // an earlier connection may have been given up after this one was stored
        const isMissing = stored.connectedNodeId === null && stored.state !== "removed" && directory.findDirect(stored.id) !== undefined;
        if (isMissing) await storage.nodes?.claimHost({ id: stored.id });
      }
    },
    async share(id, channel) {
      const direct = directory.findDirect(id);
      if (direct === undefined) {
        const host = directory.find(id)?.stored.name ?? id;
        channel.close("not connected");
        throw new ServiceError("unavailable", { code: "host-unreachable", host });
      }
      const link = serveHost({ host: direct.host, channel, facts: {} });
      void direct.link.closed.then(link.close);
      await link.closed;
    },
    async update(id, { state }) {
      const { state: before } = await get(id);
      if (before === "active" || before === "draining") await saveState(id, (host) => ({ ...host, state }));
      const host = directory.find(id);
      if (host === undefined) throw new ServiceError("not-found", { code: "host-not-found", host: id });
      return toWorker(host, (await countRunning()).get(id));
    },
    async remove(id) {
      const { name } = await get(id);
      // the credential is useless from now on; attempts still name the host
      await saveState(id, (host) => ({ ...host, state: "removed", tokenHash: `removed ${id}`, expiresAt: null }));
      logger.info("a worker was removed", { hostId: id, name });
    },
    async choose(choice, agent) {
      const workers = (await list()).filter(({ state }) => state === "active");
      const named = workers.filter(({ id, name }) => id === choice || name === choice);
      const found = named.length > 0 ? named : workers.filter(({ tags }) => tags.includes(choice));
      if (found.length === 0) throw new ServiceError("invalid", { code: "host-not-found", host: choice });
      const isEverywhere = findAgent(agent)?.capabilities.usesServerModels ?? false;
      const able = found.filter(({ agents }) => isEverywhere || agents.some(({ id, available }) => id === agent && available));
      const connected = able.filter(({ isConnected }) => isConnected);
      const free = ({ capacity, running, waiting: queued }: Worker): number => capacity - running - queued;
      const [best] = (connected.length > 0 ? connected : able).toSorted((a, b) => free(b) - free(a));
      if (best !== undefined) return best.id;
      throw new ServiceError("invalid", { code: "host-lacks-agent", host: found[0]?.name ?? choice, agent });
    },
    noteWaiting: (id, isWaiting) => void (isWaiting ? waiting.add(id) : waiting.delete(id)),
  };
}

/** Codes and credentials are random and long: a plain hash is enough. */
function hash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function quote(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
