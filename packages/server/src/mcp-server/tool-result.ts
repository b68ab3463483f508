import type { CallToolResult } from "@modelcontextprotocol/server";
import { ApiProblem } from "./api.ts";

/** A successful result: data for programs, and a text for models; default: the data as JSON. */
export function toResult(data: Record<string, unknown>, options: { text?: string; links?: readonly ResourceLink[] } = {}): CallToolResult {
  const text = options.text ?? JSON.stringify(data);
  return { content: [{ type: "text", text }, ...(options.links ?? [])], structuredContent: data };
}

export type ResourceLink = Extract<CallToolResult["content"][number], { type: "resource_link" }>;

/** What the server rejects is a result that the model can read and act on, not a failure of the protocol. */
export async function orToolError(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiProblem) {
      return { isError: true, content: [{ type: "text", text: error.message }], _meta: { "skein/code": error.problem.code } };
    }
    throw error;
  }
}

/** Resources of an attempt. */
export function toAttemptLinks(attemptId: string): ResourceLink[] {
  return [
    {
      ...{ type: "resource_link", uri: toConversationUri(attemptId), name: `Conversation of ${attemptId}`, mimeType: "text/markdown" },
      description: "The whole conversation of the attempt, as Markdown",
    },
    {
      ...{ type: "resource_link", uri: toDiffUri(attemptId), name: `Changes of ${attemptId}`, mimeType: "text/x-diff" },
      description: "Everything that the attempt has changed since its base, as a unified diff",
    },
  ];
}

export function toConversationUri(attemptId: string): string {
  return `skein://attempts/${attemptId}/conversation`;
}

export function toDiffUri(attemptId: string): string {
  return `skein://attempts/${attemptId}/diff`;
}

/** Keeps the beginning and reports how much is left out. */
export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n… (${text.length - longest} more characters)`;
}
