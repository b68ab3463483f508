import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type AgentInfo, findStorageFault, type HostId, type WorkerReport } from "@skein/contracts";
import { isLoopback } from "@skein/engine";
import {
  createLocalHost,
  type Host,
  type HostAgents,
  keepProcessAlive,
  type Link,
  openWebSocket,
  serveHost,
  toAgentEnvironment,
  WebSocketRefusedError,
} from "@skein/host";
import { z } from "zod";
import { type AgentRegistry, createAgentRegistry } from "../agents/agent-registry.ts";
import { loadConfig } from "../config/load-config.ts";
import { DataDirError } from "../data-dir/data-dir-error.ts";
import { openDataDir } from "../data-dir/open-data-dir.ts";
import { acquireServerLock } from "../data-dir/server-lock.ts";
import { readOrCreateToken } from "../data-dir/token-file.ts";
import { createFileLogger, type Logger } from "../logger.ts";
import { readModelAccess } from "../models/model-access.ts";
import { createRedactor, listSecrets } from "../redact-secrets.ts";
import { version } from "../version.ts";
import { createCredential, hashCode, readWorkerFile, type WorkerFile, writeWorkerFile } from "./worker-file.ts";
import { createWorkerHost } from "./worker-host.ts";

const firstDelayMs = 500;
const longestDelayMs = 30_000;
const handshakeTimeoutMs = 8000;
const refreshAgentsMs = 10 * 60_000;
const tidyMs = 60 * 60_000;
const filesAtOnce = 500;

export interface WorkerOptions {
  /** The worker's own data dir. */
  home: string;
  /** Addresses of servers that share a database; it connects to one of them. Default: those of the last start. */
  servers?: readonly string[] | undefined;
  /** The code of an invitation; needed for the first start. */
  token?: string | undefined;
  name?: string | undefined;
  tags?: readonly string[] | undefined;
  /** Concurrent executions. Default: 4. */
  capacity?: number | undefined;
  /** Allows http to a server that is not on this machine: everything, keys included, can then be read on the way. */
  allowsHttp?: boolean | undefined;
  onState(state: WorkerState): void;
}

/** What a worker reports to its user. `removed` is the last. */
export type WorkerState =
  | { type: "connected"; id: HostId; server: string }
  | { type: "disconnected"; reason: string; retryMs: number }
  | { type: "removed" };

export interface RunningWorker {
  /** Resolves when the server has removed the worker, or it was closed. */
  readonly ended: Promise<void>;
  /** Agents keep running in their runners; the next start of the worker attaches to them. */
  close(): Promise<void>;
}

