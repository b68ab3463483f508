import { readFileSync } from "node:fs";
import { findStorageFault } from "@skein/contracts";
import { StorageUnavailableError } from "@skein/storage";
import { refineFault } from "./faults/refine-fault.ts";
import { toStorageDetail } from "./faults/storage-detail.ts";
<<<<<<< HEAD
import { createStorageHealth, type StorageHealth } from "./faults/storage-health.ts";
import { createAttemptCreations } from "./hosts/attempt-creations.ts";
import { createRoutingHost } from "./hosts/create-routing-host.ts";
import { createHostDirectory } from "./hosts/host-directory.ts";
import { moveAttempt } from "./hosts/move-attempt.ts";
import { createWorkerService } from "./hosts/worker-service.ts";
import { createHttpApp } from "./http/create-http-app.ts";
=======
>>>>>>> main
import { listen } from "./http/listen.ts";
import { assertSafeBinding } from "./http/security/safe-binding.ts";
import { beginBackgroundWork, continueExecutions } from "./start/begin-work.ts";
import { type Cleanup, createCleanup } from "./start/cleanup.ts";
import { createCore } from "./start/create-core.ts";
import { createServerApp } from "./start/create-server-app.ts";
import { openFoundation } from "./start/open-foundation.ts";
import type { ServerOptions } from "./start/server-options.ts";

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

/**
 * Starts a server. Rejects with `ServerAlreadyRunningError`, `DataDirError`, `UnsafeBindingError` or storage's own errors, each with a
 * message for the user; whatever it had opened is closed again. On a read-only disk, a data dir that has been used before is still
 * served: see `describeFault`.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  assertSafeBinding({ host: options.host, behindProxy: options.behindProxy, tls: options.tls !== undefined });
  const cleanup = createCleanup();
  try {
<<<<<<< HEAD
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
    const creations = createAttemptCreations({
      ...{ storage, logger, hasRepository: locator.hasRepository },
      listPlaces: () => [{ hostId: null, host: local }, ...directory.listConnected()],
    });
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
    const settings = createSettingsService({ home: dataDir.home, config: options, environment: process.env, access, forges });
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
    cleanup.push(directory.onChange((id) => void (directory.find(id)?.connection && creations.recover())));
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
      creations,
      moveAttempt: (attempt, to) => moveAttempt({ context, supervisor, local, directory, locator, carrier, creations }, attempt, to),
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
      Promise.all([supervisor.reconcile(), creations.recover(), quarantine.hasRunning() ? quarantine.sweep() : undefined]).catch(
        (error: unknown) => logger.error("running executions could not be checked", { error }),
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
    void creations.recover();
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
=======
    return await start(options, cleanup);
>>>>>>> main
  } catch (error) {
    await cleanup.run();
    throw explainStorage(error, options.home);
  }
}

async function start(options: ServerOptions, cleanup: Cleanup): Promise<RunningServer> {
  const foundation = await openFoundation(options, cleanup);
  const { dataDir, lock, logger, storage, storageHealth, node, directory } = foundation;
  const core = await createCore(options, foundation, cleanup);
  let origins: readonly string[] = [];
  const { http, team } = await createServerApp(options, foundation, core, () => origins);
  const tls = options.tls && { cert: readFileSync(options.tls.certFile, "utf8"), key: readFileSync(options.tls.keyFile, "utf8") };
  const reconcile = await continueExecutions(foundation, core, cleanup);
  const listener = await listen({ http, host: options.host, port: options.port, tls });
  cleanup.add(() => listener.close());
  // before the listener, which waits for connections
  cleanup.add(() => directory.close());
  const ownOrigins = toListeningOrigins(options, listener.port);
  const ownUrl = ownOrigins[0] ?? "";
  origins = options.publicUrl === undefined ? ownOrigins : [new URL(options.publicUrl).origin, ...ownOrigins];
  core.announceUrl(ownUrl);
  await node?.membership.announce(options.node?.internalUrl ?? ownUrl);
  await node?.start(core.supervisor, core.workers);
  beginBackgroundWork(foundation, core, cleanup);
  // for programs on this machine, which need no proxy
  const publishUrl = () => lock.setUrl(ownUrl);
  publishUrl();
  storageHealth.onChange((fault) => {
    if (fault !== undefined) return logger.error("storage is not writable", { fault });
    logger.info("storage is writable again");
    publishUrl();
    void reconcile();
  });
  return {
    url: origins[0] ?? "",
    ...(team === undefined ? {} : { findSignInUrl: team.signIns.link }),
    createLaunchUrl: http.createLaunchUrl,
    createLaunchFile: http.createLaunchFile,
    token: dataDir.token,
    describeFault: () => storageHealth.fault && toStorageDetail(storageHealth.fault),
    countRunningExecutions: async () => (await storage.read.listRunningExecutions({ isOwn: true })).length,
    close: cleanup.run,
  };
}

/** Names the cause and the remedy of an error of the disk or the database. */
function explainStorage(error: unknown, home: string): unknown {
  const fault = findStorageFault(error);
  // these have their own messages, or may be about the port
  if (fault === undefined || fault === "damaged" || fault === "no-permission") return error;
  const known = refineFault(fault, home);
  return new StorageUnavailableError(known, toStorageDetail(known), { cause: error });
}

/** The addresses it answers to on this machine, the one to show first. Default ports are left out, as browsers do. */
function toListeningOrigins(options: ServerOptions, port: number): string[] {
  const scheme = options.tls === undefined ? "http" : "https";
  const names = options.host === "127.0.0.1" || options.host === "localhost" ? ["127.0.0.1", "localhost"] : [options.host];
  return names.map((name) => new URL(`${scheme}://${name.includes(":") ? `[${name}]` : name}:${port}`).origin);
}
