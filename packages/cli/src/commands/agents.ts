import { agentCatalogueSchema, agentInfoSchema, agentListSchema, type CatalogueEntry, type ModelInfo } from "@skein/contracts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { toCommandLine } from "../terminal/command-line.ts";

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

/** `skein agents catalogue` */
export async function agentCatalogue(options: { home?: string; json?: boolean }): Promise<number> {
  await using connection = await connect(options);
  const catalogue = await connection.client.get("/api/agent-catalogue", agentCatalogueSchema);
  if (options.json) {
    console.log(JSON.stringify(catalogue, null, 2));
    return exitCode.success;
  }
  const rows = catalogue.entries.map((entry) => [entry.id, entry.name, entry.version, toState(entry), toCommandLine(entry.command)]);
  console.log(formatTable(["ID", "NAME", "VERSION", "STATE", "RUNS"], rows));
  const { repository, date } = catalogue.origin;
  console.log(`\nFrom ${repository}, as of ${date}. To add one: skein agents add <id>`);
  return exitCode.success;
}

function toState({ builtIn, added, programPath, command, source }: CatalogueEntry): string {
  if (builtIn !== undefined) return `part of Skein (${builtIn})`;
  if (added !== undefined) return `added (${added.agent})`;
  if (programPath === null) return `needs ${command[0]}`;
  return source === "program" ? "installed" : "ready to add";
}

/** `skein agents remove` */
export async function removeAgent(id: string, options: { home?: string }): Promise<number> {
  await using connection = await connect(options);
  await connection.client.request(`/api/agents/${encodeURIComponent(id)}`, { method: "DELETE" });
  console.log(`Removed ${id}. Its conversations stay.`);
  return exitCode.success;
}

/** `skein agents enable` and `skein agents disable` */
export async function setAgentEnabled(id: string, { enabled, ...options }: { home?: string; enabled: boolean }): Promise<number> {
  await using connection = await connect(options);
  const init = { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ enabled }) };
  const answer = await connection.client.request(`/api/agents/${encodeURIComponent(id)}`, init);
  const { name } = agentInfoSchema.parse(await answer.json());
  console.log(enabled ? `${name} is enabled.` : `${name} is disabled. It is kept, but not started.`);
  return exitCode.success;
}

function formatWindow({ contextWindow }: ModelInfo): string {
  return contextWindow === undefined ? "" : `${Math.round(contextWindow / 1000)}k`;
}

function formatPrice({ price }: ModelInfo): string {
  return price === undefined ? "" : `${price.input} / ${price.output}`;
}
