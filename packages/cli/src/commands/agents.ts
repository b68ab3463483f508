import { agentListSchema } from "@skein/contracts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";

/** `skein agents` */
export async function agents(options: { home?: string; json?: boolean }): Promise<number> {
  await using connection = await connect(options);
  const list = await connection.client.get("/api/agents", agentListSchema);
  if (options.json) {
    console.log(JSON.stringify(list, null, 2));
    return exitCode.success;
  }
  const rows = list.agents.map((agent) => [
    agent.id === list.defaultAgent ? `${agent.id} (default)` : agent.id,
    agent.name,
    agent.available ? (agent.version ?? "available") : "not available",
    agent.available ? (agent.defaultModel ?? "") : (agent.hint ?? ""),
  ]);
  console.log(formatTable(["AGENT", "NAME", "VERSION", "DEFAULT MODEL / WHAT TO DO"], rows));
  return exitCode.success;
}
