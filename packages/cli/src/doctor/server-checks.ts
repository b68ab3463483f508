import { type AgentInfo, agentListSchema, healthSchema } from "@skein/contracts";
import { connect } from "../client/connect.ts";
import type { Check } from "./check.ts";
import { findServerPort } from "./server-port.ts";

/** Checks that need a server: whether the database opens, and which agents are available. */
export async function checkServer(home: string): Promise<Check[]> {
  try {
    await using connection = await connect({ home });
    const { client, ownServer } = connection;
    const health = await client.get("/api/health", healthSchema);
    const server: Check = {
      name: "server",
      state: "ok",
      finding: ownServer ? `not running; skein serve would use port ${await findServerPort(home)}` : `running at ${client.url}`,
    };
    const database: Check =
      health.problem === undefined
        ? { name: "database", state: "ok", finding: health.storage }
        : { name: "database", state: "fail", finding: `${health.storage}, cannot be written`, advice: health.problem.detail };
    return [server, database, ...(await client.get("/api/agents", agentListSchema)).agents.flatMap(toAgentChecks)];
  } catch (error) {
    const finding = error instanceof Error ? error.message : String(error);
    return [{ name: "server", state: "fail", finding, advice: "For more detail: SKEIN_DEBUG=1 skein serve" }];
  }
}

/** A missing agent is only a warning: Skein works with the installed ones. */
function toAgentChecks(agent: AgentInfo): Check[] {
  const name = `agent ${agent.id}`;
  const usable = agent.models.length === 1 ? "1 model" : `${agent.models.length} models`;
  const own: Check = agent.available
    ? { name, state: "ok", finding: agent.version ?? `available, ${usable}` }
    : { name, state: "warn", finding: "not available", advice: agent.hint };
  const missing = (agent.missing ?? []).map(
    ({ name, hint }): Check => ({ name: `${name} models`, state: "warn", finding: "no API key", advice: hint }),
  );
  return [own, ...missing];
}
