import type { Attempt, EndedExecution } from "@skein/contracts";
import type { ReceivedEvent } from "../client/event-stream.ts";

/** Shows what an execution does, as it does it. */
export interface RunPrinter {
  event(received: ReceivedEvent): void;
  /** Ends a line of text that is still open: a question on the terminal would overwrite it. */
  endLine(): void;
  /** Something the command itself has to say. */
  note(text: string): void;
  end(execution: EndedExecution, attempt: Attempt): void;
}
