import type { JsonValue, ToolAction, ToolDetails, ToolExecution, ToolSummary } from "@skein/contracts";

/** All that is known of a tool execution at one moment. */
export interface ToolObservation {
  toolName: string;
  input: JsonValue;
  /** What it printed so far, or gave back. */
  output: string;
  isError: boolean;
  /** What the agent's tool returned in addition to its text. */
  structured?: JsonValue | undefined;
  state: ToolExecution["state"];
}

/** A summary as a processor gives it: the registry makes the subject one short line and adds the state. */
export interface SummaryDraft {
  action: ToolAction;
  /** Of any length and with any white space; an empty one counts as not known. */
  subject?: string | undefined;
  count?: number | undefined;
  total?: number | undefined;
  /** Only where it is not the one that is observed. */
  state?: ToolSummary["state"] | undefined;
}

/** How a tool execution is shown. */
export interface ToolPresentation {
  /** Data, which every client has words for; or a sentence, which is shown as it is. */
  summary: SummaryDraft | string;
  details?: ToolDetails | undefined;
}

/** A presentation as a card holds it. */
export interface PresentedTool {
  summary: ToolSummary;
  details?: ToolDetails | undefined;
  /** Set where the user's own processor for this tool failed: what is shown is another one's. */
  failure?: ToolExecution["processorFailure"];
  /** Set by who knows the folders: no processor does. */
  changedElsewhere?: ToolExecution["changedElsewhere"];
}

/**
 * How one kind of tool is shown. Input and result are what a model and an agent wrote: any shape, never trusted. `present` is
 * called for every change of a card and must be synchronous and pure: the same observation always gives the same presentation.
 */
export interface ToolProcessor {
  readonly toolNames: readonly string[];
  /** For tools that are known by the form of their name: those of MCP servers. */
  recognises?(toolName: string): boolean;
  present(observation: ToolObservation): ToolPresentation;
}

/** The tool did its work: its effect may be shown. */
export function hasSucceeded({ state, isError }: ToolObservation): boolean {
  return state === "completed" && !isError;
}
