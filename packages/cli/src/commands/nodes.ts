import { setTimeout as sleep } from "node:timers/promises";
import { nodeListSchema, nodeSchema, type ServerNode } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatAge } from "../format/age.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

const pollMs = 1000;

/** `skein nodes`: the servers that share a Postgres database. */
export async function nodes(
  action: "list" | "drain" | "undrain" | "remove",
  name: string | undefined,
  options: { home?: string; json?: boolean; wait?: boolean },
): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const all = await client.get("/api/nodes", nodeListSchema);
  if (action === "list") {
    console.log(options.json ? JSON.stringify(all, null, 2) : format(all));
    return exitCode.success;
  }
  const found = all.filter((node) => node.id === name || node.name === name);
  const [node] = found;
  if (name === undefined) throw new CliError(`Name the server: skein nodes ${action} <name or id>`, { exitCode: exitCode.usage });
  if (node === undefined) throw new CliError(`There is no server “${name}”. \`skein nodes\` lists them.`);
  if (found.length > 1) throw new CliError(`Several servers are called “${name}”. Use the id: skein nodes ${action} ${node.id}`);
  if (action !== "remove") return await drain(client, node, { ...options, draining: action === "drain" });
  await client.request(`/api/nodes/${node.id}`, { method: "DELETE" });
  console.log(`Removed ${toRevealedLine(node.name)}. Executions on its machine are interrupted.`);
  return exitCode.success;
}

async function drain(
  client: ApiClient,
  { id }: ServerNode,
  { draining, wait, json }: { draining: boolean; wait?: boolean; json?: boolean },
): Promise<number> {
  const body = JSON.stringify({ draining });
  const response = await client.request(`/api/nodes/${id}`, { method: "PATCH", headers: { "content-type": "application/json" }, body });
  let node = nodeSchema.parse(await response.json());
  const describe = () => (draining ? describeDrain(node) : `${toRevealedLine(node.name)} starts agents again.`);
  let shown = "";
  const show = () => {
    if (json || describe() === shown) return;
    shown = describe();
    console.log(shown);
  };
  show();
  while (draining && wait && node.state === "active" && !node.canStop) {
    await sleep(pollMs);
    node = (await client.get("/api/nodes", nodeListSchema)).find((one) => one.id === id) ?? node;
    if (!node.isDraining) throw new CliError(`${toRevealedLine(node.name)} was activated meanwhile.`);
    show();
  }
  if (json) console.log(JSON.stringify(node, null, 2));
  return exitCode.success;
}

/** What a server that is being drained still has, and whether it can be stopped. */
function describeDrain({ name, state, drain: left, canStop }: ServerNode): string {
  const server = toRevealedLine(name);
  if (state !== "active") return `${server} is not running. It starts no agents when it is back: skein nodes undrain ${server}`;
  if (left === null) return `${server} is being drained.`;
  const rest = [
    ...(left.agents > 0 ? [`agents that run on its machine: ${left.agents}`] : []),
    ...(left.following > 0 ? [`executions on workers that are not handed over yet: ${left.following}`] : []),
    ...(left.jobs > 0 ? [`jobs: ${left.jobs}`] : []),
  ];
  const notes = [
    ...(left.waiting > 0 ? [`Messages that wait until it is activated: ${left.waiting}.`] : []),
    ...(left.workers > 0 ? [`Workers that stay connected, because they know no other server: ${left.workers}.`] : []),
  ];
  const first = canStop ? `${server} can be stopped now.` : `${server} is being drained. Left: ${rest.join("; ")}.`;
  return [first, ...notes].join(" ");
}

function format(all: readonly ServerNode[]): string {
  if (all.length === 0) return "This server uses SQLite, which no other server can share. Several servers can share a Postgres database.";
  const rows = all.map(({ id, name, state, version, seenAt, runningExecutions, isOwn, isDraining }) => [
    `${toRevealedLine(name)}${isOwn ? " (this one)" : ""}`,
    isDraining ? `${state}, draining` : state,
    state === "active" ? "" : formatAge(Date.now() - seenAt),
    String(runningExecutions),
    version,
    id,
  ]);
  return formatTable(["SERVER", "STATE", "LAST SEEN", "RUNNING", "VERSION", "ID"], rows);
}
