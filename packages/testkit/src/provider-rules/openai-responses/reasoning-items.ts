import type { Violation } from "../violation.ts";
import { isModelItem, itemsOf, type ResponsesItem, type ResponsesRequest } from "./request.ts";

/**
 * S2, as far as the request alone shows it: a reasoning item has a summary and something of the model's after it.
 * Only the server that issued it knows which item it came with.
 */
export function checkReasoningItems(request: ResponsesRequest): Violation[] {
  const items = itemsOf(request);
  return items.flatMap((item, index): Violation[] => {
    if (item.type !== "reasoning") return [];
    const violations: Violation[] = [];
    if (item.summary === undefined) {
      const path = `input[${index}].summary`;
      violations.push({ rule: "S2", path, message: `Missing required parameter: '${path}'.`, code: "missing_required_parameter" });
    }
    if (!isModelItem(nextBeyondReasoning(items, index))) violations.push(withoutFollowing(item.id ?? `input[${index}]`));
    return violations;
  });
}

function nextBeyondReasoning(items: ResponsesItem[], index: number): ResponsesItem | undefined {
  return items.slice(index + 1).find((item) => item.type !== "reasoning");
}

export function withoutFollowing(id: string): Violation {
  const message = `Item '${id}' of type 'reasoning' was provided without its required following item.`;
  return { rule: "S2", path: "input", message };
}

export function withoutReasoning(item: { id: string; type: string }, reasoningId: string): Violation {
  const message = `Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${reasoningId}'.`;
  return { rule: "S2", path: "input", message };
}
