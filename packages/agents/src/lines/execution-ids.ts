import { createHash } from "node:crypto";
import type { ExecutionId, MessageId } from "@skein/contracts";
import type { LogLine } from "@skein/engine";
import { takeStart } from "@skein/engine/truncate";

const maxNativeIdLength = 120;

/** Names what an agent's line says. The same line of the same log always gets the same ids. */
export interface LineIds {
  /** A message id of its own for each call: `msg_<execution>_o<offset>`, then `…_1`, `…_2`. */
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
  enter({ offset }: LogLine): void {
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
 * Agents start their numbering again in every run (`item_0`), and some choose ids by the clock: without the execution in
 * them, a call of this one would pair with a result of another. A very long id is shortened, so that remembering it is cheap.
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
