import type { LoadedFiles } from "@skein/agents/loaded-files";
import { toLoadingCommands } from "@skein/agents/mcp-command";
import type { McpServerDefinition, ProjectId, RepositoryText, UsableMcpServer } from "@skein/contracts";
import type { RepositoryFiles } from "@skein/host";
import { TrustFileError } from "../data-dir/trust-file.ts";
import { compareWithTrusted, toContentHash } from "../repository/covered-files.ts";
import { expandMcpServer } from "./expand-mcp-server.ts";
import { hashMcpServer } from "./hash-mcp-server.ts";
import type { McpTrustStore, TrustedMcpServer } from "./mcp-trust-store.ts";
import { readProjectMcpServers } from "./read-project-mcp-servers.ts";

/** A configured server and its trust state. */
export interface KnownMcpServer {
  source: "config" | "project";
  state: "trusted" | "new" | "changed" | "overridden";
  definition: McpServerDefinition;
  /** Hash of the definition and of the files that it names or loads, as shown to the user. */
  hash: string;
  definitionHash: string;
  /** Files of the repository. Empty for servers of the user's own settings, which are not compared. */
  loaded: LoadedFiles;
  /** The matching trusted version, or, if it has changed, the version that it is compared with. */
  trusted: TrustedMcpServer | undefined;
  /** Files that differ from the trusted ones. */
  different: string[];
}

export interface McpServerSources {
  /** Servers of the user's own settings. */
  config: readonly McpServerDefinition[];
  /** Access to the repository's files, on its host. */
  files: RepositoryFiles;
  /** The project's or attempt's current folder, which may differ from what was trusted. */
  directory: string;
  projectId: ProjectId;
  trust: McpTrustStore;
  /** Variables for `${NAME}` in a repository's servers. They affect which files are loaded. */
  environment: Readonly<Record<string, string>>;
}

/** Reads and compares; starts nothing. */
export async function listMcpServers(sources: McpServerSources): Promise<{ servers: KnownMcpServer[]; problems: RepositoryText[] }> {
  const { config, files, directory, projectId, trust, environment } = sources;
  const project = await readProjectMcpServers(files, directory);
  const problems: RepositoryText[] = [...project.problems];
  let trustedServers: TrustedMcpServer[] = [];
  try {
    trustedServers = trust.listTrusted({ projectId });
  } catch (error) {
    if (!(error instanceof TrustFileError)) throw error;
    problems.push({ code: "trust-unreadable", path: error.path });
  }
  const own = config.map((definition): KnownMcpServer => {
    const hash = hashMcpServer(definition);
    const unbound = { loaded: { files: {} }, trusted: undefined, different: [] };
    return { source: "config", state: "trusted", definition, hash, definitionHash: hash, ...unbound };
  });
  const named: KnownMcpServer[] = [];
  for (const definition of project.servers) {
    const definitionHash = hashMcpServer(definition);
    const expanded = expandMcpServer(definition, environment);
    const loaded = await files.findLoadedFiles({
      directory,
      commands: toLoadingCommands(expanded.ok ? expanded.definition : definition),
    });
    const versions = trustedServers.filter((server) => server.name === definition.name);
    const compared = compareWithTrusted(versions, { hash: definitionHash, ...loaded });
    const isOverridden = config.some(({ name }) => name === definition.name);
    named.push({
      source: "project",
      state: isOverridden ? "overridden" : compared.state === "none" ? "new" : compared.state,
      definition,
      hash: toContentHash(definitionHash, loaded.files),
      definitionHash,
      loaded,
      trusted: compared.version,
      different: compared.state === "changed" ? compared.different : [],
    });
  }
  return { servers: [...own, ...named], problems };
}

export interface ResolvedMcpServers {
  usable: UsableMcpServer[];
  /** `different`: files that differ from the trusted ones; empty if the definition itself is new or changed. */
  needTrust: { name: string; reason: "new" | "changed"; different: string[] }[];
  problems: RepositoryText[];
}

/** The servers that an agent may start. `ownEnvironment`: variables for `${NAME}` in the user's own servers. */
export async function resolveMcpServers(
  sources: McpServerSources,
  ownEnvironment: Readonly<Record<string, string>>,
): Promise<ResolvedMcpServers> {
  const { servers, problems } = await listMcpServers(sources);
  const resolved: ResolvedMcpServers = { usable: [], needTrust: [], problems };
  for (const { source, state, definition, trusted, different } of servers) {
    if (state === "new" || state === "changed") resolved.needTrust.push({ name: definition.name, reason: state, different });
    if (state !== "trusted") continue;
    const expanded = expandMcpServer(definition, source === "config" ? ownEnvironment : sources.environment);
    if (!expanded.ok) problems.push(expanded.problem);
    else {
      const bound = trusted === undefined ? {} : { trustedFiles: { ...trusted.files } };
      resolved.usable.push({ definition: expanded.definition, trustedTools: trusted?.tools ?? null, ...bound });
    }
  }
  return resolved;
}
