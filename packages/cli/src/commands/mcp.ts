import { createdApiTokenSchema, meSchema, type TokenScope } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { createApiClient } from "../client/api-client.ts";
import { findRunningServer, type ServerAddress } from "../client/running-server.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { findProjectId } from "./users.ts";

interface Options {
  home?: string;
  scope: TokenScope;
  project?: string;
  url?: string;
}

/** A token that its process could not revoke ends by itself. */
const tokenDays = 1;

/** `skein mcp`: an MCP server on stdin and stdout, until its client disconnects. Standard output belongs to the protocol. */
export async function mcp(options: Options): Promise<number> {
  await using access = await findAccess(options);
  const { serveStdio } = await import("@skein/server/mcp-stdio");
  const interrupted = Promise.withResolvers<void>();
  using _handler = onInterrupt(() => interrupted.resolve());
  await Promise.race([serveStdio(access), interrupted.promise]);
  return exitCode.success;
}

/** The server and a token for it: that of the environment, or a new one that ends with this process. */
async function findAccess({ home, scope, project, url }: Options): Promise<ServerAddress & AsyncDisposable> {
  const given = process.env.SKEIN_TOKEN;
  const nothing = async () => {};
  if (url !== undefined) {
    if (!given) throw new CliError("The token for this server is missing.", { hint: "Set SKEIN_TOKEN: skein tokens create prints one." });
    return { url, token: given, [Symbol.asyncDispose]: nothing };
  }
  const folder = resolveHome(home);
  const server = await findRunningServer(folder);
  if (server === undefined) {
    throw new CliError(`No Skein server is running with the data dir ${folder}.`, { hint: "Start one in another terminal: skein serve" });
  }
  if (given) return { url: server.url, token: given, [Symbol.asyncDispose]: nothing };
  const client = createApiClient(server);
  if ((await client.get("/api/me", meSchema)).team) {
    throw new CliError("This server has users, and the token of one of them is missing.", {
      hint: "Set SKEIN_TOKEN: skein tokens create ada@example.com --name my-agent --scope write prints one.",
    });
  }
  const projectIds = project === undefined ? null : [await findProjectId(client, project)];
  const input = { name: "skein mcp", scope, projectIds, days: tokenDays };
  const { id, token } = await client.post("/api/tokens", input, createdApiTokenSchema);
  const revoke = async () => void (await client.request(`/api/tokens/${id}`, { method: "DELETE" }).catch(() => {}));
  return { url: server.url, token, [Symbol.asyncDispose]: revoke };
}
