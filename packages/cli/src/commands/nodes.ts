import { nodeListSchema, type ServerNode } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatAge } from "../format/age.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

/** `skein nodes`: the servers that share a Postgres database. */
export async function nodes(
  action: "list" | "remove",
  name: string | undefined,
  options: { home?: string; json?: boolean },
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
  if (name === undefined) throw new CliError("Name the server: skein nodes remove <name or id>", { exitCode: exitCode.usage });
  if (node === undefined) throw new CliError(`There is no server “${name}”. \`skein nodes\` lists them.`);
  if (found.length > 1) throw new CliError(`Several servers are called “${name}”. Use the id: skein nodes remove ${node.id}`);
  await client.request(`/api/nodes/${node.id}`, { method: "DELETE" });
  console.log(`Removed ${toRevealedLine(node.name)}. Executions on its machine are interrupted.`);
  return exitCode.success;
}

function format(all: readonly ServerNode[]): string {
  if (all.length === 0) return "This server uses SQLite, which no other server can share. Several servers can share a Postgres database.";
  const rows = all.map(({ id, name, state, version, seenAt, runningExecutions, isOwn }) => [
    `${toRevealedLine(name)}${isOwn ? " (this one)" : ""}`,
    state,
    state === "active" ? "" : formatAge(Date.now() - seenAt),
    String(runningExecutions),
    version,
    id,
  ]);
  return formatTable(["SERVER", "STATE", "LAST SEEN", "RUNNING", "VERSION", "ID"], rows);
}
