import type { FetchedPage } from "./fetch-page.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";

export type PageText = { ok: true; title: string | undefined; text: string } | { ok: false; contentType: string };

const htmlTypes = ["text/html", "application/xhtml+xml"];
const textTypes = /^text\/|^application\/(?:json|xml|javascript|ecmascript|x-ndjson|yaml|x-yaml|toml)$|[+](?:json|xml)$/;

/** A page as text: HTML as Markdown, other text as it is, anything else not at all. */
export function readPage({ url, contentType, body }: FetchedPage): PageText {
  const [type = ""] = contentType.toLowerCase().split(";", 1);
  const name = type.trim();
  const charset = /charset="?([\w.:-]+)/i.exec(contentType)?.[1];
  if (htmlTypes.includes(name)) {
    const text = decode(body, charset ?? /<meta[^>]+charset=["']?([\w.:-]+)/i.exec(body.toString("latin1", 0, 2048))?.[1]);
    const { title, markdown } = htmlToMarkdown(text, url);
    return { ok: true, title: title === "" ? undefined : title, text: markdown };
  }
  // Some servers send no type: content that reads as text is text.
  const isText = textTypes.test(name) || (name === "" && !body.subarray(0, 8192).includes(0));
  return isText ? { ok: true, title: undefined, text: decode(body, charset) } : { ok: false, contentType: name || "unknown" };
}

function decode(body: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? "utf-8").decode(body);
  } catch {
    // A name that nobody knows.
    return new TextDecoder().decode(body);
  }
}
