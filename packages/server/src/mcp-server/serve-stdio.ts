import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { createApi } from "./api.ts";
import { createSkeinMcpServer } from "./create-skein-mcp-server.ts";

/** Serves the tools on stdin and stdout, with the API of a server at another address. Resolves when the client has disconnected. */
export async function serveStdio({ url, token }: { url: string; token: string }): Promise<void> {
  const api = createApi((path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    return fetch(new URL(path, url), { ...init, headers });
  });
  const ended = Promise.withResolvers<void>();
  process.stdin.once("end", ended.resolve).once("close", ended.resolve);
  const handle = serve(() => createSkeinMcpServer(api));
  await ended.promise;
  await handle.close();
}
