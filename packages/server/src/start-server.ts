import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { locateFolder } from "@skein/agents/locate-program";
import { type ConversationMessage, findStorageFault } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { type ConnectionPeer, createLocalHost, keepProcessAlive } from "@skein/host";
import { StorageUnavailableError } from "@skein/storage";
import { type AgentRegistry, createAgentRegistry } from "./agents/agent-registry.ts";
import type { Config } from "./config/load-config.ts";
import { watchDatabase } from "./data-dir/database-watch.ts";
import { openDataDir } from "./data-dir/open-data-dir.ts";
import { type OpenedStorage, openStorage } from "./data-dir/open-storage.ts";
import { relocateWorktrees } from "./data-dir/relocate-worktrees.ts";
import { acquireServerLock } from "./data-dir/server-lock.ts";
import { readOrCreateToken } from "./data-dir/token-file.ts";
import { openUnrecordedEnds } from "./data-dir/unrecorded-ends.ts";
import { createEventHub } from "./events/event-hub.ts";
import { beginEpoch } from "./executions/begin-epoch.ts";
import { createExecutionSlots } from "./executions/execution-slots.ts";
import { createExecutionSupervisor, type ExecutionSupervisor } from "./executions/execution-supervisor.ts";
import { listNamedSecrets } from "./exports/known-secrets.ts";
import { refineFault } from "./faults/refine-fault.ts";
import { toStorageDetail } from "./faults/storage-detail.ts";
import { createStorageHealth, type StorageHealth } from "./faults/storage-health.ts";
import { createRoutingHost } from "./hosts/create-routing-host.ts";
import { createHostDirectory } from "./hosts/host-directory.ts";
import { moveAttempt } from "./hosts/move-attempt.ts";
import { createWorkerService } from "./hosts/worker-service.ts";
import { createHttpApp } from "./http/create-http-app.ts";
import { listen } from "./http/listen.ts";
import { assertSafeBinding } from "./http/security/safe-binding.ts";
import { openSessionFile } from "./http/security/session-file.ts";
import { createJobs } from "./jobs/create-jobs.ts";
import { createOwnJobs, startOwnJobs } from "./jobs/own-jobs.ts";
import { openGitLfsFiles } from "./lfs/git-lfs.ts";
import { createFileLogger } from "./logger.ts";
import { createMcpServerRegistry } from "./mcp/create-mcp-server-registry.ts";
import { listModelKeys, readModelAccess } from "./models/model-access.ts";
import type { OpenNode, OpenNodeInput } from "./open-node.ts";
import { createForgeConnections } from "./pull-requests/forge-connections.ts";
import { createRedactor, listSecrets } from "./redact-secrets.ts";
import { openRepositoryTrust } from "./repository/repository-trust.ts";
import { createBackgroundDeletion } from "./services/background-deletion.ts";
import { createServices } from "./services/create-services.ts";
import { createQuarantine } from "./services/quarantine.ts";
import { tidyDataDir } from "./services/tidy-data-dir.ts";
import { createSettingsService } from "./settings/settings-service.ts";
import { createAgentConnections } from "./team/agent-connections.ts";
import type { OwnedKeys } from "./team/owned-keys.ts";
import type { TokenAccess } from "./team/token-access.ts";
import { createToolProcessors } from "./tool-processors/tool-processors.ts";
import { version } from "./version.ts";

/** Interval for finding executions without an owner. */
const reconcileEveryMs = 60_000;

/** How long a server may be silent before others that share its database consider it lost. */
const defaultLeaseMs = 10_000;

export interface ServerOptions extends Config {
  /** The built web UI; null serves only the API. */
  webRoot: string | null;
  /** Logs uncaught errors and keeps the process running: for a process that only serves. */
  keepsProcessAlive?: boolean;
  /** When all pages of the database are read for the first time, after the start. */
  checkDatabaseAfterMs?: number;
}

