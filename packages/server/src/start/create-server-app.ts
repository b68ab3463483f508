import { createHash } from "node:crypto";
import type { ConnectionPeer } from "@skein/host";
import { createHttpApp, type SkeinHttp } from "../http/create-http-app.ts";
import { openSessionFile } from "../http/security/session-file.ts";
import type { TeamService } from "../team/team-service.ts";
import type { TokenAccess } from "../team/token-access.ts";
import { version } from "../version.ts";
import type { Core } from "./create-core.ts";
import type { Foundation } from "./open-foundation.ts";
import type { ServerOptions } from "./server-options.ts";

/** The HTTP API of a server, and its users. `origins`: known once the server listens. */
export async function createServerApp(
  options: ServerOptions,
  foundation: Foundation,
  core: Core,
  origins: () => readonly string[],
): Promise<{ http: SkeinHttp; team: TeamService | undefined }> {
  const { dataDir, storage, node, host, hub, logger } = foundation;
  const { services, ownedKeys } = core;
  let tokenAccess: Promise<TokenAccess> | undefined;
  const loadTokens = (): Promise<TokenAccess> => {
    tokenAccess ??= import("../team/token-access.ts").then(({ createTokenAccess }) =>
      createTokenAccess({ storage, hub, services, logger, now: Date.now }),
    );
    return tokenAccess;
  };
  const isAgent = async (peer: ConnectionPeer) => {
    const running = (await storage.read.listRunningExecutions()).map(({ id }) => id);
    return (await host.executions.findPeer({ peer, running })) !== null;
  };
  const team =
    options.team === undefined || ownedKeys === undefined
      ? undefined
      : await (await import("../team/create-team.ts")).createTeam({
          ...{ storage, hub, services, logger, settings: options.team, keys: ownedKeys, now: Date.now },
          origin: () => origins()[0] ?? "http://localhost",
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
    allowedHosts: () => [...origins(), ...internalUrls].map((origin) => new URL(origin).host),
    origins,
    secureCookie: (options.publicUrl ?? "").startsWith("https:") || options.tls !== undefined,
    sessionStore: node?.sessionStore ?? openSessionFile(dataDir.file("sessions.json"), logger),
    launchFolder: () => dataDir.folder("run"),
    webRoot: options.webRoot,
    version,
    renderMetrics: core.renderMetrics,
    logger,
  });
  return { http, team };
}
