import type { MessageEntity } from "@skein/contracts";
import { RequestMessageBuilder } from "@skein/engine";
import type { BuildRequest } from "./turn.ts";

/** A conversation's list of messages only grows: the builder that it has had so far does again only what is new. */
const builders = new WeakMap<readonly MessageEntity[], RequestMessageBuilder>();

export const buildRequest: BuildRequest = ({ systemPrompts, messages, summary }) => {
  const builder = builders.get(messages) ?? new RequestMessageBuilder();
  builders.set(messages, builder);
  return builder.setSystemPrompts(systemPrompts).setMessages(messages).setCompressionSummary(summary).buildView();
};
