import type { LoadedFiles } from "@skein/agents/loaded-files";
import { toLoadingCommands } from "@skein/agents/mcp-command";
import type { McpServerDefinition, ProjectId, UsableMcpServer } from "@skein/contracts";
import type { RepositoryFiles } from "@skein/host";
import { TrustFileError } from "../data-dir/trust-file.ts";
import { compareWithTrusted, toContentHash } from "../repository/covered-files.ts";
import { expandMcpServer } from "./expand-mcp-server.ts";
import { hashMcpServer } from "./hash-mcp-server.ts";
import type { McpTrustStore, TrustedMcpServer } from "./mcp-trust-store.ts";
import { readProjectMcpServers } from "./read-project-mcp-servers.ts";

/** A server as it is written down, and what may be done with it. */
export interface KnownMcpServer {
  source: "config" | "project";
  state: "trusted" | "new" | "changed" | "overridden";
  definition: McpServerDefinition;
  /** Of the definition and of the files that it names or loads: what the user is shown. */
  hash: string;
  definitionHash: string;
  /** Of the repository. Nothing for servers of the user's own settings, which are not compared. */
  loaded: LoadedFiles;
  /** The version that it is, or, where it has changed, that it is compared with. */
  trusted: TrustedMcpServer | undefined;
  /** Files that are not as they were trusted. */
  different: string[];
}

export interface McpServerSources {
  /** The user's own. */
  config: readonly McpServerDefinition[];
  /** Of its host. */
  files: RepositoryFiles;
  /** Its folder as it is on disk now, which need not be what was trusted. */
  directory: string;
  projectId: ProjectId;
  trust: McpTrustStore;
  /** Where `${NAME}` is looked up for what a repository names: it decides which files are loaded. */
  environment: Readonly<Record<string, string>>;
}

/** Reads and compares; starts nothing. */
export async function listMcpServers(sources: McpServerSources): Promise<{ servers: KnownMcpServer[]; problems: string[] }> {
  const { config, files, directory, projectId, trust, environment } = sources;
  const project = await readProjectMcpServers(files, directory);
  const problems = [...project.problems];
  let trustedServers: TrustedMcpServer[] = [];
  try {
    trustedServers = trust.listTrusted({ projectId });
  } catch (error) {
    if (!(error instanceof TrustFileError)) throw error;
    problems.push(error.message);
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
  /** `different`: files that are not as they were trusted; none where the definition itself is new or another one. */
  needTrust: { name: string; reason: "new" | "changed"; different: string[] }[];
  problems: string[];
}

/** What an agent may start. `ownEnvironment` is where `${NAME}` of the user's own servers is looked up. */
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
