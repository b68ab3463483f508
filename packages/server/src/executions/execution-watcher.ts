import type { Attempt, EndedExecution } from "@skein/contracts";

/** Learns of executions that this server looks after, also those of workers. Must not throw, and nothing waits for it. */
export interface ExecutionWatcher {
  /** Once for each execution, by the server that stored its end. */
  onEnd(execution: EndedExecution, attempt: Attempt): void;
  /** After a commit: the age of the oldest line in it. */
  onIngested(lagMs: number): void;
}
