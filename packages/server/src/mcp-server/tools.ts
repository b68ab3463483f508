import type { CallToolResult, McpServer, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import type { TokenScope } from "@skein/contracts";
import type { z } from "zod";
import type { Api } from "./api.ts";
import { orToolError } from "./tool-result.ts";

/** One tool, with the scope that a token needs to use it. */
export interface SkeinTool {
  name: string;
  scope: TokenScope;
  register(server: McpServer, api: Api): void;
}

/** What a tool gets in addition to its input. */
export interface ToolUse {
  api: Api;
  /** Aborted when the caller cancels the call or disconnects. */
  signal: AbortSignal;
  /** Reports progress, if the caller has asked for it. */
  report(progress: { progress: number; message: string }): Promise<void>;
}

/** Defines a tool with schemas of its input and its structured output. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: {
  name: string;
  scope: TokenScope;
  title: string;
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  run(input: z.output<Input>, use: ToolUse): Promise<CallToolResult>;
}): SkeinTool {
  const { name, scope, title, description, input, output, annotations } = tool;
  return {
    name,
    scope,
    register(server, api) {
      const schemas: { inputSchema: z.ZodObject; outputSchema: z.ZodObject } = { inputSchema: input, outputSchema: output };
      server.registerTool(name, { title, description, ...schemas, annotations }, (given: unknown, context: ServerContext) =>
        orToolError(() => tool.run(given as z.output<Input>, { api, signal: context.mcpReq.signal, report: toReporter(context) })),
      );
    },
  };
}

function toReporter({ mcpReq }: ServerContext): ToolUse["report"] {
  const token = mcpReq._meta?.progressToken;
  return async (params) => {
    if (token === undefined) return;
    // a caller that is gone gets no progress, and no error either
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, ...params } }).catch(() => {});
  };
}

/** Changes nothing. */
export const reading: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Adds something; repeating it with the same key adds nothing. */
export const adding: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