export interface RunningServer {
  url: string;
  /** A single-use link that signs a browser in. */
  createLaunchUrl(): string;
  /** With users: the address to sign in at, or a link to create the first user. Undefined without. */
  findSignInUrl?(): Promise<string>;
  /** The path of a 0600 HTML file that redirects to such a link; it is removed when the link was used, or has expired. */
  createLaunchFile(): string;
  /** The bearer token for programs. */
  token: string;
  /** Why nothing can be stored, with the fix; undefined while storage works. */
  describeFault(): string | undefined;
  countRunningExecutions(): Promise<number>;
  /** Agents keep running in their runners; the next server attaches to them. */
  close(): Promise<void>;
}

/** The folder of the built web UI. */
export const defaultWebRoot = fileURLToPath(locateFolder(new URL("../../web/dist", import.meta.url), "web"));

/**
 * Starts a server. Rejects with `ServerAlreadyRunningError`, `DataDirError`, `UnsafeBindingError` or storage's own errors, each with a
 * message for the user; whatever it had opened is closed again. On a read-only disk, a data dir that has been used before is still
 * served: see `describeFault`.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  try {
    return await start(options);
  } catch (error) {
    const fault = findStorageFault(error);
    // these have their own messages, or may be about the port
    if (fault === undefined || fault === "damaged" || fault === "no-permission") throw error;
    const known = refineFault(fault, options.home);
    throw new StorageUnavailableError(known, toStorageDetail(known), { cause: error });
  }
}

async function start(options: ServerOptions): Promise<RunningServer> {
  assertSafeBinding({ host: options.host, behindProxy: options.behindProxy, tls: options.tls !== undefined });
  const dataDir = openDataDir(options.home);
  const cleanup: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of cleanup.splice(0).reverse()) await step();
  };
  try {
    const lock = acquireServerLock(dataDir.home);
    cleanup.push(() => lock.release());
    const access = readModelAccess(options, process.env);
    const forges = createForgeConnections({ home: dataDir.home, config: options, environment: process.env });
    const configured = [
      process.env,
      ...(options.mcpServers ?? []).map((server) => (server.type === "stdio" ? server.env : server.headers)),
    ];
    const secrets = [dataDir.token, ...configured.flatMap(listSecrets)];
    let agents: AgentRegistry | undefined;
    let ownedKeys: OwnedKeys | undefined;
    const listAgentSecrets = () => agents?.listVariables().flatMap(listSecrets) ?? [];
    const listKeys = () => [...listModelKeys(access), ...forges.listSecrets(), ...(ownedKeys?.listUsed() ?? [])];
    const redact = createRedactor(() => [...secrets, ...listKeys(), ...listAgentSecrets()]);
    const logger = createFileLogger(join(dataDir.home, "logs", "server.log"), redact);
    if (options.keepsProcessAlive) cleanup.push(keepProcessAlive((event, error) => logger.error(event, { error })));
    const leaseMs = options.node?.leaseSeconds === undefined ? defaultLeaseMs : options.node.leaseSeconds * 1000;
    const opened = await openStorage({
      leaseMs,
      file: dataDir.file("skein.db"),
      home: dataDir.home,
      databaseUrl: options.databaseUrl,
      logger,
      ensureLock: lock.ensure,
      checkDatabaseAfterMs: options.checkDatabaseAfterMs,
      onDamageChange: () => void storageHealth.refresh(),
    });
    cleanup.push(() => opened.close());
    const local = createLocalHost({
      home: dataDir.home,
      searchPath: process.env.PATH,
      readRunnerSecret: () => readOrCreateToken(join(dataDir.home, "runner-secret")),
    });
    const hub = createEventHub((error) => logger.error("an event listener failed", { error }));
    const node = await joinOthers({ opened, hub, host: local, home: dataDir.home, config: options, leaseMs, logger });
    if (node !== undefined) {
      cleanup.push(() => node.membership.close());
      cleanup.push(() => node.relay.close());
    }
    const storageHealth = createStorageHealth({ home: dataDir.home, storage: opened.storage, isDamaged: opened.isDamaged });
    cleanup.push(() => storageHealth.close());
    const storage = reportFaults(opened.storage, storageHealth);

    storage.onCommitted((events) => {
      for (const { seq, event } of events) hub.publish({ seq, event });
    });
    const directory = await createHostDirectory({ storage, ...(node === undefined ? {} : { openRemote: node.openRemote }) });
    const { host, locator, carrier } = await createRoutingHost({ local, directory, storage, logger });
    const workers = createWorkerService({ storage, directory, locator, logger, now: Date.now });
    const mcpServers = createMcpServerRegistry({
      home: dataDir.home,
      config: options.mcpServers ?? [],
      environment: process.env,
      host,
    });
    await relocateWorktrees({ storage, host, home: dataDir.home, logger });
    const launches = await beginEpoch({ storage, host, home: dataDir.home, logger, now: Date.now });
    // health tries to write something and gets the reason of the failure
    const reportDamage = () => void storage.transaction(async () => {}).catch(() => {});
    cleanup.push(watchDatabase({ storage, logger, onDamage: reportDamage }));
    const repositoryTrust = openRepositoryTrust({ home: dataDir.home, files: host.workspaces });
    const gitLfs = openGitLfsFiles({ home: dataDir.home, workspaces: host.workspaces });
    const toolProcessors = createToolProcessors({ folder: join(dataDir.home, "tool-processors"), logger });
    cleanup.push(() => toolProcessors.close());
    const context = {
      storage,
      hub,
      logger,
      host,
      now: Date.now,
      loadPresentTool: toolProcessors.load,
    } as const;
    const settings = createSettingsService({
      ...{ home: dataDir.home, config: options, environment: process.env, access, forges },
      checkSandbox: async () => (await import("@skein/host/sandbox-support")).checkSandboxSupport(),
    });
    const registry = createAgentRegistry({
      config: options,
      environment: process.env,
      access,
      readGeneral: settings.general,
      redact: (command) => command.map((part) => String(redact(part))),
    });
    agents = registry;
    ownedKeys =
      options.team === undefined
        ? undefined
        : (await import("./team/owned-keys.ts")).createOwnedKeys({
            ...{ storage, now: Date.now },
            secret: () => process.env.SKEIN_CLUSTER_SECRET || readOrCreateToken(join(dataDir.home, "team-secret")),
          });
    /** Our own address. Agents of the previous server are started again before it is known. */
    const listening = Promise.withResolvers<string | undefined>();
    cleanup.push(() => listening.resolve(undefined));
    const slots = createExecutionSlots({ context, readLimits: () => settings.general().limits, explainFault: storageHealth.explain });
    cleanup.push(() => slots.close());
    const supervisor = createExecutionSupervisor({
      slots,
      ...(ownedKeys === undefined ? {} : { findKeys: ownedKeys.forExecution }),
      connectAgent: createAgentConnections({
        ...{ storage, now: Date.now, findLimits: () => settings.general().agentLimits },
        // a worker reaches the server at its public address
        findUrl: async ({ hostId }) => (hostId ? options.publicUrl : await listening.promise),
      }),
      context,
      unrecorded: openUnrecordedEnds(dataDir.home),
      findAdapter: registry.find,
      mcpServers,
      repositoryTrust,
      gitLfs,
      launches,
      toolTimeoutMs: () => settings.general().toolTimeoutMinutes * 60_000,
      readGeneral: settings.general,
      explainFault: storageHealth.explain,
      noteWaiting: workers.noteWaiting,
    });
    cleanup.push(() => supervisor.close());
    const resumeHost = () =>
      void supervisor.resumeHost().catch((error: unknown) => logger.error("executions on a worker could not be resumed", { error }));
    cleanup.push(directory.onChange(resumeHost));
    if (node !== undefined) {
      const { keepMirrors } = await import("./hosts/keep-mirrors.ts");
      cleanup.push(keepMirrors({ storage, local, directory, locator, carrier, owns: supervisor.owns, logger }));
    }
    const quarantine = createQuarantine({ ...context, supervisor, launches });
    const backgroundDeletion = createBackgroundDeletion({ storage, host, logger });
    cleanup.push(() => backgroundDeletion.close());
    const jobs = createJobs({ storage, handlers: createOwnJobs({ storage, now: Date.now }), logger, now: Date.now });
    cleanup.push(() => jobs.close());
    const services = createServices({
      ...context,
      jobs,
      ...(ownedKeys === undefined ? {} : { findKeys: ownedKeys.find }),
      backgroundDeletion,
      quarantine,
      launches,
      storageHealth,
      home: dataDir.home,
      node: node && { ...node, ownDeliveries: () => supervisor.liveDeliveries({}) },
      version,
      supervisor: node === undefined ? supervisor : showRemote(supervisor, node.relay),
      mcpServers,
      repositoryTrust,
      gitLfs,
      agents: registry,
      slots,
      workers,
      moveAttempt: (attempt, to) => moveAttempt({ context, supervisor, local, directory, locator, carrier }, attempt, to),
      settings,
      forges,
      redact: (text) => String(redact(text)),
      exports: {
        listSecrets: () => ({
          secrets: [
            ...[...configured, ...(agents?.listVariables() ?? [])].flatMap((variables) => listNamedSecrets(variables ?? {})),
            ...[dataDir.token, ...listKeys()].map((value) => ({ value })),
          ],
          homes: [homedir(), process.env.HOME ?? ""],
          userName: findUserName(),
        }),
        readPage: () => readIfThere(join(options.webRoot ?? defaultWebRoot, "export-page.html")),
      },
      pullRequestPollMs: options.pullRequestPollSeconds === undefined ? undefined : options.pullRequestPollSeconds * 1000,
      toolProcessors,
    });
    cleanup.push(() => services.pullRequests.close());
    cleanup.push(() => services.imports.close());

    let origins: string[] = [];
    let tokenAccess: Promise<TokenAccess> | undefined;
    const loadTokens = (): Promise<TokenAccess> => {
      tokenAccess ??= import("./team/token-access.ts").then(({ createTokenAccess }) =>
        createTokenAccess({ storage, hub, services, logger, now: Date.now }),
      );
      return tokenAccess;
    };
    const isAgent = async (peer: ConnectionPeer) => {
      const running = (await storage.read.listRunningExecutions()).map(({ id }) => id);
      return (await host.executions.findPeer({ peer, running })) !== null;
    };
    const { team: settingsOfTeam } = options;
    const team =
      settingsOfTeam === undefined || ownedKeys === undefined
        ? undefined
        : await (await import("./team/create-team.ts")).createTeam({
            ...{ storage, hub, services, logger, settings: settingsOfTeam, keys: ownedKeys, now: Date.now },
            origin: () => origins[0] ?? "http://localhost",
          });
    const internalUrls = options.node?.internalUrl === undefined ? [] : [options.node.internalUrl];
    const http = createHttpApp({
      team,
      loadTokens,
      isAgent,
      behindProxy: options.behindProxy,
      services,
      token: dataDir.token,
      instanceId: createHash("sha256")
        .update(node?.http.secret ?? dataDir.token)
        .digest("hex"),
      ...(node === undefined ? {} : { nodes: node.http }),
      allowedHosts: () => [...origins, ...internalUrls].map((origin) => new URL(origin).host),
      origins: () => origins,
      secureCookie: (options.publicUrl ?? "").startsWith("https:") || options.tls !== undefined,
      sessionStore: node?.sessionStore ?? openSessionFile(dataDir.file("sessions.json"), logger),
      launchFolder: () => dataDir.folder("run"),
      webRoot: options.webRoot,
      version,
      logger,
    });
    const tls = options.tls && { cert: readFileSync(options.tls.certFile, "utf8"), key: readFileSync(options.tls.keyFile, "utf8") };
    // before an agent may start in such a folder
    await services.branches
      .recover()
      .catch((error: unknown) => logger.error("an operation that was cut off could not be completed", { error }));
    await Promise.all([supervisor.resume(), storageHealth.check()]);
    const reconcile = () =>
      Promise.all([supervisor.reconcile(), quarantine.hasRunning() ? quarantine.sweep() : undefined]).catch((error: unknown) =>
        logger.error("running executions could not be checked", { error }),
      );
    const reconciling = setInterval(() => void reconcile(), reconcileEveryMs).unref();
    cleanup.push(() => clearInterval(reconciling));
    const listener = await listen({ http, host: options.host, port: options.port, tls });
    cleanup.push(() => listener.close());
    // before the listener, which waits for connections
    cleanup.push(() => directory.close());
    const ownOrigins = toListeningOrigins(options, listener.port);
    origins = options.publicUrl === undefined ? ownOrigins : [new URL(options.publicUrl).origin, ...ownOrigins];
    listening.resolve(ownOrigins[0]);
    await node?.membership.announce(internalUrls[0] ?? ownOrigins[0] ?? "");
    await node?.start(supervisor, workers);
    jobs.start();
    const closing = new AbortController();
    const declared = startOwnJobs({ storage, jobs, signal: closing.signal }).catch((error: unknown) =>
      logger.error("jobs could not be stored", { error }),
    );
    cleanup.push(() => {
      closing.abort();
      return declared;
    });
    backgroundDeletion.start();
    services.pullRequests.watch();
    services.imports.watch();
    // nobody waits for it
    const tidied = tidyDataDir({ storage, host, quarantine, home: dataDir.home, logger, now: Date.now }).catch((error: unknown) =>
      logger.warn("the data dir could not be cleaned up", { error }),
    );
    cleanup.push(() => tidied);
    // for programs on this machine, which need no proxy
    const publishUrl = () => lock.setUrl(ownOrigins[0] ?? "");
    publishUrl();
    storageHealth.onChange((fault) => {
      if (fault !== undefined) return logger.error("storage is not writable", { fault });
      logger.info("storage is writable again");
      publishUrl();
      void reconcile();
    });
    const { createLaunchUrl, createLaunchFile } = http;
    const describeFault = () => storageHealth.fault && toStorageDetail(storageHealth.fault);
    const countRunningExecutions = async () => (await storage.read.listRunningExecutions({ isOwn: true })).length;
    const { token } = dataDir;
    const signIn = team === undefined ? {} : { findSignInUrl: team.signIns.link };
    return { url: origins[0] ?? "", ...signIn, createLaunchUrl, createLaunchFile, token, describeFault, countRunningExecutions, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Undefined for a user without an entry, as in a container. */
function findUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

const readIfThere = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(() => undefined);

/** Clients also get what agents of other servers show before it is committed. */
function showRemote(supervisor: ExecutionSupervisor, relay: OpenNode["relay"]): ExecutionSupervisor {
  return {
    ...supervisor,
    liveMessages: (attemptId) => newest([...supervisor.liveMessages(attemptId), ...relay.messages(attemptId)]),
    liveDeliveries: (query) => [...supervisor.liveDeliveries(query), ...relay.deliveries(query)],
  };
}

/** An execution that this server continues may have been shown by the one before. */
function newest(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const byId = new Map<string, ConversationMessage>();
  for (const message of messages) {
    const known = byId.get(message.id);
    if (known === undefined || known.revision < message.revision) byId.set(message.id, message);
  }
  return [...byId.values()];
}

/** Loaded only if several servers can share the database. */
async function joinOthers({
  opened,
  ...input
}: { opened: OpenedStorage } & Omit<OpenNodeInput, "storage" | "nodes">): Promise<OpenNode | undefined> {
  const { storage } = opened;
  if (storage.nodes === undefined) return undefined;
  const { openNode } = await import("./open-node.ts");
  return openNode({ ...input, storage, nodes: storage.nodes });
}

/** A transaction that fails because of a machine fault triggers a check of the disk. */
function reportFaults(storage: Storage, health: StorageHealth): Storage {
  return {
    ...storage,
    async transaction(work, options) {
      try {
        return await storage.transaction(work, options);
      } catch (error) {
        void health.explain(error);
        throw error;
      }
    },
  };
}

/** The addresses it answers to on this machine, the one to show first. Default ports are left out, as browsers do. */
function toListeningOrigins(options: ServerOptions, port: number): string[] {
  const scheme = options.tls === undefined ? "http" : "https";
  const names = options.host === "127.0.0.1" || options.host === "localhost" ? ["127.0.0.1", "localhost"] : [options.host];
  return names.map((name) => new URL(`${scheme}://${name.includes(":") ? `[${name}]` : name}:${port}`).origin);
}
