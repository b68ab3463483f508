import type { Delivery, EndedExecution } from "@skein/contracts";

/** Shows what an execution does, as it does it. */
export interface RunPrinter {
  event(received: Delivery): void;
  /** Ends a line of text that is still open: a question on the terminal would overwrite it. */
  endLine(): void;
  /** What the command itself reports. */
  note(text: string): void;
  /** `lines` follow the outcome. */
  end(execution: EndedExecution, lines: readonly string[]): void;
}
