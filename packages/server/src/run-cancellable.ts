import { randomUUID } from "node:crypto";
import type { Host } from "@skein/host";

/** Makes a call of a host that is cancelled when the signal aborts. */
export async function runCancellable<T>(host: Pick<Host, "cancel">, signal: AbortSignal, call: (callId: string) => Promise<T>): Promise<T> {
  const callId = randomUUID();
  const cancel = (): void => void host.cancel({ callId });
  const result = call(callId);
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel);
  try {
    return await result;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
