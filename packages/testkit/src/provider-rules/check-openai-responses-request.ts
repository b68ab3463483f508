import { checkCallOutputs } from "./openai-responses/call-outputs.ts";
import { checkItemIds } from "./openai-responses/item-ids.ts";
import { checkReasoningItems } from "./openai-responses/reasoning-items.ts";
import { parseResponsesRequest } from "./openai-responses/request.ts";
import type { Violation } from "./violation.ts";

/** Checks the body of `POST /v1/responses` against the rules S1 to S3; empty if the provider would accept it. */
export function checkOpenAIResponsesRequest(body: unknown): Violation[] {
  const parsed = parseResponsesRequest(body);
  if (!parsed.ok) return parsed.violations;
  const { request } = parsed;
  return [...checkItemIds(request), ...checkReasoningItems(request), ...checkCallOutputs(request)];
}
