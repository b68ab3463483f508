import { createHash } from "node:crypto";
import type { ExecutionId, MessageId } from "@skein/contracts";
import type { LogLine } from "@skein/engine";
import { takeStart } from "@skein/engine/truncate";

const maxNativeIdLength = 120;

/** Ids for the outputs of an agent's line. The same line of the same log always gets the same ids. */
export interface LineIds {
  /** A new message id for each call: `msg_<execution>_o<offset>`, then `…_1`, `…_2`. */
  next(): MessageId;
}

/** The ids of one line after the other. */
export class ExecutionLineIds implements LineIds {
  readonly #prefix: string;
  #offset = 0;
  #count = 0;

  constructor(executionId: ExecutionId) {
    this.#prefix = `msg_${toScope(executionId)}_o`;
  }

  /** Begins the next line. */
  enter({ offset }: Pick<LogLine, "offset">): void {
    this.#offset = offset;
    this.#count = 0;
  }

  next(): MessageId {
    const first = `${this.#prefix}${this.#offset.toString(36)}`;
    const id = this.#count === 0 ? first : `${first}_${this.#count}`;
    this.#count += 1;
    return id as MessageId;
  }
}

export function createLineIds(executionId: ExecutionId, line: LogLine): LineIds {
  const ids = new ExecutionLineIds(executionId);
  ids.enter(line);
  return ids;
}

/**
 * Agents restart their numbering in every run (`item_0`), and some derive ids from the clock: without the execution in the id, a call
 * could be paired with a result of another execution. Very long ids are shortened to save memory.
 */
export function toToolUseId(executionId: ExecutionId, nativeId: string): string {
  const short =
    nativeId.length <= maxNativeIdLength
      ? nativeId
      : `${takeStart(nativeId, 40)}_${createHash("sha256").update(nativeId).digest("hex").slice(0, 32)}`;
  return `${toScope(executionId)}_${short}`;
}

function toScope(executionId: ExecutionId): string {
  return executionId.slice("exe_".length);
}
