import type { ExecutionId, ExecutionOrigin } from "@skein/contracts";

/** Result of `StoredExecutions.describeStored`. */
export interface StoredExecution {
  /** Folder of its log, in the quarantine or not. */
  directory: string;
  /** Size of log and outputs on disk, in bytes. */
  bytes: number;
  /** Epoch ms; 0 if there is no folder. */
  createdAt: number;
}

/**
 * What executions leave on a host: a folder with the log, and one with outputs that are too long to show. The quarantine holds both for
 * executions that are not in the database, because a backup was restored or the file was replaced.
 */
export interface StoredExecutions {
  /** Executions with files outside the quarantine. */
  listStored(): Promise<ExecutionId[]>;
  /** Paths of the folders of executions, whether or not they exist, in the order of `ids`. */
  locate(input: { ids: readonly ExecutionId[] }): Promise<string[]>;
  /** What an execution belongs to, in the quarantine or not; null if its origin file is missing or invalid. */
  readOrigin(input: { id: ExecutionId }): Promise<ExecutionOrigin | null>;
  describeStored(input: { id: ExecutionId }): Promise<StoredExecution>;

  /**
   * Marks executions as deleted by the user. Call it before their rows are deleted: a server that is killed after that leaves files
   * that are known to be unwanted.
   */
  markDeleted(input: { ids: readonly ExecutionId[] }): Promise<void>;
  /** Removes the marks. Never rejects. */
  unmarkDeleted(input: { ids: readonly ExecutionId[] }): Promise<void>;
  isMarkedDeleted(input: { id: ExecutionId }): Promise<boolean>;
  /** Removes log and outputs, and the mark last. */
  removeStored(input: { id: ExecutionId }): Promise<void>;

  /** Removes the logs of executions that have ended and are stored, and keeps their outputs. Continues after a removal that was cut off. */
  removeLogs(input: { ids: readonly ExecutionId[] }): Promise<void>;

  /** Moves log and outputs to the quarantine. Returns the folder there. */
  quarantine(input: { id: ExecutionId }): Promise<{ directory: string }>;
  listQuarantined(): Promise<ExecutionId[]>;
  /** Moves log and outputs back from the quarantine. */
  restoreQuarantined(input: { id: ExecutionId }): Promise<void>;
  removeQuarantined(input: { id: ExecutionId }): Promise<void>;

  /** Size in bytes of a tool's full output; null if there is none with this name. */
  findOutput(input: { id: ExecutionId; name: string }): Promise<{ size: number } | null>;
  /** Reads an output that `findOutput` has found. */
  readOutput(input: { id: ExecutionId; name: string }): AsyncIterable<Uint8Array>;
}
