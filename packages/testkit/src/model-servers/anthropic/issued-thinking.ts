import { type AnthropicBlock, type AnthropicRequest, blocksOf, parseAnthropicRequest } from "../../provider-rules/anthropic/request.ts";
import { toolLoop } from "../../provider-rules/anthropic/thinking.ts";
import type { Violation } from "../../provider-rules/violation.ts";

interface Issued {
  model: string;
  thinking: string;
}

/** A9, the part that only the issuer can check: each signature is bound to its model and to the text that it signs. */
export class IssuedThinking {
  readonly #bySignature = new Map<string, Issued>();
  readonly #redacted = new Map<string, string>();
  readonly #byToolUse = new Map<string, { model: string; seals: string[] }>();

  record({ model, content }: { model: string; content: AnthropicBlock[] }): void {
    for (const block of content) {
      if (block.type === "thinking") this.#bySignature.set(block.signature ?? "", { model, thinking: block.thinking });
      if (block.type === "redacted_thinking") this.#redacted.set(block.data, model);
      if (block.type === "tool_use") this.#byToolUse.set(block.id, { model, seals: sealsOf(content) });
    }
  }

  check(body: unknown): Violation[] {
    const parsed = parseAnthropicRequest(body);
    if (!parsed.ok) return [];
    const { request } = parsed;
    const forged = request.messages.flatMap((message, index) =>
      blocksOf(message).flatMap((block, at) => this.#checkBlock(block, { request, index, at })),
    );
    return forged.length > 0 ? forged : this.#checkKept(request);
  }

  #checkBlock(block: AnthropicBlock, where: { request: AnthropicRequest; index: number; at: number }): Violation[] {
    const { request, index, at } = where;
    const path = `messages.${index}.content.${at}`;
    if (block.type === "redacted_thinking" && this.#redacted.get(block.data) !== request.model) {
      return [{ rule: "A9", path, message: `${path}: Invalid \`data\` in \`redacted_thinking\` block` }];
    }
    if (block.type !== "thinking") return [];
    const issued = this.#bySignature.get(block.signature ?? "");
    if (issued?.model === request.model && issued.thinking === block.thinking) return [];
    const latest = index === request.messages.findLastIndex((message) => message.role === "assistant");
    if (issued?.model === request.model && latest) return [modified(path)];
    return [{ rule: "A9", path, message: `${path}: Invalid \`signature\` in \`thinking\` block` }];
  }

  // Thinking that came with an open tool call has to come back with it, all of it and in order.
  #checkKept(request: AnthropicRequest): Violation[] {
    if (request.thinking === undefined || request.thinking.type === "disabled") return [];
    return toolLoop(request.messages).flatMap((index): Violation[] => {
      const blocks = blocksOf(request.messages[index]);
      const call = blocks.find((block) => block.type === "tool_use");
      const issued = call === undefined ? undefined : this.#byToolUse.get(call.id);
      if (issued?.model !== request.model || issued.seals.join() === sealsOf(blocks).join()) return [];
      return [modified(`messages.${index}.content.0`)];
    });
  }
}

function sealsOf(blocks: AnthropicBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === "thinking") return [block.signature ?? ""];
    return block.type === "redacted_thinking" ? [block.data] : [];
  });
}

function modified(path: string): Violation {
  const message = `${path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
  return { rule: "A9", path, message };
}
