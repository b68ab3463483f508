import type {
  AgentSettings,
  GitHooks,
  GitLfs,
  GrantId,
  ListedGrant,
  McpServerInfo,
  McpServerList,
  ProjectId,
  ProjectScripts,
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

/** Scripts of the repository's `.skein/project.json`. */
export interface ProjectScriptService {
  get(projectId: ProjectId, place?: TrustPlace): Promise<ProjectScripts>;
  /** Rejects with code `scripts-changed` if the hash is not that of the current scripts and their files. */
  trust(projectId: ProjectId, input: TrustContent): Promise<ProjectScripts>;
  revoke(projectId: ProjectId): Promise<void>;
}

/** Agent settings in the repository. */
export interface AgentSettingsService {
  get(projectId: ProjectId, place?: TrustPlace): Promise<AgentSettings>;
  /** Rejects with code `agent-settings-changed` if the hash is not that of the current files. */
  trust(projectId: ProjectId, input: TrustContent): Promise<AgentSettings>;
  revoke(projectId: ProjectId): Promise<void>;
}

/** Hooks of the repository that a commit or a push runs. */
export interface GitHookService {
  get(projectId: ProjectId, place?: TrustPlace): Promise<GitHooks>;
  /** Rejects with code `hooks-changed` when the hash is not that of the hooks, settings and files as they are now. */
  trust(projectId: ProjectId, input: TrustContent): Promise<GitHooks>;
  revoke(projectId: ProjectId): Promise<void>;
}

/** Files that the repository stores with Git LFS. */
export interface GitLfsService {
  get(projectId: ProjectId): Promise<GitLfs>;
  /** Rejects with code `git-lfs-changed` if the repository now names another server. */
  trust(projectId: ProjectId, input: TrustContent): Promise<GitLfs>;
  revoke(projectId: ProjectId): Promise<void>;
}
