import type {
  ChangedElsewhere,
  ConversationMessage,
  JsonValue,
  ToolDetails,
  ToolExecution,
  ToolExecutionEndState,
  ToolExecutionMessage,
  ToolSummary,
} from "@skein/contracts";
import { formatToolSummary } from "@skein/engine";
import { countChanges, toDiffRows } from "../diff/to-diff-rows.ts";
import { firstLine } from "../text/first-line.ts";
import { toToolSummary } from "./tool-summary.ts";

/** Longer than any the engine writes. */
const summaryLength = 500;

export type ToolCardState = "running" | "waiting" | "requested" | ToolExecutionEndState;
export type ToolKind = "edit" | "read" | "command" | "search" | "list" | "todo" | "web" | "image" | "agent" | "plan" | "question" | "other";
export type ToolCardMessage = Extract<ConversationMessage, { messageType: "tool_execution" | "tool_use" | "tool_result" }>;

/** What a tool card shows. Everything it needs to know is decided here. */
export interface ToolCardView {
  id: string;
  toolName: string;
  kind: ToolKind;
  state: ToolCardState;
  summary: string;
  startedAt: number;
  /** Null while it runs, and where it is not known. */
  durationMs: number | null;
  /** Lines that an edit added and removed. */
  changes: { additions: number; deletions: number } | null;
  details: ToolDetails | null;
  /** Shown where no renderer shows it already. */
  input: JsonValue | null;
  output: string | null;
  outputIsError: boolean;
  /** Where all of an output is that was too long to be shown. */
  downloadPath: string | null;
  /** It was started, and its end was not seen. */
  mayHaveRun: boolean;
  annotations: readonly string[];
  /** Files outside the attempt's folder that it changes. */
  changedElsewhere: readonly ChangedElsewhere[];
  /** The user's tool processor that failed to present it. */
  processorFailure: { file: string; reason: string } | null;
}

/** `format` gives a summary the words of the user's language; what a tool printed stays as it is. */
export function toToolCardView(message: ToolCardMessage, format: (summary: ToolSummary) => string = formatToolSummary): ToolCardView {
  switch (message.messageType) {
    case "tool_execution":
      return fromExecution(message, format);
    case "tool_use": {
      const { toolName, input } = message.metadata;
      return { ...common(message, toolName), state: "requested", summary: firstLine(message.content) || toolName, input };
    }
    case "tool_result": {
      const { toolName = "", isError, output = message.content, details = null, ...result } = message.metadata;
      const state = result.state ?? (isError ? "failed" : "completed");
      const image = details?.type === "image" ? details : null;
      return {
        ...common(message, toolName),
        kind: toolKind(toolName, image),
        state,
        summary: firstLine(output) || toolName,
        durationMs: result.durationMs ?? null,
        details: image,
        output,
        outputIsError: isError,
        downloadPath: toDownloadPath(result),
        mayHaveRun: state === "interrupted",
        processorFailure: result.processorFailure ?? null,
      };
    }
  }
}

function fromExecution(message: ToolExecutionMessage, format: (summary: ToolSummary) => string): ToolCardView {
  const execution = message.metadata;
  const details = execution.details ?? null;
  const ended = execution.state !== "running";
  const showsOutput = details !== null && !(execution.isError && details.type !== "commandOutput");
  return {
    ...common(message, execution.toolName),
    kind: toolKind(execution.toolName, details),
    state: execution.state,
    summary: firstLine(format(toToolSummary(message)), summaryLength) || execution.toolName,
    durationMs: ended ? execution.durationMs : null,
    changes: details?.type === "diff" ? diffChanges(details) : null,
    details,
    input: details === null ? execution.input : null,
    output: showsOutput ? null : execution.output,
    outputIsError: execution.isError,
    downloadPath: toDownloadPath(execution),
    mayHaveRun: execution.state === "interrupted",
    annotations: execution.annotations ?? [],
    changedElsewhere: execution.changedElsewhere ?? [],
    processorFailure: execution.processorFailure ?? null,
  };
}

function toDownloadPath({ executionId, outputFile }: Pick<ToolExecution, "executionId" | "outputFile">): string | null {
  if (executionId === undefined || outputFile === undefined) return null;
  return `/api/executions/${encodeURIComponent(executionId)}/outputs/${encodeURIComponent(outputFile)}`;
}

function common(message: ToolCardMessage, toolName: string): ToolCardView {
  return {
    id: message.id,
    toolName,
    kind: toolKind(toolName, null),
    state: "completed",
    summary: "",
    startedAt: message.timestamp,
    durationMs: null,
    changes: null,
    details: null,
    input: null,
    output: null,
    outputIsError: false,
    downloadPath: null,
    mayHaveRun: false,
    annotations: [],
    changedElsewhere: [],
    processorFailure: null,
  };
}

const kindOfDetails: Record<ToolDetails["type"], ToolKind> = {
  diff: "edit",
  fileList: "list",
  commandOutput: "command",
  searchResults: "search",
  todoList: "todo",
  fileContent: "read",
  webResult: "web",
  image: "image",
  subagent: "agent",
  plan: "plan",
  question: "question",
};

const kindOfName: [RegExp, ToolKind][] = [
  [/^(?:bash|shell|exec|run|terminal|local_shell|setup$)/i, "command"],
  [/edit|write|patch|replace/i, "edit"],
  [/todo|plan/i, "todo"],
  [/web|fetch|browser/i, "web"],
  [/grep|search|find/i, "search"],
  [/glob|^ls$|list/i, "list"],
  [/read|view|cat/i, "read"],
  [/task|agent/i, "agent"],
];

export function toolKind(toolName: string, details: ToolDetails | null): ToolKind {
  if (details) return kindOfDetails[details.type];
  return kindOfName.find(([pattern]) => pattern.test(toolName))?.[1] ?? "other";
}

function diffChanges({ data }: Extract<ToolDetails, { type: "diff" }>): ToolCardView["changes"] {
  const files = [data, ...(data.otherFiles ?? [])];
  const counts = files.map((file) => countChanges(toDiffRows(file)));
  const additions = counts.reduce((sum, count) => sum + count.additions, 0);
  const deletions = counts.reduce((sum, count) => sum + count.deletions, 0);
  return additions + deletions === 0 ? null : { additions, deletions };
}
