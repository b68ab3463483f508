import { jsonValueSchema } from "@skein/contracts";
import { type Route, rawRoute } from "../route.ts";

/** Skein as an MCP server. */
export const mcpEndpointRoutes: readonly Route[] = [
  rawRoute({
    method: "POST",
    path: "/mcp",
    access: "signed-in",
    // what a tool does is checked by the route that it uses
    scope: "read",
    agents: true,
    auditsItself: true,
    summary:
      "Skein's MCP server (Model Context Protocol, streamable HTTP; revisions 2026-07-28 and 2025-11-25 and earlier). Tools can do what the API token allows",
    body: jsonValueSchema,
    bodyLimit: "commandBodyBytes",
    mediaTypes: ["application/json", "text/event-stream"],
    async handle({ url, headers, body, signal, callSelf }) {
      const { serveHttp } = await import("../../mcp-server/serve-http.ts");
      const request = new Request(url, { method: "POST", headers, body: JSON.stringify(body), signal });
      const response = await serveHttp(request, { body, send: callSelf });
      response.headers.set("cache-control", "no-store");
      return response;
    },
  }),
];
