import { checkBlankText } from "./anthropic/blank-text.ts";
import { checkIdentifiers, checkUnicode } from "./anthropic/identifiers.ts";
import { checkImages, checkRequestBytes } from "./anthropic/images.ts";
import { parseAnthropicRequest } from "./anthropic/request.ts";
import { checkThinking } from "./anthropic/thinking.ts";
import { checkToolPairs } from "./anthropic/tool-pairs.ts";
import { checkTurns } from "./anthropic/turns.ts";
import type { Violation } from "./violation.ts";

/**
 * Checks the body of `POST /v1/messages` against the rules A1 to A13; empty if the provider would accept it.
 * `systemMessages` allows messages of the role `system`, which only some betas do.
 */
export function checkAnthropicRequest(body: unknown, { systemMessages = false }: { systemMessages?: boolean } = {}): Violation[] {
  const unreadable = [...checkRequestBytes(body), ...checkUnicode(body)];
  const parsed = parseAnthropicRequest(body);
  if (!parsed.ok) return [...unreadable, ...parsed.violations];
  const { request } = parsed;
  return [
    ...unreadable,
    ...checkTurns(request, { systemMessages }),
    ...checkToolPairs(request),
    ...checkBlankText(request),
    ...checkThinking(request),
    ...checkImages(request),
    ...checkIdentifiers(request),
  ];
}
