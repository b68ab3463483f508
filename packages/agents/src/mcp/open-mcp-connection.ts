import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ListRootsRequestSchema, McpError, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { McpFailureText, McpServerDefinition } from "@skein/contracts";
import { z } from "zod";
import type { SandboxOrder } from "../sandbox/sandbox-order.ts";
import { createHttpTransport } from "./http-transport.ts";
import { type McpAnswer, mcpAnswerSchema } from "./mcp-answer.ts";
import { McpConnectionError } from "./mcp-connection-error.ts";
import { type McpTool, parseMcpTool } from "./mcp-tool.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface McpConnectionOptions {
  definition: McpServerDefinition;
  directory: string;
  environment: Readonly<Record<string, string>>;
  /** For a server that is a program. */
  sandbox?: SandboxOrder | undefined;
  signal: AbortSignal;
  /** Time limit for starting, initializing and listing the tools together. */
  startTimeoutMs: number;
  onToolsChanged(): void;
}

export interface McpCall {
  name: string;
  arguments: Record<string, unknown>;
  signal: AbortSignal;
  /** Time limit without an answer or progress. */
  timeoutMs: number;
  onProgress(text: string): void;
}

export interface McpConnection {
  /** As last listed. */
  readonly tools: ReadonlyMap<string, McpTool>;
  readonly instructions: string;
  /** Rejects with a protocol error, or with that of the connection, which is `lost` then. */
  call(call: McpCall): Promise<McpAnswer>;
  /** Why nothing can be called any more; undefined while connected. */
  readonly lost: McpFailureText | undefined;
  close(): Promise<void>;
}

const mostPages = 50;
const longestCallMs = 30 * 60_000;
const farewellMs = 1000;
const probeMs = 5000;

/** Rejects with `McpConnectionError`, after everything that it started has ended. */
export async function openMcpConnection(options: McpConnectionOptions): Promise<McpConnection> {
  const { definition, directory, startTimeoutMs } = options;
  const transport =
    definition.type === "stdio"
      ? new StdioTransport({
          command: definition.command,
          args: definition.args,
          cwd: directory,
          environment: { ...options.environment, ...definition.env },
          sandbox: options.sandbox,
        })
      : createHttpTransport(definition);
  const client = new Client({ name: "skein", title: "Skein", version: "0.1.0" }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: [{ uri: pathToFileURL(directory).href, name: basename(directory) }],
  }));

  let tools: ReadonlyMap<string, McpTool> = new Map();
  let lost: McpFailureText | undefined;
  /** Rejects the calls without an answer. */
  const rejections = new Set<(error: Error) => void>();
  const lose = (reason: McpFailureText): Error => {
    lost ??= reason;
    const error = new McpConnectionError(lost);
    for (const reject of rejections) reject(error);
    return error;
  };
  const program = transport instanceof StdioTransport ? transport : undefined;
  /** The program's end explains more than the connection's. */
  const explain = (failure: McpFailureText): McpFailureText => ({ ...(program?.exit ?? failure), ...program?.printed });
  client.onclose = () => void lose(explain({ code: "mcp-connection-closed" }));

  const deadline = AbortSignal.any([options.signal, AbortSignal.timeout(startTimeoutMs)]);
  const request = { signal: deadline, timeout: startTimeoutMs };
  const refresh = async (during: { signal?: AbortSignal; timeout: number }) => {
    tools = client.getServerCapabilities()?.tools === undefined ? new Map() : await listTools(client, during);
  };
  try {
    // the SDK's transport does not satisfy its own interface with exactOptionalPropertyTypes
    await client.connect(transport as Transport, request);
    await refresh(request);
  } catch (error) {
    const isLate = deadline.aborted && !options.signal.aborted;
    const failure = explain(isLate ? { code: "mcp-no-answer", seconds: startTimeoutMs / 1000 } : toFailure(error));
    await transport.close();
    throw new McpConnectionError(failure, { cause: error });
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
    await refresh({ timeout: startTimeoutMs });
    options.onToolsChanged();
  });
  client.onerror = () => {
    // An answer over a broken HTTP stream never arrives: checks whether the server still responds.
    if (rejections.size > 0 && lost === undefined && program === undefined) {
      client.ping({ timeout: probeMs }).catch((error: unknown) => lose(explain(toFailure(error))));
    }
  };

  return {
    get tools() {
      return tools;
    },
    get lost() {
      return lost;
    },
    instructions: client.getInstructions() ?? "",
    async call({ name, arguments: input, signal, timeoutMs, onProgress }) {
      const answer = Promise.withResolvers<McpAnswer>();
      rejections.add(answer.reject);
      const options = {
        // the SDK never removes its listener: use a signal that lives as long as the call
        signal: AbortSignal.any([signal]),
        timeout: timeoutMs,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: Math.max(longestCallMs, timeoutMs),
        onprogress: (progress: Parameters<typeof describeProgress>[0]) => onProgress(describeProgress(progress)),
      };
      try {
        const params = { name, arguments: input };
        client.request({ method: "tools/call", params }, mcpAnswerSchema, options).then(answer.resolve, answer.reject);
        return await answer.promise;
      } catch (error) {
        throw error instanceof McpError || signal.aborted || lost !== undefined ? error : lose(explain(toFailure(error)));
      } finally {
        rejections.delete(answer.reject);
      }
    },
    async close() {
      client.onclose = () => {};
      if (!(transport instanceof StdioTransport) && lost === undefined) {
        const timer = Promise.withResolvers<void>();
        const timeout = setTimeout(timer.resolve, farewellMs);
        await Promise.race([transport.terminateSession().catch(() => {}), timer.promise]);
        clearTimeout(timeout);
      }
      await client.close();
      await transport.close();
    },
  };
}

const toolPageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Not the SDK's own listing, which rejects all tools if one is invalid. */
async function listTools(client: Client, options: { signal?: AbortSignal; timeout: number }): Promise<ReadonlyMap<string, McpTool>> {
  const tools = new Map<string, McpTool>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const answer = await client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, toolPageSchema, options);
    for (const value of answer.tools) {
      const tool = parseMcpTool(value);
      if (tool !== undefined && !tools.has(tool.name)) tools.set(tool.name, tool);
    }
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

function describeProgress({ progress, total, message }: { progress: number; total?: number | undefined; message?: string | undefined }) {
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined || message === "" ? `${count}\n` : `${message} (${count})\n`;
}

function toFailure(error: unknown): McpFailureText {
  if (error instanceof McpConnectionError) return error.failure;
  if (!(error instanceof Error)) return { code: "mcp-connection-failed", said: String(error) };
  if (error.cause instanceof McpConnectionError) return error.cause.failure;
  if ("code" in error && (error.code === 401 || error.code === 403)) return { code: "mcp-key-required", status: error.code };
  const said = error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
  return { code: "mcp-connection-failed", said };
}
