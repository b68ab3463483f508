import type { MessageEntity } from "@skein/contracts";
import { keepStart } from "../text/truncate.ts";

const maxRequestLength = 2_000;
const maxLength = 8_000;
const heading = "## What the user asked, word for word";

/**
 * The user's requests in the messages that a summary covers, verbatim: no model can weaken or drop them. If not all fit, the newest are
 * kept; a very long one is truncated.
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

/** A summary as its model wrote it: the quotes are regenerated from the messages. */
export function withoutQuotes(summary: string | undefined): string | undefined {
  const place = summary?.lastIndexOf(heading) ?? -1;
  return place < 0 ? summary : summary?.slice(0, place).trimEnd();
}
