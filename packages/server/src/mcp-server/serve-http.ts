import { createMcpHandler } from "@modelcontextprotocol/server";
import { createApi, type SendRequest } from "./api.ts";
import { createSkeinMcpServer } from "./create-skein-mcp-server.ts";

/**
 * Answers one request of streamable HTTP. Nothing is kept between requests: protocol 2026-07-28 has no sessions, and earlier ones are served
 * without. So a restart of the server ends no connection for good, and any server that shares the database can answer.
 */
export function serveHttp(request: Request, options: { body: unknown; send: SendRequest }): Promise<Response> {
  const api = createApi(options.send);
  const handler = createMcpHandler(() => createSkeinMcpServer(api));
  return handler.fetch(request, { parsedBody: options.body });
}
