import { homedir, userInfo } from "node:os";
import type { AgentRegistry } from "../agents/agent-registry.ts";
import type { Config } from "../config/load-config.ts";
import { listNamedSecrets } from "../exports/known-secrets.ts";
import { listModelKeys, type ModelAccess } from "../models/model-access.ts";
import type { ForgeConnections } from "../pull-requests/forge-connections.ts";
import { createRedactor, listSecrets } from "../redact-secrets.ts";
import type { ExportEnvironment } from "../services/service-context.ts";
import type { OwnedKeys } from "../team/owned-keys.ts";

/** The secrets that a server knows: kept out of its log, and of exports. */
export interface ServerSecrets {
  redact: ReturnType<typeof createRedactor>;
  listForExports: ExportEnvironment["listSecrets"];
  /** Adds those of agents and users, which are known only after the log was opened. */
  include(sources: { agents: Pick<AgentRegistry, "listVariables">; ownedKeys: Pick<OwnedKeys, "listUsed"> | undefined }): void;
}

export function createServerSecrets(input: {
  config: Config;
  token: string;
  access: ModelAccess;
  forges: Pick<ForgeConnections, "listSecrets">;
}): ServerSecrets {
  const { config, token, access, forges } = input;
  const configured = [process.env, ...(config.mcpServers ?? []).map((server) => (server.type === "stdio" ? server.env : server.headers))];
  const fixed = [token, ...configured.flatMap(listSecrets)];
  let sources: Partial<Parameters<ServerSecrets["include"]>[0]> = {};
  const listVariables = () => sources.agents?.listVariables() ?? [];
  const listKeys = () => [...listModelKeys(access), ...forges.listSecrets(), ...(sources.ownedKeys?.listUsed() ?? [])];
  return {
    redact: createRedactor(() => [...fixed, ...listKeys(), ...listVariables().flatMap(listSecrets)]),
    listForExports: () => ({
      secrets: [
        ...[...configured, ...listVariables()].flatMap((variables) => listNamedSecrets(variables ?? {})),
        ...[token, ...listKeys()].map((value) => ({ value })),
      ],
      homes: [homedir(), process.env.HOME ?? ""],
      userName: findUserName(),
    }),
    include(known) {
      sources = known;
    },
  };
}

/** Undefined for a user without an entry, as in a container. */
function findUserName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
