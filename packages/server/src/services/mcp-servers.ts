import type { McpServerDefinition, McpServerInfo, McpToolHashes, Project, TrustedFileChange } from "@skein/contracts";
import { formatText, ServiceError } from "@skein/engine";
import { TrustFileError } from "../data-dir/trust-file.ts";
import { expandMcpServer } from "../mcp/expand-mcp-server.ts";
import { type KnownMcpServer, listMcpServers } from "../mcp/resolve-mcp-servers.ts";
import { toProblemFields } from "../repository/to-problem-fields.ts";
import { getProject } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { findTrustPlace } from "./trust-place.ts";
import type { McpServerService } from "./trust-services.ts";

/** Lists the MCP servers of a project, and trusts or revokes them. */
export function createMcpServerService({ storage, host, now, mcpServers }: ServiceContext): McpServerService {
  async function findServer(project: Project, directory: string, name: string): Promise<KnownMcpServer> {
    const { servers } = await listMcpServers(mcpServers.sourcesOf(project, directory));
    const server = servers.find(({ source, definition }) => source === "project" && definition.name === name);
    if (server !== undefined) return server;
    throw new ServiceError("not-found", { code: "mcp-server-not-found", server: name });
  }

  async function describe(server: KnownMcpServer, directory: string): Promise<McpServerInfo> {
    const { state, loaded, trusted } = server;
    const isCompared = state === "changed" && trusted !== undefined;
    const compared = { directory, loaded, trusted: trusted?.files ?? {} };
    return toInfo(server, isCompared ? await mcpServers.contents.describeChanges(compared) : []);
  }

  return {
    async list(projectId, place) {
      const { project, directory } = await findTrustPlace(storage.read, projectId, place);
      const { servers, problems } = await listMcpServers(mcpServers.sourcesOf(project, directory));
      return {
        servers: await Promise.all(servers.map((server) => describe(server, directory))),
        problems: problems.map(formatText),
        problemTexts: problems,
      };
    },

    async trust(projectId, name, { hash, ...place }) {
      const { project, directory } = await findTrustPlace(storage.read, projectId, place);
      const server = await findServer(project, directory, name);
      const changed = new ServiceError("conflict", { code: "mcp-server-changed", server: name });
      // the server has changed since it was shown to the user
      if (server.hash !== hash) throw changed;
      const { problem, files } = server.loaded;
      if (problem !== undefined) {
        const reason = { code: "mcp-server-untrustable", server: name, reason: problem } as const;
        throw new ServiceError("invalid", { code: "mcp-server-invalid", server: name, reason });
      }
      // do not start a server whose trust could not be saved
      useTrust(() => mcpServers.trust.listTrusted({ projectId }));
      const tools = await readTools(directory, server.definition);
      // it was started from these files: they must not have changed before that
      if ((await findServer(project, directory, name)).hash !== hash) throw changed;
      const trusted = { projectId, name, hash: server.definitionHash, files: { ...files }, tools, trustedAt: now() };
      useTrust(() => mcpServers.trust.trust(trusted));
      await mcpServers.contents.keep(directory, files);
      return toInfo({ ...server, state: server.state === "overridden" ? "overridden" : "trusted", trusted }, []);
    },

    async revoke(projectId, name) {
      await getProject(storage.read, projectId);
      if (useTrust(() => mcpServers.trust.revoke({ projectId, name }))) return;
      throw new ServiceError("not-found", { code: "mcp-server-not-trusted", server: name });
    },
  };

  /** Trust includes the tools: the server is started once, because the user is about to trust it. */
  async function readTools(directory: string, definition: McpServerDefinition): Promise<McpToolHashes> {
    const { environment } = host;
    const expanded = expandMcpServer(definition, environment);
    if (!expanded.ok) throw new ServiceError("invalid", { code: "mcp-server-invalid", server: definition.name, reason: expanded.problem });
    const read = await host.workspaces.readMcpTools({ directory, server: expanded.definition, environment });
    if ("tools" in read) return read.tools;
    throw new ServiceError("unavailable", { code: "mcp-server-failed", server: definition.name, notices: read.notices });
  }
}

function useTrust<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TrustFileError)
      throw new ServiceError("unavailable", { code: "mcp-trust-unreadable", path: error.path }, { cause: error });
    throw error;
  }
}

function toInfo(server: KnownMcpServer, changes: TrustedFileChange[]): McpServerInfo {
  const { source, state, definition, hash, trusted, loaded } = server;
  return {
    name: definition.name,
    source,
    state,
    hash,
    definition: source === "config" ? withoutSecrets(definition) : definition,
    files: Object.keys(loaded.files),
    changes,
    ...(loaded.problem === undefined
      ? {}
      : toProblemFields({ code: "mcp-server-untrustable", server: definition.name, reason: loaded.problem })),
    ...(trusted === undefined ? {} : { trustedTools: Object.keys(trusted.tools) }),
  };
}

/** The user's own settings may contain API keys, which are never sent to a browser (X11). */
function withoutSecrets(definition: McpServerDefinition): McpServerDefinition {
  const blank = (variables: Readonly<Record<string, string>>) => Object.fromEntries(Object.keys(variables).map((name) => [name, ""]));
  if (definition.type === "stdio") return { ...definition, args: [], env: blank(definition.env) };
  const { origin = "", pathname = "" } = URL.parse(definition.url) ?? {};
  return { ...definition, url: `${origin}${pathname}`, headers: blank(definition.headers) };
}
