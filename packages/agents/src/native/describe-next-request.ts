import { join } from "node:path";
import {
  type CompressionForecast,
  createId,
  type DescribedRequest,
  type MessageBody,
  type MessageEntity,
  type RequestPart,
} from "@skein/contracts";
import {
  applyPruning,
  foreseeCompression,
  isSummaryMessage,
  type Model,
  type ModelRequest,
  type RequestStep,
  type TokenCounter,
} from "@skein/engine";
import type { McpOffer } from "../mcp/connect-mcp-servers.ts";
import type { NativeTool } from "../tools/tool.ts";
import { createBuildRequest } from "./build-request.ts";
import { createCompressionLimits } from "./compaction.ts";
import { executionFiles } from "./execution-files.ts";
import { readMcpRecord } from "./mcp-record.ts";
import { PendingApprovals } from "./pending-approvals.ts";
import { prepareConversation } from "./prepare-conversation.ts";
import type { PreviewInput } from "./preview-input.ts";
import { applyOmissions } from "./request-omissions.ts";
import { createTurn, toUserMessage } from "./run-native-turn.ts";
import { SteeringQueue } from "./steering-queue.ts";
import { toRequestContent } from "./stream-assistant-message.ts";
import { toToolDefinitions } from "./tool-definitions.ts";

/** What is known about a request before it is converted to a provider's format. */
export type RequestDescription = Pick<DescribedRequest, "steps" | "system" | "tools" | "unknownMcpServers" | "parts" | "tokens"> & {
  request: ModelRequest;
  /** What the agent would do first if its model accepted this many tokens. */
  foresee(window: number): CompressionForecast | null;
};

/**
 * The next request of a conversation, built from the same parts and in the same way as in `runNativeTurn`. Starts nothing: the tools of
 * MCP servers are those that the last execution which used them found.
 * @throws RequestValidationError if the history cannot be sent.
 */
export async function describeNextRequest(preview: PreviewInput): Promise<RequestDescription> {
  const [{ input, tools, systemPrompts }, offers] = await Promise.all([prepareConversation(preview), readOffers(preview)]);
  const prompts = [...systemPrompts, ...offers.flatMap((offer) => offer.systemPrompts)];
  const steps: RequestStep[] = [];
  const buildRequest = createBuildRequest({ onStep: (step) => steps.push(step) });
  const turn = createTurn({
    input,
    model: toSilentModel(input.model),
    tools: [...tools, ...offers.flatMap((offer) => offer.tools.map(toListedTool))],
    systemPrompts: prompts,
    buildRequest,
    approvals: new PendingApprovals(),
    steering: new SteeringQueue(),
    emit: () => {},
    signal: new AbortController().signal,
    now: Date.now,
    createMessageId: () => createId("msg"),
  });
  const next: MessageEntity[] = preview.hasMessage ? [{ id: "next", body: toUserMessage(input) }] : [];
  const history = { messages: [...input.history, ...next], ...input.compression };
  const messages = applyPruning(history.messages, history.pruning);
  const toLimits = createCompressionLimits(turn, { input, systemPrompts: prompts });
  const built = buildRequest({ systemPrompts: prompts, messages, summary: input.compression.summary });
  const definitions = toToolDefinitions(turn.tools);
  const request = { ...applyOmissions(toRequestContent(turn, built), turn.omissions), tools: definitions.list };
  const parts = toParts(built, { counter: turn.counter, definitions });
  const reached = new Set(offers.map(({ server }) => server));
  return {
    request,
    // a running turn compresses only before its first request
    foresee: (window) => (preview.hasMessage ? foreseeCompression({ ...history, ...toLimits(window) }) : null),
    steps: steps.map(({ step, messages }) => ({ step, messages })),
    system: built
      .filter(isSystemPrompt)
      .map(({ content }) => content)
      .join("\n"),
    tools: [...definitions.list],
    unknownMcpServers: preview.mcpServerNames.filter((name) => !reached.has(name)),
    parts,
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** Of servers that would be used now, as found by the newest execution that connected to one of them. */
async function readOffers({ executionFolders, mcpServerNames }: PreviewInput): Promise<McpOffer[]> {
  if (mcpServerNames.length === 0) return [];
  for (const folder of executionFolders) {
    const record = await readMcpRecord(join(folder, executionFiles.mcpTools));
    if (record !== undefined) return record.offers.filter(({ server }) => mcpServerNames.includes(server));
  }
  return [];
}

/** A tool that is only listed, never called. */
function toListedTool(definition: NativeTool["definition"]): NativeTool {
  return { definition, access: "command", prepare: () => ({ ok: false, error: "Not available in a preview." }) };
}

function toSilentModel(id: string): Model {
  return {
    id,
    contextWindow: Number.POSITIVE_INFINITY,
    stream() {
      throw new Error("A preview sends nothing.");
    },
  };
}

function isSystemPrompt(body: MessageBody): body is Extract<MessageBody, { role: "system" }> {
  return body.role === "system" && !isSummaryMessage(body);
}

function toParts(
  messages: readonly MessageBody[],
  { counter, definitions }: { counter: TokenCounter; definitions: ReturnType<typeof toToolDefinitions> },
): RequestPart[] {
  const parts = new Map<RequestPart["part"], RequestPart>();
  for (const part of ["system", "tools", "summary", "user", "assistant", "tool"] as const) parts.set(part, { part, tokens: 0, count: 0 });
  const add = (name: RequestPart["part"], tokens: number, count: number): void => {
    const known = parts.get(name);
    if (known === undefined) return;
    known.tokens += tokens;
    known.count += count;
  };
  add("tools", counter.countText(definitions.text), definitions.list.length);
  for (const body of messages) add(isSummaryMessage(body) ? "summary" : body.role, counter.count(body), 1);
  return [...parts.values()].filter(({ count }) => count > 0);
}
