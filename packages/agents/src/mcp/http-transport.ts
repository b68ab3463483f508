import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpConnectionError } from "./mcp-connection-error.ts";

const mostRedirects = 3;

export function createHttpTransport({ url, headers }: { url: string; headers: Readonly<Record<string, string>> }) {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } }, fetch: fetchWithinOrigin });
}

/** Follows redirects only within the origin that the user's trust and headers are meant for. */
async function fetchWithinOrigin(input: string | URL, init?: RequestInit): Promise<Response> {
  let url = new URL(input);
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, url);
    if (next.origin !== url.origin) throw new McpConnectionError({ code: "mcp-redirects-elsewhere", origin: next.origin });
    if (redirects === mostRedirects) throw new McpConnectionError({ code: "mcp-redirects-too-often", max: mostRedirects });
    url = next;
  }
}
