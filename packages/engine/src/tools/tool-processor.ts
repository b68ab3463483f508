import type { JsonValue, ToolDetails, ToolExecution } from "@skein/contracts";

/** All that is known of a tool execution at one moment. */
export interface ToolObservation {
  toolName: string;
  input: JsonValue;
  /** What it printed so far, or gave back. */
  output: string;
  isError: boolean;
  /** What the agent's tool returned beside its text. */
  structured?: JsonValue | undefined;
  state: ToolExecution["state"];
}

export interface ToolPresentation {
  /** One line. */
  summary: string;
  details?: ToolDetails | undefined;
  /** Set by a registry whose own processor for this tool failed: what is shown is another one's. */
  failure?: ToolExecution["processorFailure"];
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
