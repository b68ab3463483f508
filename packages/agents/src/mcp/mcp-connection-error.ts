import type { McpFailureText } from "@skein/contracts";
import { formatText } from "@skein/engine";

/** Why a server cannot be used, as data for notices. The message is the English text, for the model. */
export class McpConnectionError extends Error {
  readonly failure: McpFailureText;

  constructor(failure: McpFailureText, options?: ErrorOptions) {
    super(formatText(failure), options);
    this.failure = failure;
  }
}
