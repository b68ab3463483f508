import { createHmac } from "node:crypto";
import { join } from "node:path";
import { readOrCreateToken } from "../data-dir/token-file.ts";

/** What proves to a runner that the server speaks: each execution has a key of its own, the same after a restart. */
export interface ControlKeys {
  keyFor(executionId: string): string;
}

/** Made from one secret in the data dir, which is read when the first key is needed. */
export function createControlKeys(home: string): ControlKeys {
  let secret: string | undefined;
  return {
    keyFor(executionId) {
      secret ??= readOrCreateToken(join(home, "runner-secret"));
      return createHmac("sha256", secret).update(executionId).digest("base64url");
    },
  };
}
