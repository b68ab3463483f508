import { agentSessionListSchema } from "@skein/contracts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { findOrAddProject, findRepository } from "../run/find-project.ts";

/** `skein agents sessions` */
export async function agentSessions(agent: string, options: { home?: string; repo: string; json?: boolean }): Promise<number> {
  const repository = findRepository(options.repo);
  await using connection = await connect(options);
  const project = await findOrAddProject(connection.client, repository);
  const path = `/api/projects/${project.id}/agent-sessions?agent=${encodeURIComponent(agent)}`;
  const list = await connection.client.get(path, agentSessionListSchema);
  if (options.json) {
    console.log(JSON.stringify(list, null, 2));
    return exitCode.success;
  }
  if (list.sessions.length === 0) {
    console.log(`${agent} has no sessions in ${repository}.`);
    return exitCode.success;
  }
  const rows = list.sessions.map(({ id, title, updatedAt }) => [
    id,
    updatedAt === null ? "" : new Date(updatedAt).toISOString(),
    (title ?? "").replace(/\s+/g, " ").slice(0, 80),
  ]);
  console.log(formatTable(["SESSION", "LAST USED", "TITLE"], rows));
  if (list.truncated) console.log("\nThere are more: these are the first that the agent lists.");
  return exitCode.success;
}
