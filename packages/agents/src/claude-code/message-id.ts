import { createHash } from "node:crypto";
import type { ExecutionId, MessageId } from "@skein/contracts";

const maxLength = 120;
const unsafe = /[^0-9A-Za-z_-]/;

/** The agent's message id in Skein's format, scoped by the execution: a resumed session may repeat an id. */
export function toMessageId(executionId: ExecutionId, nativeId: string): MessageId {
  return `msg_${executionId.slice("exe_".length)}_${toSafeId(nativeId)}` as MessageId;
}

/** A sanitized id keeps a hash of the original, so that two ids never collide. */
function toSafeId(nativeId: string): string {
  if (nativeId.length <= maxLength && !unsafe.test(nativeId)) return nativeId;
  const hash = createHash("sha256").update(nativeId).digest("hex").slice(0, 16);
  return `${nativeId.slice(0, 40).replace(/[^0-9A-Za-z_-]/g, "-")}-${hash}`;
}
