import type { Attempt, ProjectId, TrustChange } from "@skein/contracts";
import { listMcpServers } from "../mcp/resolve-mcp-servers.ts";
import { getProject } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

const mostAttempts = 30;

/** The newest attempts whose worktree differs from the trusted content, so that something is disabled there. */
export async function listTrustChanges(
  { storage, host, repositoryTrust, mcpServers }: Pick<ServiceContext, "storage" | "host" | "repositoryTrust" | "mcpServers">,
  projectId: ProjectId,
): Promise<TrustChange[]> {
  const project = await getProject(storage.read, projectId);
  const tasks = await storage.read.listTasks({ projectId });
  const attempts = (await Promise.all(tasks.map((task) => storage.read.listAttempts({ taskId: task.id })))).flat();
  const newest: Attempt[] = [];
  for (const attempt of attempts.toSorted((a, b) => b.createdAt - a.createdAt)) {
    if (newest.length === mostAttempts) break;
    if (attempt.isolation === "worktree" && (await host.workspaces.exists(attempt))) newest.push(attempt);
  }
  const changes: TrustChange[] = [];
  for (const { id, number, taskId, directory } of newest) {
    const { servers } = await listMcpServers(mcpServers.sourcesOf(project, directory));
    const change = {
      scripts: (await repositoryTrust.readScripts(project, directory)).trust === "changed",
      agentSettings: (await repositoryTrust.readAgentSettings(project, directory)).trust === "changed",
      hooks: (await repositoryTrust.readHooks(project, directory)).trust === "changed",
      mcpServers: servers.filter(({ state }) => state === "changed").map(({ definition }) => definition.name),
    };
    if (!change.scripts && !change.agentSettings && !change.hooks && change.mcpServers.length === 0) continue;
    const taskTitle = tasks.find((task) => task.id === taskId)?.title ?? "";
    changes.push({ attemptId: id, attemptNumber: number, taskId, taskTitle, ...change });
  }
  return changes;
}
