import { RequestMessageBuilder } from "@skein/engine";
import type { BuildRequest } from "./turn.ts";

export const buildRequest: BuildRequest = ({ systemPrompts, messages, summary }) =>
  new RequestMessageBuilder().setSystemPrompts(systemPrompts).setMessages(messages).setCompressionSummary(summary).build();
