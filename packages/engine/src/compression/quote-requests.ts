import type { MessageEntity } from "@skein/contracts";
import { keepStart } from "../text/truncate.ts";

const maxRequestLength = 2_000;
const maxLength = 8_000;
const heading = "## What the user asked, word for word";

/**
 * What the user asked for in the messages that a summary stands for, word for word: no model can soften or forget it. The
 * newest are kept where not all fit; a very long one keeps its start.
 */
export function quoteRequests(messages: readonly MessageEntity[]): string {
  const quotes: string[] = [];
  let length = 0;
  for (const { body } of messages.toReversed()) {
    if (body.role !== "user") continue;
    const text =
      typeof body.content === "string"
        ? body.content
        : body.content.map((part) => (part.type === "text" ? part.text : "[an image]")).join("\n");
    if (text.trim() === "") continue;
    const quote = keepStart(text, maxRequestLength).replaceAll(/^/gm, "> ");
    length += quote.length;
    if (length > maxLength) break;
    quotes.unshift(quote);
  }
  return quotes.length === 0 ? "" : `${heading}\n\n${quotes.join("\n\n")}`;
}

/** A summary as its model wrote it: the quotes are made anew from the messages. */
export function withoutQuotes(summary: string | undefined): string | undefined {
  const place = summary?.lastIndexOf(heading) ?? -1;
  return place < 0 ? summary : summary?.slice(0, place).trimEnd();
}
