import type { Model } from "@skein/engine";
import { toConversationPosition } from "./conversation-position.ts";
import { planDemo } from "./demo/plan-demo.ts";
import { streamResponse } from "./stream-response.ts";

/** The demo model for new users: no key, no network, real tools. Its response depends on the request alone. */
export function createDemoModel({ pace }: { pace: number }): Model {
  return {
    id: "scripted/demo",
    contextWindow: 200_000,
    stream(request, { signal }) {
      const position = toConversationPosition(request.messages);
      const response = planDemo(position, { hasTools: request.tools.length > 0 });
      return streamResponse({ response, request, position, pace, signal });
    },
  };
}
