import { createHash } from "node:crypto";
import type { ExecutionId, MessageId } from "@skein/contracts";

const maxLength = 120;
const unsafe = /[^0-9A-Za-z_-]/;

/** The agent's own message id, in the form of ours and scoped by the execution: resuming a session may say an id again. */
export function toMessageId(executionId: ExecutionId, nativeId: string): MessageId {
  return `msg_${executionId.slice("exe_".length)}_${toSafeId(nativeId)}` as MessageId;
}

/** An id that must be changed to be safe keeps a hash of what it was, so that two of them never become one. */
function toSafeId(nativeId: string): string {
  if (nativeId.length <= maxLength && !unsafe.test(nativeId)) return nativeId;
  const hash = createHash("sha256").update(nativeId).digest("hex").slice(0, 16);
  return `${nativeId.slice(0, 40).replace(/[^0-9A-Za-z_-]/g, "-")}-${hash}`;
}
