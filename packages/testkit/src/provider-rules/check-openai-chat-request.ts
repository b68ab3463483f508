import { checkContents } from "./openai-chat/contents.ts";
import { checkIdentifiers } from "./openai-chat/identifiers.ts";
import { checkMistral } from "./openai-chat/mistral.ts";
import { parseChatRequest } from "./openai-chat/request.ts";
import { checkToolMessages } from "./openai-chat/tool-messages.ts";
import type { Violation } from "./violation.ts";

/** Checks the body of `POST /v1/chat/completions` against the rules C1 to C4, and M1 for Mistral; empty if the provider would accept it. */
export function checkOpenAIChatRequest(body: unknown, { mistral = false }: { mistral?: boolean } = {}): Violation[] {
  const parsed = parseChatRequest(body);
  if (!parsed.ok) return parsed.violations;
  const { request } = parsed;
  return [
    ...checkToolMessages(request),
    ...checkContents(request),
    ...checkIdentifiers(request),
    ...(mistral ? checkMistral(request) : []),
  ];
}
