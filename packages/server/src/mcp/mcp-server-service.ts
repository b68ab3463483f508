import { join } from "node:path";
import { connectMcpServers } from "@skein/agents/mcp";
import type { McpServerDefinition, McpServerInfo, McpToolHashes, Project } from "@skein/contracts";
import { TrustFileError } from "../data-dir/trust-file.ts";
import { toAgentEnvironment } from "../executions/agent-environment.ts";
import { getProject } from "../services/lookup.ts";
import type { ServiceContext } from "../services/service-context.ts";
import { ServiceError } from "../services/service-error.ts";
import type { Services } from "../services/services.ts";
import { expandMcpServer } from "./expand-mcp-server.ts";
import { type KnownMcpServer, listMcpServers } from "./resolve-mcp-servers.ts";

export function createMcpServerService({ storage, home, now, mcpServers }: ServiceContext): Services["mcpServers"] {
  async function findServer(project: Project, name: string): Promise<KnownMcpServer> {
    const { servers } = await listMcpServers(mcpServers.sourcesOf(project));
    const server = servers.find(({ source, definition }) => source === "project" && definition.name === name);
    if (server !== undefined) return server;
    throw new ServiceError("not-found", "mcp-server-not-found", `The project's .mcp.json names no MCP server “${name}”.`);
  }

  return {
    async list(projectId) {
      const { servers, problems } = await listMcpServers(mcpServers.sourcesOf(await getProject(storage.read, projectId)));
      return { servers: servers.map(toInfo), problems };
    },

    async trust(projectId, name, { hash }) {
      const project = await getProject(storage.read, projectId);
      const server = await findServer(project, name);
      // what the person looked at is not what is there now: they must look again
      if (server.hash !== hash) {
        throw new ServiceError(
          "conflict",
          "mcp-server-changed",
          `The MCP server “${name}” has changed. Look at it again before you trust it.`,
        );
      }
      // nothing is started for a trust that could not be kept
      useTrust(() => mcpServers.trust.listTrusted({ projectId }));
      const tools = await readTools(project, server.definition);
      const trusted = { projectId, name, hash, tools, trustedAt: now() };
      useTrust(() => mcpServers.trust.trust(trusted));
      return toInfo({ ...server, state: server.state === "overridden" ? "overridden" : "trusted", trusted });
    },

    async revoke(projectId, name) {
      await getProject(storage.read, projectId);
      if (useTrust(() => mcpServers.trust.revoke({ projectId, name }))) return;
      throw new ServiceError("not-found", "mcp-server-not-trusted", `The MCP server “${name}” is not trusted in this project.`);
    },
  };

  /** Trust is bound to the tools, too: the server is started once, now that the person wants it to be. */
  async function readTools(project: Project, definition: McpServerDefinition): Promise<McpToolHashes> {
    const environment = toAgentEnvironment(process.env);
    const expanded = expandMcpServer(definition, environment);
    if (!expanded.ok) throw new ServiceError("invalid", "mcp-server-invalid", expanded.problem);
    const notices: string[] = [];
    const connected = await connectMcpServers({
      servers: [{ definition: expanded.definition, trustedTools: null }],
      directory: project.path,
      environment,
      spillDirectory: join(home, "spill"),
      signal: new AbortController().signal,
      onNotice: (notice) => void notices.push(notice.text),
    });
    await connected.close();
    const [reached] = connected.reached;
    if (reached !== undefined) return Object.fromEntries(reached.tools.map((tool) => [tool.name, tool.hash]));
    throw new ServiceError("unavailable", "mcp-server-failed", `${notices.join(" ")} It is not trusted: mend it, then trust it.`);
  }
}

function useTrust<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TrustFileError) throw new ServiceError("unavailable", "mcp-trust-unreadable", error.message, { cause: error });
    throw error;
  }
}

function toInfo({ source, state, definition, hash, trusted }: KnownMcpServer): McpServerInfo {
  return {
    name: definition.name,
    source,
    state,
    hash,
    definition: source === "config" ? withoutSecrets(definition) : definition,
    ...(trusted === undefined ? {} : { trustedTools: Object.keys(trusted.tools) }),
  };
}

/** Keys stand in the person's own settings, and never go to a browser (X11). */
function withoutSecrets(definition: McpServerDefinition): McpServerDefinition {
  const blank = (variables: Readonly<Record<string, string>>) => Object.fromEntries(Object.keys(variables).map((name) => [name, ""]));
  if (definition.type === "stdio") return { ...definition, args: [], env: blank(definition.env) };
  const { origin = "", pathname = "" } = URL.parse(definition.url) ?? {};
  return { ...definition, url: `${origin}${pathname}`, headers: blank(definition.headers) };
}
