import type { MessageBody } from "@skein/contracts";
import { findPairingProblem } from "../pairing/find-pairing-problem.ts";
import { RequestValidationError } from "./request-validation-error.ts";

/**
 * Step 5: checks a whole request and changes nothing. `arePaired`: step 3 has found nothing to repair in these messages, by the check
 * that would be made here again.
 *
 * @throws RequestValidationError if it is empty, begins with a tool message, or has a call or result without its counterpart.
 */
export function validateMessages(messages: readonly MessageBody[], { arePaired = false }: { arePaired?: boolean } = {}): void {
  if (messages.length === 0) throw new RequestValidationError("empty");
  if (messages[0]?.role === "tool") throw new RequestValidationError("starts-with-tool", { position: 0 });
  if (arePaired) return;
  const found = findPairingProblem(messages);
  if (found !== undefined) throw new RequestValidationError(found.problem, found);
}
