import { agentListSchema, type ModelInfo } from "@skein/contracts";
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
  const models = list.agents.flatMap((agent) =>
    agent.models.map((model) => [agent.id, model.id, model.name, formatWindow(model), formatPrice(model)]),
  );
  if (models.length > 0) console.log(`\n${formatTable(["AGENT", "MODEL", "NAME", "WINDOW", "$ PER MILLION IN / OUT"], models)}`);
  const missing = list.agents.flatMap((agent) => agent.missing ?? []).map(({ name, hint }) => [name, hint]);
  if (missing.length > 0) console.log(`\n${formatTable(["NOT CONFIGURED", "WHAT TO DO"], missing)}`);
  return exitCode.success;
}

function formatWindow({ contextWindow }: ModelInfo): string {
  return contextWindow === undefined ? "" : `${Math.round(contextWindow / 1000)}k`;
}

function formatPrice({ price }: ModelInfo): string {
  return price === undefined ? "" : `${price.input} / ${price.output}`;
}
