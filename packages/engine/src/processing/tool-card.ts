import type {
  ExecutionId,
  ImagePart,
  JsonValue,
  ToolDetails,
  ToolExecutionEndState,
  ToolExecutionMessage,
  ToolSummary,
} from "@skein/contracts";
import { formatToolSummary } from "../summaries/format-tool-summary.ts";
import { keepStart } from "../text/truncate.ts";
import { stringField } from "../tools/json-fields.ts";
import type { PresentedTool } from "../tools/tool-processor.ts";
import type { PresentTool } from "../tools/tool-registry.ts";
import type { OpenCall, ToolResultRecord } from "./processor-state.ts";

const maxAnnotationLength = 2048;
const maxAnnotations = 20;

interface CardContext {
  executionId: ExecutionId;
  present: PresentTool;
}

/** How a call ended. Without a result it was interrupted or timed out: its output so far is kept. */
export type CallEnd = { at: number; result: ToolResultRecord } | { at: number; state: "interrupted" | "timed-out" };

/** The final state of a card. */
export function toEndState(end: CallEnd): ToolExecutionEndState {
  if ("state" in end) return end.state;
  return end.result.state ?? (end.result.isError ? "failed" : "completed");
}

/** The card of a running call. */
export function toRunningCard(call: OpenCall, { executionId, present }: CardContext): ToolExecutionMessage {
  const { toolName, input, output } = call;
  const shown = present({ toolName, input, output, isError: false, state: "running" });
  const metadata = Object.assign(toCommon(call, executionId, shown), { output, state: "running" as const, isError: false as const });
  return toCard(call, metadata);
}

/** The card of an ended call. */
export function toEndedCard(call: OpenCall, end: CallEnd, { executionId, present }: CardContext): ToolExecutionMessage {
  const { toolName, input } = call;
  const state = toEndState(end);
  const result = "result" in end ? end.result : undefined;
  const output = result === undefined ? call.output : result.output;
  const isError = result?.isError === true || state !== "completed";
  const shown = present({ toolName, input, output, isError, structured: result?.structured, state });
  const image = result?.images?.[0];
  const details = image === undefined ? shown.details : toImageDetails(image, shown.details);
  const common = toCommon(call, executionId, shown);
  if (details !== undefined) common.details = details;
  const outputFile = findOutputFile(result?.structured);
  if (outputFile !== undefined) common.outputFile = outputFile;
  return toCard(call, Object.assign(common, { output, state, isError, durationMs: Math.max(0, end.at - call.at) }));
}

/** Agents name the file of an output that was too long; its path on disk must not be sent to clients. */
function findOutputFile(structured: JsonValue | undefined): string | undefined {
  const path = stringField(structured, "outputFile");
  return path?.slice(path.lastIndexOf("/") + 1) || undefined;
}

/** An image replaces the tool's text about it, except for the name of its file. */
function toImageDetails({ mediaType, data }: ImagePart, shown: ToolDetails | undefined): ToolDetails {
  const filePath = shown?.type === "fileContent" ? shown.data.filePath : undefined;
  return { type: "image", data: { mediaType, data, ...(filePath === undefined ? {} : { filePath }) } };
}

/** An ended card keeps its state: later results are added as annotations. */
export function annotate(card: ToolExecutionMessage, text: string): ToolExecutionMessage {
  const annotations = card.metadata.annotations ?? [];
  if (annotations.length >= maxAnnotations) return { ...card, revision: card.revision + 1 };
  return {
    ...card,
    revision: card.revision + 1,
    metadata: { ...card.metadata, annotations: [...annotations, keepStart(text, maxAnnotationLength)] },
  };
}

type Metadata = ToolExecutionMessage["metadata"];
/** What cards have in every state. */
type CommonMetadata = Omit<Metadata, "output" | "state" | "isError" | "durationMs"> & { summary: ToolSummary };

/** Assigned, not spread: this runs for every card of every agent, and ten spreads cost more than the rest of it. */
function toCommon(
  { toolName, toolUseId, input, parentToolUseId, replaces }: OpenCall,
  executionId: ExecutionId,
  { summary, details, failure, changedElsewhere }: PresentedTool,
): CommonMetadata {
  const common: CommonMetadata = { executionId, toolName, toolUseId, input, summary };
  if (details !== undefined) common.details = details;
  if (failure !== undefined) common.processorFailure = failure;
  if (changedElsewhere !== undefined) common.changedElsewhere = changedElsewhere;
  if (parentToolUseId !== undefined) common.parentToolUseId = parentToolUseId;
  if (replaces !== undefined) common.replaces = replaces;
  return common;
}

function toCard(call: OpenCall, metadata: Metadata & { summary: ToolSummary }): ToolExecutionMessage {
  return {
    id: `${call.key}-merged`,
    role: "assistant",
    messageType: "tool_execution",
    content: formatToolSummary(metadata.summary),
    timestamp: call.at,
    revision: call.revision,
    metadata,
  };
}
