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

export function createLineIds(executionId: ExecutionId, line: LogLine): LineIds {
  let count = 0;
  return {
    next() {
      // Made when it is needed: most lines name nothing.
      const first = `msg_${toScope(executionId)}_o${line.offset.toString(36)}`;
      const id = count === 0 ? first : `${first}_${count}`;
      count += 1;
      return id as MessageId;
    },
  };
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
