import { createHmac } from "node:crypto";

/** Keys that authenticate the server to runners: one per execution, stable across restarts. */
export interface ControlKeys {
  keyFor(executionId: string): string;
}

/** Derives the keys from one secret, which is read when the first key is needed. */
export function createControlKeys(readSecret: () => string): ControlKeys {
  let secret: string | undefined;
  return {
    keyFor(executionId) {
      secret ??= readSecret();
      return createHmac("sha256", secret).update(executionId).digest("base64url");
    },
  };
}
