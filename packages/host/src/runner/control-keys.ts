import { createHmac } from "node:crypto";

/** What proves to a runner that the server speaks: each execution has a key of its own, the same after a restart. */
export interface ControlKeys {
  keyFor(executionId: string): string;
}

/** Made from one secret, which is read when the first key is needed. */
export function createControlKeys(readSecret: () => string): ControlKeys {
  let secret: string | undefined;
  return {
    keyFor(executionId) {
      secret ??= readSecret();
      return createHmac("sha256", secret).update(executionId).digest("base64url");
    },
  };
}
