import type { ExecutionId } from "@skein/contracts";
import { createExternalStore } from "../state/external-store.ts";

/** A message that is edited and sent again. */
export interface ResentMessage {
  text: string;
  images: readonly { mediaType: string; data: string }[];
}

/** A step back in an attempt: its files, or a new attempt from an earlier point. */
export type RewindRequest =
  | { kind: "restore"; executionId: ExecutionId; to: "before" | "after" }
  | { kind: "fork"; executionId: ExecutionId }
  | { kind: "resend"; executionId: ExecutionId; message: ResentMessage };

/** What the palette asks for is about the last execution of the attempt that is shown. */
export type LastRewind = { kind: "last"; action: RewindRequest["kind"] };

/** Asked for by a menu, a message or the palette; the conversation carries it out. */
export const rewindRequest = createExternalStore<RewindRequest | LastRewind | null>(null);
