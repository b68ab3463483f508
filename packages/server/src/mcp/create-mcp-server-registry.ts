import type { McpServerDefinition, Project } from "@skein/contracts";
import { toAgentEnvironment } from "../executions/agent-environment.ts";
import { type McpTrustStore, openMcpTrustFile } from "./mcp-trust-store.ts";
import { type McpServerSources, type ResolvedMcpServers, resolveMcpServers } from "./resolve-mcp-servers.ts";

/** The MCP servers of this data dir and of its projects. */
export interface McpServerRegistry {
  readonly trust: McpTrustStore;
  sourcesOf(project: Project, directory?: string): McpServerSources;
  /** For an attempt in `directory`, whose files are not those of the project's own folder. */
  resolve(project: Project, directory: string): Promise<ResolvedMcpServers>;
}

export function createMcpServerRegistry(options: {
  trustFile: string;
  config: readonly McpServerDefinition[];
  environment: NodeJS.ProcessEnv;
}): McpServerRegistry {
  const trust = openMcpTrustFile(options.trustFile);
  const sourcesOf: McpServerRegistry["sourcesOf"] = (project, directory = project.path) => ({
    config: options.config,
    directory,
    projectId: project.id,
    trust,
  });
  return {
    trust,
    sourcesOf,
    resolve: (project, directory) =>
      resolveMcpServers(sourcesOf(project, directory), {
        // the person's own settings may name any variable of theirs: they wrote them
        config: Object.fromEntries(
          Object.entries(options.environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ),
        project: toAgentEnvironment(options.environment),
      }),
  };
}
