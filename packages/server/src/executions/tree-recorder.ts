import type { Attempt, AttemptId, ExecutionId } from "@skein/contracts";
import { recordExecutionTree } from "../git/execution-trees.ts";
import type { Logger } from "../logger.ts";

/** Keeps what an attempt's folder held at the end of each execution, so that their changes can be told apart. */
export interface TreeRecorder {
  /** Never rejects: an execution without its tree is shown with the changes of the next. */
  record(attempt: Attempt, executionId: ExecutionId): Promise<void>;
  /** The next agent of an attempt must not write before it is done. */
  whenDone(attemptId: AttemptId): Promise<void>;
  close(): Promise<void>;
}

export function createTreeRecorder(logger: Logger): TreeRecorder {
  const recording = new Map<AttemptId, Promise<void>>();
  return {
    record({ id, directory }, executionId) {
      const done = recordExecutionTree({ directory, executionId })
        .catch((error: unknown) => logger.warn("what an execution changed could not be recorded", { executionId, error }))
        .finally(() => {
          if (recording.get(id) === done) recording.delete(id);
        });
      recording.set(id, done);
      return done;
    },
    whenDone: (attemptId) => recording.get(attemptId) ?? Promise.resolve(),
    async close() {
      await Promise.all(recording.values());
    },
  };
}
