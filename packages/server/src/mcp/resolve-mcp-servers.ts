import type { McpServerDefinition, ProjectId, UsableMcpServer } from "@skein/contracts";
import { TrustFileError } from "../data-dir/trust-file.ts";
import { expandMcpServer } from "./expand-mcp-server.ts";
import { hashMcpServer } from "./hash-mcp-server.ts";
import type { McpTrustStore, TrustedMcpServer } from "./mcp-trust-store.ts";
import { readProjectMcpServers } from "./read-project-mcp-servers.ts";

/** A server as it is written down, and what may be done with it. */
export interface KnownMcpServer {
  source: "config" | "project";
  state: "trusted" | "new" | "changed" | "overridden";
  definition: McpServerDefinition;
  hash: string;
  /** What the person trusted, where trust is bound to it. */
  trusted: TrustedMcpServer | undefined;
}

export interface McpServerSources {
  /** The person's own. */
  config: readonly McpServerDefinition[];
  /** Its folder as it is on disk now, which need not be what was trusted. */
  directory: string;
  projectId: ProjectId;
  trust: McpTrustStore;
}

/** Reads and compares; starts nothing. */
export async function listMcpServers(sources: McpServerSources): Promise<{ servers: KnownMcpServer[]; problems: string[] }> {
  const { config, directory, projectId, trust } = sources;
  const project = await readProjectMcpServers(directory);
  const problems = [...project.problems];
  let trustedServers: TrustedMcpServer[] = [];
  try {
    trustedServers = trust.listTrusted({ projectId });
  } catch (error) {
    if (!(error instanceof TrustFileError)) throw error;
    problems.push(error.message);
  }
  const own = config.map((definition) => ({ definition, hash: hashMcpServer(definition), trusted: undefined }));
  const named = project.servers.map((definition) => {
    const hash = hashMcpServer(definition);
    const trusted = trustedServers.find((server) => server.name === definition.name);
    const isOverridden = config.some(({ name }) => name === definition.name);
    const state = isOverridden ? "overridden" : trusted === undefined ? "new" : trusted.hash === hash ? "trusted" : "changed";
    return { source: "project", state, definition, hash, trusted } as const;
  });
  return { servers: [...own.map((server) => ({ source: "config", state: "trusted", ...server }) as const), ...named], problems };
}

export interface ResolvedMcpServers {
  usable: UsableMcpServer[];
  needTrust: { name: string; definition: McpServerDefinition; hash: string; reason: "new" | "changed" }[];
  problems: string[];
}

/** What an agent may start. `environments` are where `${NAME}` is looked up. */
export async function resolveMcpServers(
  sources: McpServerSources,
  environments: Readonly<Record<KnownMcpServer["source"], Readonly<Record<string, string>>>>,
): Promise<ResolvedMcpServers> {
  const { servers, problems } = await listMcpServers(sources);
  const resolved: ResolvedMcpServers = { usable: [], needTrust: [], problems };
  for (const { source, state, definition, hash, trusted } of servers) {
    if (state === "new" || state === "changed") resolved.needTrust.push({ name: definition.name, definition, hash, reason: state });
    if (state !== "trusted") continue;
    const expanded = expandMcpServer(definition, environments[source]);
    if (expanded.ok) resolved.usable.push({ definition: expanded.definition, trustedTools: trusted?.tools ?? null });
    else problems.push(expanded.problem);
  }
  return resolved;
}
