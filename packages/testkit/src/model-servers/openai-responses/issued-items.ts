import { withoutFollowing, withoutReasoning } from "../../provider-rules/openai-responses/reasoning-items.ts";
import {
  itemsOf,
  parseResponsesRequest,
  type ResponsesItem,
  type ResponsesRequest,
} from "../../provider-rules/openai-responses/request.ts";
import type { Violation } from "../../provider-rules/violation.ts";
import type { OutputItem } from "./output-items.ts";

interface Issued {
  model: string;
  stored: boolean;
  item: OutputItem;
  /** The reasoning item it came after, in the same response. */
  reasoningId?: string;
  /** For reasoning: the item that came right after it. */
  following?: OutputItem;
}

type ReasoningItem = ResponsesItem & { type: "reasoning" };

/** S2 (and S1 across stored responses), the part that only the issuer can check: which items belong together, and who can read them. */
export class IssuedItems {
  readonly #byId = new Map<string, Issued>();
  readonly #byEncrypted = new Map<string, Issued>();
  readonly #storedCalls = new Map<string, string[]>();

  record({ responseId, model, stored, items }: { responseId: string; model: string; stored: boolean; items: OutputItem[] }): void {
    let reasoningId: string | undefined;
    items.forEach((item, index) => {
      const following = item.type === "reasoning" ? items[index + 1] : undefined;
      const issued: Issued = { model, stored, item, ...(reasoningId && { reasoningId }), ...(following && { following }) };
      this.#byId.set(item.id, issued);
      if (item.type !== "reasoning") return;
      reasoningId = item.id;
      if (item.encrypted_content !== undefined) this.#byEncrypted.set(item.encrypted_content, issued);
    });
    if (stored)
      this.#storedCalls.set(
        responseId,
        items.flatMap((item) => ("call_id" in item ? [item.call_id] : [])),
      );
  }

  /** The body with the stored items in place of the references to them. */
  resolve(body: unknown): unknown {
    if (typeof body !== "object" || body === null || !("input" in body) || !Array.isArray(body.input)) return body;
    return { ...body, input: body.input.map((item: unknown) => this.#referenced(item) ?? item) };
  }

  #referenced(item: unknown): OutputItem | undefined {
    if (typeof item !== "object" || item === null || !("id" in item) || typeof item.id !== "string") return undefined;
    const isReference = "type" in item && item.type === "item_reference";
    const issued = isReference ? this.#byId.get(item.id) : undefined;
    return issued?.stored ? issued.item : undefined;
  }

  check(body: unknown): Violation[] {
    const parsed = parseResponsesRequest(body);
    if (!parsed.ok) return [];
    const { request } = parsed;
    const items = itemsOf(request);
    const violations = items.flatMap((item, index) =>
      item.type === "reasoning"
        ? this.#checkReasoning(item, { request, next: items[index + 1] })
        : this.#checkKept(item, items.slice(0, index)),
    );
    return [...violations, ...this.#checkContinued(request)];
  }

  #find(item: ReasoningItem): Issued | undefined {
    return typeof item.encrypted_content === "string" ? this.#byEncrypted.get(item.encrypted_content) : this.#byId.get(item.id ?? "");
  }

  #checkReasoning(item: ReasoningItem, { request, next }: { request: ResponsesRequest; next: ResponsesItem | undefined }): Violation[] {
    const issued = this.#find(item);
    if (typeof item.encrypted_content === "string") {
      const genuine = issued?.model === request.model && (item.id ?? issued.item.id) === issued.item.id;
      if (!genuine) return [unverified(item.encrypted_content)];
    } else if (issued === undefined || !issued.stored) return [notFound(item.id ?? "")];
    if (issued?.following === undefined || isSame(next, issued.following)) return [];
    return [withoutFollowing(issued.item.id)];
  }

  #checkKept(item: ResponsesItem, before: ResponsesItem[]): Violation[] {
    if (item.type === "item_reference") return [notFound(item.id ?? "")];
    const issued = typeof item.id === "string" ? this.#byId.get(item.id) : undefined;
    const reasoningId = issued?.reasoningId;
    if (issued === undefined || reasoningId === undefined) return [];
    const kept = before.some((other) => other.type === "reasoning" && this.#find(other)?.item.id === reasoningId);
    return kept ? [] : [withoutReasoning(issued.item, reasoningId)];
  }

  #checkContinued(request: ResponsesRequest): Violation[] {
    const id = request.previous_response_id;
    if (typeof id !== "string") return [];
    const calls = this.#storedCalls.get(id);
    const path = "previous_response_id";
    if (calls === undefined) {
      return [{ rule: "S1", path, message: `Previous response with id '${id}' not found.`, code: "previous_response_not_found" }];
    }
    const outputs = itemsOf(request).flatMap((item) =>
      item.type === "function_call_output" || item.type === "custom_tool_call_output" ? [item.call_id] : [],
    );
    return calls
      .filter((call) => !outputs.includes(call))
      .map((call) => ({ rule: "S1", path: "input", message: `No tool output found for function call ${call}.` }));
  }
}

function isSame(sent: ResponsesItem | undefined, issued: OutputItem): boolean {
  if (sent === undefined || sent.type !== issued.type) return false;
  if (typeof sent.id === "string") return sent.id === issued.id;
  return !("call_id" in issued) || Reflect.get(sent, "call_id") === issued.call_id;
}

function unverified(encrypted: string): Violation {
  const shown = `${encrypted.slice(0, 4)}...${encrypted.slice(-4)}`;
  const message = `The encrypted content ${shown} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
  return { rule: "S2", path: "input", message, code: "invalid_encrypted_content" };
}

function notFound(id: string): Violation {
  const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
  return { rule: "S2", path: "input", message };
}
