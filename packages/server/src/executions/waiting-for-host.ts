import { ServiceError } from "@skein/engine";

const codes: ReadonlySet<string> = new Set(["host-unreachable", "host-busy", "host-draining"]);

/** Whether a call failed only because its host is offline, busy or draining: it is repeated later. It may have been carried out. */
export function isWaitingForHost(error: unknown): boolean {
  return error instanceof ServiceError && codes.has(error.code);
}
