import type {
  GrantId,
  ListedGrant,
  McpServerInfo,
  McpServerList,
  ProjectId,
  TrustContent,
  TrustMcpServer,
  TrustPlace,
} from "@skein/contracts";

/** What users allowed permanently. */
export interface GrantService {
  list(projectId: ProjectId): Promise<ListedGrant[]>;
  remove(id: GrantId): Promise<void>;
}

/** MCP servers that a repository or the user defines, and which of them are trusted. */
export interface McpServerService {
  /** Reads the definitions, and starts nothing. */
  list(projectId: ProjectId, place?: TrustPlace): Promise<McpServerList>;
  /** Rejects with code `mcp-server-changed` if the hash is not that of the current server and its files. */
  trust(projectId: ProjectId, name: string, input: TrustMcpServer): Promise<McpServerInfo>;
  revoke(projectId: ProjectId, name: string): Promise<void>;
}

/**
 * Content of a repository that runs only once it is trusted: scripts, agent settings, hooks, Git LFS. `trust` rejects with a code such as
 * `scripts-changed` if the hash is not that of the content as it is now.
 */
export interface TrustService<Content> {
  get(projectId: ProjectId, place?: TrustPlace): Promise<Content>;
  trust(projectId: ProjectId, input: TrustContent): Promise<Content>;
  revoke(projectId: ProjectId): Promise<void>;
}
