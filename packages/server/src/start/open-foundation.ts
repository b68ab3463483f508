import { join } from "node:path";
import type { Storage } from "@skein/engine";
import { createLocalHost, type Host, keepProcessAlive } from "@skein/host";
import { type DataDir, openDataDir } from "../data-dir/open-data-dir.ts";
import { type OpenedStorage, openStorage } from "../data-dir/open-storage.ts";
import { acquireServerLock, type ServerLock } from "../data-dir/server-lock.ts";
import { readOrCreateToken } from "../data-dir/token-file.ts";
import { createEventHub, type EventHub } from "../events/event-hub.ts";
import { createStorageHealth, type StorageHealth } from "../faults/storage-health.ts";
import { createRoutingHost, type RoutingHost } from "../hosts/create-routing-host.ts";
import { createHostDirectory, type HostDirectory } from "../hosts/host-directory.ts";
import { createFileLogger, type Logger } from "../logger.ts";
import { type ModelAccess, readModelAccess } from "../models/model-access.ts";
import type { OpenNode, OpenNodeInput } from "../open-node.ts";
import { createForgeConnections, type ForgeConnections } from "../pull-requests/forge-connections.ts";
import { refuseWithoutTeam } from "../team/refuse-without-team.ts";
import type { Cleanup } from "./cleanup.ts";
import type { ServerOptions } from "./server-options.ts";
import { createServerSecrets, type ServerSecrets } from "./server-secrets.ts";

/** How long a server may be silent before others that share its database consider it lost. */
const defaultLeaseMs = 10_000;

/** What everything else in a server depends on: its data dir and log, the database, the hosts, and the servers it shares them with. */
export interface Foundation extends RoutingHost {
  dataDir: DataDir;
  lock: ServerLock;
  access: ModelAccess;
  forges: ForgeConnections;
  secrets: ServerSecrets;
  logger: Logger;
  storage: Storage;
  storageHealth: StorageHealth;
  hub: EventHub;
  /** Only if several servers can share the database. */
  node: OpenNode | undefined;
  directory: HostDirectory;
  /** The server's own machine. */
  local: Host;
}

export async function openFoundation(options: ServerOptions, cleanup: Cleanup): Promise<Foundation> {
  const dataDir = openDataDir(options.home);
  const { home } = dataDir;
  const lock = acquireServerLock(home);
  cleanup.add(() => lock.release());
  const access = readModelAccess(options, process.env);
  const forges = createForgeConnections({ home, config: options, environment: process.env });
  const secrets = createServerSecrets({ config: options, token: dataDir.token, access, forges });
  const logger = createFileLogger(join(home, "logs", "server.log"), secrets.redact);
  if (options.keepsProcessAlive) cleanup.add(keepProcessAlive((event, error) => logger.error(event, { error })));
  const leaseMs = options.node?.leaseSeconds === undefined ? defaultLeaseMs : options.node.leaseSeconds * 1000;
  const opened = await openStorage({
    leaseMs,
    file: dataDir.file("skein.db"),
    home,
    databaseUrl: options.databaseUrl,
    logger,
    ensureLock: lock.ensure,
    checkDatabaseAfterMs: options.checkDatabaseAfterMs,
    onDamageChange: () => void storageHealth.refresh(),
  });
  cleanup.add(() => opened.close());
  if (options.team === undefined) await refuseWithoutTeam(opened.storage);
  const local = createLocalHost({
    home,
    searchPath: process.env.PATH,
    readRunnerSecret: () => readOrCreateToken(join(home, "runner-secret")),
  });
  const hub = createEventHub((error) => logger.error("an event listener failed", { error }));
  const node = await joinOthers({ opened, hub, host: local, home, config: options, leaseMs, logger });
  if (node !== undefined) {
    cleanup.add(() => node.membership.close());
    cleanup.add(() => node.relay.close());
  }
  const storageHealth = createStorageHealth({ home, storage: opened.storage, isDamaged: opened.isDamaged });
  cleanup.add(() => storageHealth.close());
  const reporting = reportFaults(opened.storage, storageHealth);
  const storage = options.team === undefined ? reporting : (await import("../team/audit-alongside.ts")).withAudit(reporting);
  storage.onCommitted((events) => {
    for (const { seq, event } of events) hub.publish({ seq, event });
  });
  const directory = await createHostDirectory({ storage, ...(node === undefined ? {} : { openRemote: node.openRemote }) });
  const routing = await createRoutingHost({ local, directory, storage, logger });
  return { dataDir, lock, access, forges, secrets, logger, storage, storageHealth, hub, node, directory, local, ...routing };
}

/** Loaded only if several servers can share the database. */
async function joinOthers({
  opened,
  ...input
}: { opened: OpenedStorage } & Omit<OpenNodeInput, "storage" | "nodes">): Promise<OpenNode | undefined> {
  const { storage } = opened;
  if (storage.nodes === undefined) return undefined;
  const { openNode } = await import("../open-node.ts");
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
