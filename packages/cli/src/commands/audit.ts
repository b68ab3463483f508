import { type AuditEntry, auditPageSchema } from "@skein/contracts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";
import { findProjectId, findUser } from "./users.ts";

/** `skein audit`: who did what, newest first. */
export async function audit(options: { home?: string; json?: boolean; user?: string; project?: string; limit: number }): Promise<number> {
  await using connection = await connect({ ...options, team: true });
  const { client } = connection;
  const query = new URLSearchParams({ limit: String(options.limit) });
  if (options.user !== undefined) query.set("userId", (await findUser(client, options.user)).id);
  if (options.project !== undefined) query.set("projectId", await findProjectId(client, options.project));
  const { entries } = await client.get(`/api/audit?${query}`, auditPageSchema);
  if (options.json) console.log(JSON.stringify(entries, null, 2));
  else if (entries.length === 0) console.log("Nothing has been recorded.");
  else console.log(formatTable(["TIME", "WHO", "FROM", "OUTCOME", "WHAT"], entries.map(toRow)));
  return exitCode.success;
}

function toRow({ at, by, caller, address, outcome, action, subjects }: AuditEntry): string[] {
  const who = by?.name ?? (caller === "instance" ? "(server's token)" : "(nobody)");
  const what = [action, ...subjects].join(" ");
  return [
    new Date(at).toISOString().slice(0, 19).replace("T", " "),
    toRevealedLine(who),
    toRevealedLine(address),
    outcome,
    toRevealedLine(what),
  ];
}
