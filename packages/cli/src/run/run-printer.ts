import type { Delivery, EndedExecution } from "@skein/contracts";

/** Shows the progress of an execution. */
export interface RunPrinter {
  event(received: Delivery): void;
  /** Ends a line of text that is still open: a question on the terminal would overwrite it. */
  endLine(): void;
  /** What the command itself reports. */
  note(text: string): void;
  /** `lines` follow the outcome. */
  end(execution: EndedExecution, lines: readonly string[]): void;
}
