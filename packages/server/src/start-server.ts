import { readFileSync } from "node:fs";
import { findStorageFault } from "@skein/contracts";
import { StorageUnavailableError } from "@skein/storage";
import { refineFault } from "./faults/refine-fault.ts";
import { toStorageDetail } from "./faults/storage-detail.ts";
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
    return await start(options, cleanup);
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
  // for programs on this machine, which need no proxy; but a certificate is for the public name
  const localUrl = options.tls === undefined ? ownUrl : (origins[0] ?? "");
  core.announceUrl(localUrl);
  await node?.membership.announce(options.node?.internalUrl ?? ownUrl);
  await node?.start({ ...core, directory });
  beginBackgroundWork(foundation, core, cleanup);
  const publishUrl = () => lock.setUrl(localUrl);
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
