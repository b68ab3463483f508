import type { AgentRegistry } from "../agents/agent-registry.ts";
import type { LaunchJournal } from "../data-dir/launch-journal.ts";
import type { ExecutionContext } from "../executions/execution-context.ts";
import type { ExecutionSupervisor } from "../executions/execution-supervisor.ts";
import type { StorageHealth } from "../faults/storage-health.ts";
import type { GitFolders } from "../git/git-folders.ts";
import type { GitLfsFiles } from "../lfs/git-lfs.ts";
import type { McpServerRegistry } from "../mcp/create-mcp-server-registry.ts";
import type { RepositoryTrust } from "../repository/repository-trust.ts";
import type { ToolProcessors } from "../tool-processors/tool-processors.ts";
import type { BackgroundDeletion } from "./background-deletion.ts";
import type { Quarantine } from "./quarantine.ts";
import type { Services } from "./services.ts";

export interface ServiceContext extends ExecutionContext {
  /** The data dir. */
  home: string;
  storageHealth: StorageHealth;
  version: string;
  supervisor: ExecutionSupervisor;
  mcpServers: McpServerRegistry;
  repositoryTrust: RepositoryTrust;
  gitFolders: GitFolders;
  gitLfs: GitLfsFiles;
  launches: LaunchJournal;
  quarantine: Quarantine;
  backgroundDeletion: BackgroundDeletion;
  settings: Services["settings"];
  toolProcessors: ToolProcessors;
  agents: AgentRegistry;
}
