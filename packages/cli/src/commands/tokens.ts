import { apiTokenSchema, createdApiTokenSchema, meSchema, type TokenScope, userSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatAge } from "../format/age.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";
import { findProjectId, findUser } from "./users.ts";

interface Options {
  home?: string;
  json?: boolean;
}

/** `skein tokens` */
export async function listTokens(options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const tokens = await client.get("/api/tokens", apiTokenSchema.array());
  const hasUsers = await isTeam(client);
  const users = new Map(hasUsers ? (await client.get("/api/users", userSchema.array())).map(({ id, email }) => [id, email]) : []);
  const now = Date.now();
  const rows = tokens.map(({ id, userId, name, scope, expiresAt, lastUsedAt }) => [
    ...[
      id,
      ...(hasUsers ? [toRevealedLine(userId === null ? "" : (users.get(userId) ?? userId))] : []),
      scope,
      lastUsedAt === null ? "never" : formatAge(now - lastUsedAt),
    ],
    ...[`in ${formatAge(expiresAt - now)}`, toRevealedLine(name)],
  ]);
  if (options.json) console.log(JSON.stringify(tokens, null, 2));
  else if (tokens.length === 0)
    console.log(`No API tokens. Create one: skein tokens create ${hasUsers ? "ada@example.com " : ""}--name ci --scope read`);
  else console.log(formatTable(["TOKEN", ...(hasUsers ? ["USER"] : []), "SCOPE", "USED", "EXPIRES", "NAME"], rows));
  return exitCode.success;
}

/** `skein tokens create`: prints the token, which cannot be shown again. */
export async function createToken(
  email: string | undefined,
  options: Options & {
    name: string;
    scope: TokenScope;
    days: number;
    project?: string;
    maxDepth?: number;
    maxStarts?: number;
    maxCost?: number;
  },
): Promise<number> {
  await using connection = await connect({ ...options, team: email !== undefined });
  const { client } = connection;
  if (email === undefined && (await isTeam(client)))
    throw new CliError("This server has users: name the one that the token is for.", {
      hint: "skein tokens create ada@example.com --name ci --scope read",
    });
  const user = email === undefined ? {} : { userId: (await findUser(client, email)).id };
  const projectIds = options.project === undefined ? null : [await findProjectId(client, options.project)];
  const { name, scope, days } = options;
  const limits = { depth: options.maxDepth, starts: options.maxStarts, costUsd: options.maxCost };
  const created = await client.post("/api/tokens", { ...user, name, scope, days, projectIds, limits }, createdApiTokenSchema);
  console.log(options.json ? JSON.stringify(created, null, 2) : created.token);
  return exitCode.success;
}

/** `skein tokens revoke` */
export async function revokeToken(id: string, options: Options): Promise<number> {
  await using connection = await connect(options);
  await connection.client.request(`/api/tokens/${encodeURIComponent(id)}`, { method: "DELETE" });
  console.log(`Revoked ${toRevealedLine(id)}.`);
  return exitCode.success;
}

async function isTeam(client: ApiClient): Promise<boolean> {
  return (await client.get("/api/me", meSchema)).team;
}
