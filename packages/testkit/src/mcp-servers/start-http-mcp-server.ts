import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createScriptedMcpServer } from "./create-scripted-mcp-server.ts";

export interface HttpMcpServer {
  url: string;
  /** Answers every request with a redirect to this address. */
  redirectFrom(path: string, to: string): string;
  readonly requests: { method: string; headers: IncomingHttpHeaders }[];
  readonly trace: string[];
  /** As after a restart: it no longer knows any session. */
  forgetSessions(): void;
  close(): Promise<void>;
}

/** Requires the key, if there is one. Runs in this process on a free port. The tool `dies` cuts every connection and stops listening. */
export async function startHttpMcpServer({ key }: { key?: string } = {}): Promise<HttpMcpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const redirects = new Map<string, string>();
  const requests: HttpMcpServer["requests"] = [];
  const trace: string[] = [];

  const http = createServer(async (request, response) => {
    requests.push({ method: request.method ?? "", headers: request.headers });
    if (key !== undefined && request.headers["x-key"] !== key) {
      response.writeHead(401).end();
      return;
    }
    const to = redirects.get(request.url ?? "");
    if (to !== undefined) {
      response.writeHead(307, { location: to }).end();
      return;
    }
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      response.writeHead(404).end();
      return;
    }
    await (known ?? (await openSession())).handleRequest(request, response);
  });
  const end = () => {
    http.close();
    http.closeAllConnections();
  };

  async function openSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = createScriptedMcpServer({ trace: (line) => void trace.push(line), die: end, poisoned: false });
    await server.connect(transport as Transport);
    return transport;
  }

  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    redirectFrom(path, to) {
      redirects.set(path, to);
      return `${origin}${path}`;
    },
    requests,
    trace,
    forgetSessions: () => sessions.clear(),
    async close() {
      if (!http.listening) return;
      const closed = once(http, "close");
      end();
      await closed;
    },
  };
}