/**
 * Starts a worker: it connects to its server, again after each lost connection, and serves this machine. Rejects with `DataDirError` for
 * what the user has to fix.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { home } = openDataDir(options.home);
  const lock = acquireServerLock(home);
  const config = loadConfig({ home });
  const redact = createRedactor(() => [process.env].flatMap(listSecrets));
  const logger = createFileLogger(join(home, "logs", "worker.log"), redact);
  const stopKeeping = keepProcessAlive((event, error) => logger.error(event, { error }));
  const ending = new AbortController();
  const release = (): void => {
    stopKeeping();
    lock.release();
  };
  try {
    const file = await enrol(options, { home, logger });
    const { credential, id, name = hostname(), tags = [], capacity = 4 } = file;
    const registry = createAgentRegistry({
      ...{ config, environment: process.env, access: readModelAccess(config, process.env) },
      readGeneral: () => {
        throw new Error("the settings of models are the server's");
      },
      redact: (command) => command.map((part) => String(redact(part))),
    });
    const agents = createHostAgents(registry);
    const local = createLocalHost({
      ...{ home, searchPath: process.env.PATH, agents },
      readRunnerSecret: () => readOrCreateToken(join(home, "runner-secret")),
    });
    const host = createWorkerHost({ local, home, name, capacity });
    const report = async (refresh: boolean): Promise<WorkerReport> => ({
      ...{ name, tags: [...tags], capacity, version, agents: await agents.list({ refresh }) },
    });
    const tidying = setInterval(() => void tidy(local, logger), tidyMs).unref();
    void tidy(local, logger);
    const ended = keepConnected({ servers: listServers(file), credential, id, host, report, ending: ending.signal, logger, options })
      .finally(() => clearInterval(tidying))
      .finally(release);
    return {
      ended,
      async close() {
        ending.abort();
        await ended;
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Exchanges the code of an invitation. The credential is on disk before it is sent: a lost answer loses nothing. */
async function enrol(options: WorkerOptions, { home, logger }: { home: string; logger: Logger }): Promise<WorkerFile & { id: HostId }> {
  const known = readWorkerFile(home);
  const named = options.servers === undefined || options.servers.length === 0 ? known && listServers(known) : options.servers;
  const [server, ...others] = toServers(named, options.allowsHttp ?? false);
  const code = options.token === undefined ? undefined : hashCode(options.token);
  const isKnown = known !== undefined && listServers(known).some((one) => one === server || others.includes(one));
  const isSame = isKnown && (code === undefined || known.code === code);
  const chosen = {
    ...(known === undefined ? {} : pickSettings(known)),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.tags === undefined ? {} : { tags: [...options.tags] }),
    ...(options.capacity === undefined ? {} : { capacity: options.capacity }),
    server,
    ...(others.length === 0 ? {} : { others }),
  };
  // a unit file may name the code of the first start for good
  if (isSame && known.id !== undefined) {
    const { id, credential } = known;
    const file = { ...chosen, credential, id, ...(known.code === undefined ? {} : { code: known.code }) };
    saveSettings(home, { known, file, logger });
    return file;
  }
  if (options.token === undefined || code === undefined) {
    throw new DataDirError(
      "This worker is not known to a server yet. Run on the server: skein workers invite. Then start the worker with its --token.",
    );
  }
  const draft: WorkerFile = { ...chosen, credential: isSame ? known.credential : createCredential(), code };
  // a former credential stays on disk until the new one is accepted
  if (known?.id === undefined) writeWorkerFile(home, draft);
  const { name = hostname(), tags = [], capacity = 4 } = draft;
  const body = { code: options.token, credential: draft.credential, report: { name, tags, capacity, version } };
  const response = await requestEnrolment([server, ...others], body);
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    const { detail } = z
      .object({ detail: z.string() })
      .catch({ detail: `${server} answered ${response.status}.` })
      .parse(answer);
    throw new DataDirError(detail);
  }
  const accepted = { ...draft, id: z.object({ id: z.string() }).parse(answer).id as HostId };
  writeWorkerFile(home, accepted);
  return accepted;
}

/** On a full or read-only disk a known worker has to connect, too: an agent on it may have to be stopped. */
function saveSettings(home: string, { known, file, logger }: { known: WorkerFile; file: WorkerFile; logger: Logger }): void {
  if (isDeepStrictEqual(known, file)) return;
  try {
    writeWorkerFile(home, file);
  } catch (error) {
    if (findStorageFault(error) === undefined) throw error;
    logger.warn("the worker's settings could not be stored: they apply until its next start", { error });
  }
}

/** Asks the first server that can be reached. */
async function requestEnrolment(servers: readonly string[], body: unknown): Promise<Response> {
  let failure: DataDirError | undefined;
  for (const server of servers) {
    try {
      return await fetch(new URL("/api/workers/enrolments", server), {
        ...{ method: "POST", redirect: "error", headers: { "content-type": "application/json" } },
        ...{ body: JSON.stringify(body), signal: AbortSignal.timeout(handshakeTimeoutMs) },
      });
    } catch (cause) {
      failure ??= new DataDirError(`The server at ${server} cannot be reached: ${explain(cause)}`, { cause });
    }
  }
  throw failure ?? new DataDirError(noServer);
}

const listServers = ({ server, others = [] }: WorkerFile): string[] => [server, ...others];

const pickSettings = ({ name, tags, capacity }: WorkerFile): Pick<WorkerFile, "name" | "tags" | "capacity"> => ({
  ...(name === undefined ? {} : { name }),
  ...(tags === undefined ? {} : { tags }),
  ...(capacity === undefined ? {} : { capacity }),
});

const noServer = "Name the server: skein worker --server https://… --token …";

function toServers(given: readonly string[] | undefined, allowsHttp: boolean): [string, ...string[]] {
  const [first, ...others] = new Set((given ?? []).map((one) => toServer(one, allowsHttp)));
  if (first === undefined) throw new DataDirError(noServer);
  return [first, ...others];
}

/** Plain http only to this machine: provider keys and files would be readable on the way. */
function toServer(given: string, allowsHttp: boolean): string {
  if (!URL.canParse(given)) throw new DataDirError(`${given} is not an address. Write it with https://.`);
  const { protocol, hostname: name, origin } = new URL(given);
  if (protocol === "https:" || (protocol === "http:" && (isLoopback(name) || allowsHttp))) return origin;
  if (protocol !== "http:") throw new DataDirError(`${given} is not an address with https://.`);
  throw new DataDirError(`${given} is not encrypted. Use https://, or, in a network that you trust, add --allow-http.`);
}

