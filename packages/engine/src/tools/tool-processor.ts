import type { JsonValue, ToolAction, ToolDetails, ToolExecution, ToolSummary } from "@skein/contracts";

/** Everything that is known about a tool execution at one moment. */
export interface ToolObservation {
  toolName: string;
  input: JsonValue;
  /** Its output so far, or its result. */
  output: string;
  isError: boolean;
  /** Structured result of the agent's tool in addition to its text. */
  structured?: JsonValue | undefined;
  state: ToolExecution["state"];
}

/** A processor's summary: the registry shortens the subject to one line and adds the state. */
export interface SummaryDraft {
  action: ToolAction;
  /** Any length and any white space; empty counts as unknown. */
  subject?: string | undefined;
  count?: number | undefined;
  total?: number | undefined;
  /** Only if it differs from the observed one. */
  state?: ToolSummary["state"] | undefined;
}

/** How a tool execution is displayed. */
export interface ToolPresentation {
  /** Data, which every client translates; or a sentence, which is shown unchanged. */
  summary: SummaryDraft | string;
  details?: ToolDetails | undefined;
}

/** The presentation of a card. */
export interface PresentedTool {
  summary: ToolSummary;
  details?: ToolDetails | undefined;
  /** Set if the user's own processor for this tool failed: another one's presentation is shown. */
  failure?: ToolExecution["processorFailure"];
  /** Set by the caller, which knows the folders. */
  changedElsewhere?: ToolExecution["changedElsewhere"];
}

/**
 * Displays one kind of tool. Input and result are written by a model and an agent: any shape, never trusted. `present` is called for
 * every change of a card and must be synchronous and pure: the same observation always gives the same presentation.
 */
export interface ToolProcessor {
  readonly toolNames: readonly string[];
  /** For tools that are recognised by the form of their name: those of MCP servers. */
  recognises?(toolName: string): boolean;
  present(observation: ToolObservation): ToolPresentation;
}

/** The tool succeeded: its effect may be shown. */
export function hasSucceeded({ state, isError }: ToolObservation): boolean {
  return state === "completed" && !isError;
}
