import type { ForgeFailureText } from "@skein/contracts";
import { ServiceError } from "@skein/engine";

const kinds: Record<ForgeFailureText["code"], ServiceError["kind"]> = {
  "forge-unreachable": "unavailable",
  "forge-unauthorized": "forbidden",
  "forge-forbidden": "forbidden",
  "forge-not-found": "not-found",
  "forge-rate-limited": "unavailable",
  "forge-rejected": "conflict",
  "forge-no-commits": "conflict",
  "forge-no-base": "conflict",
  "forge-error": "unavailable",
  "forge-insecure": "forbidden",
  "no-forge-credential": "forbidden",
};

/** A request to a forge failed. The text contains what to do about it, and no credentials. */
export class ForgeError extends ServiceError {
  readonly failure: ForgeFailureText;

  constructor(failure: ForgeFailureText, options: { cause?: unknown } = {}) {
    super(kinds[failure.code], failure, options);
    this.failure = failure;
  }
}
