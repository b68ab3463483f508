import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { skeinProgram } from "../../packages/cli/src/testing/skein-program.ts";

/** The current revision of the protocol, and the one before. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof revisions)[number];

export interface McpUser {
  revision: string | undefined;
  names(): Promise<string[]>;
  /** The structured result of a tool; rejects with its text if it is an error. */
  call<Result = Record<string, unknown>>(name: string, input?: Record<string, unknown>, options?: CallOptions): Promise<Result>;
  client: Client;
}
interface CallOptions {
  signal?: AbortSignal;
  onProgress?(message: string): void;
}

/** A tool reported an error. */
export class ToolError extends Error {
  readonly code: unknown;
  constructor(text: string, code: unknown) {
    super(text);
    this.code = code;
  }
}

/** The official client over streamable HTTP. */
export function connectHttp(url: string, token: string, revision: Revision = "2026-07-28"): Promise<McpUser> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }), revision);
}

/** The official client, which starts `skein mcp`. */
export function connectStdio(home: string, args: string[] = [], options: { revision?: Revision; token?: string } = {}): Promise<McpUser> {
  const env = { PATH: process.env.PATH ?? "", HOME: home, ...(options.token === undefined ? {} : { SKEIN_TOKEN: options.token }) };
  const all = ["--disable-warning=ExperimentalWarning", skeinProgram, "mcp", "--home", home, ...args];
  return connect(new StdioClientTransport({ command: process.execPath, args: all, env }), options.revision ?? "2026-07-28");
}

async function connect(transport: Parameters<Client["connect"]>[0], revision: Revision): Promise<McpUser> {
  const mode: ClientOptions = revision === "2025-11-25" ? {} : { versionNegotiation: { mode: { pin: revision } } };
  const client = new Client({ name: "test", version: "1" }, mode);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    revision: client.getNegotiatedProtocolVersion(),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call<Result>(name: string, input = {}, { signal, onProgress }: CallOptions = {}) {
      const result = await client.callTool(
        { name, arguments: input },
        {
          timeout: 120_000,
          ...(signal === undefined ? {} : { signal }),
          ...(onProgress === undefined ? {} : { onprogress: ({ message }: { message?: string | undefined }) => onProgress(message ?? "") }),
        },
      );
      const [first] = result.content as { type: string; text?: string }[];
      if (result.isError === true) throw new ToolError(first?.text ?? "", result._meta?.["skein/code"]);
      return result.structuredContent as Result;
    },
  };
}
