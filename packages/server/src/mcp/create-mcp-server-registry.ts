import { join } from "node:path";
import type { McpServerDefinition, Project } from "@skein/contracts";
import type { Host } from "@skein/host";
import { openTrustedContents, type TrustedContents } from "../data-dir/trusted-contents.ts";
import { type McpTrustStore, openMcpTrustFile } from "./mcp-trust-store.ts";
import { type McpServerSources, type ResolvedMcpServers, resolveMcpServers } from "./resolve-mcp-servers.ts";

/** The MCP servers of this data dir and of its projects. */
export interface McpServerRegistry {
  readonly trust: McpTrustStore;
  readonly contents: TrustedContents;
  sourcesOf(project: Project, directory?: string): McpServerSources;
  /** For an attempt in `directory`, whose files may differ from the project's own folder. */
  resolve(project: Project, directory: string): Promise<ResolvedMcpServers>;
}

export function createMcpServerRegistry(options: {
  home: string;
  config: readonly McpServerDefinition[];
  /** For servers of the user's own settings. */
  environment: NodeJS.ProcessEnv;
  host: Host;
}): McpServerRegistry {
  const { workspaces: files } = options.host;
  const trust = openMcpTrustFile(join(options.home, "mcp-trust.json"));
  const sourcesOf: McpServerRegistry["sourcesOf"] = (project, directory = project.path) => ({
    config: options.config,
    files,
    directory,
    projectId: project.id,
    trust,
    environment: options.host.environment,
  });
  return {
    trust,
    contents: openTrustedContents({ folder: join(options.home, "trusted-content"), files }),
    sourcesOf,
    resolve: (project, directory) =>
      resolveMcpServers(
        sourcesOf(project, directory),
        // the user's own settings may use all of the user's variables
        Object.fromEntries(Object.entries(options.environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      ),
  };
}