function toLinkUrl(server: string): string {
  return new URL("/api/workers/link", server.replace(/^http/, "ws")).href;
}

async function keepConnected(input: {
  servers: readonly string[];
  credential: string;
  id: HostId;
  host: Host;
  report(refresh: boolean): Promise<WorkerReport>;
  ending: AbortSignal;
  logger: Logger;
  options: Pick<WorkerOptions, "onState">;
}): Promise<void> {
  const { servers, credential, id, host, report, ending, logger, options } = input;
  let failures = 0;
  for (let tries = 0; !ending.aborted; tries++) {
    const server = servers[tries % servers.length] ?? "";
    let reason: string;
    try {
      const headers = { authorization: `Bearer ${credential}` };
      const channel = await openWebSocket({ url: toLinkUrl(server), headers, timeoutMs: handshakeTimeoutMs });
      const link = serveHost({ host, channel, facts: { report: await report(false), knowsOthers: servers.length > 1 } });
      const stop = (): void => link.close("the worker is closing");
      ending.addEventListener("abort", stop);
      await link.opened;
      failures = 0;
      options.onState({ type: "connected", id, server });
      const refreshing = refreshAgents(link, report, logger);
      reason = await link.closed.finally(() => {
        clearInterval(refreshing);
        ending.removeEventListener("abort", stop);
      });
    } catch (error) {
      reason = explain(error);
    }
    if (ending.aborted) return;
    logger.info("not connected to the server", { server, reason });
    if (reason === "removed") {
      await stopAgents(host, logger);
      options.onState({ type: "removed" });
      return;
    }
    failures++;
    // the others are tried at once, before it waits longer
    const rounds = Math.floor(failures / servers.length);
    const longest = rounds === 0 ? firstDelayMs : Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(rounds, 10));
    // a server that restarts must not get all its workers at the same moment
    const retryMs = Math.round(longest * (0.5 + Math.random() / 2));
    options.onState({ type: "disconnected", reason, retryMs });
    await wait(retryMs, undefined, { signal: ending }).catch(() => {});
  }
}

/** Agents that are installed or updated later are reported. */
function refreshAgents(link: Link, report: (refresh: boolean) => Promise<WorkerReport>, logger: Logger): NodeJS.Timeout {
  const refresh = async (): Promise<void> => void (await link.call("worker.report", [await report(true)]));
  return setInterval(
    () => void refresh().catch((error: unknown) => logger.warn("agents could not be reported", { error })),
    refreshAgentsMs,
  ).unref();
}

/** The server has given up what runs here. */
async function stopAgents({ executions }: Host, logger: Logger): Promise<void> {
  for (const id of await executions.listSockets()) {
    if (await executions.isRunning({ id }))
      await executions.kill({ id }).catch((error: unknown) => logger.warn("an agent could not be stopped", { error }));
  }
}

/** Deletes what the server has marked as deleted. */
async function tidy({ executions, workspaces }: Host, logger: Logger): Promise<void> {
  try {
    for (const id of await executions.listStored()) if (await executions.isMarkedDeleted({ id })) await executions.removeStored({ id });
    for (let hasMore = true; hasMore; ) ({ hasMore } = await workspaces.emptyTrash({ limit: filesAtOnce }));
  } catch (error) {
    logger.warn("the data dir could not be cleaned up", { error });
  }
}

function createHostAgents(registry: AgentRegistry): HostAgents {
  return {
    async list({ refresh }) {
      if (refresh) registry.reload();
      const all = await Promise.all([...registry.adapters.values()].map((adapter) => registry.describe(adapter, { refresh })));
      return all.map((info) => toReported(info, registry.find(info.id)?.capabilities.usesServerModels ?? false));
    },
    async getProgram({ agent }) {
      const adapter = registry.find(agent);
      if (adapter?.getProgram === undefined) throw new Error(`This worker has no agent ${agent}.`);
      return adapter.getProgram({ environment: toAgentEnvironment(process.env) });
    },
  };
}

/** The server has its own settings of models, and shows no commands of other machines. */
function toReported({ added: _added, missing: _missing, ...info }: AgentInfo, usesServerModels: boolean): AgentInfo {
  return usesServerModels ? { ...info, models: [], available: true } : { ...info, models: info.models.slice(0, 100) };
}

function explain(error: unknown): string {
  if (error instanceof WebSocketRefusedError) {
    const parsed = z.object({ detail: z.string() }).safeParse(parseJson(error.body));
    return parsed.success ? parsed.data.detail : error.message;
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
