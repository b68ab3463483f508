import { Parser } from "htmlparser2";
import { MarkdownWriter } from "./markdown-writer.ts";

export interface ReadablePage {
  title: string;
  markdown: string;
}

const skipped = new Set("title script style noscript template svg canvas iframe object head form button select textarea dialog".split(" "));
const blocks = new Set(
  "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer header hgroup main nav p section summary table tbody tfoot thead ul ol menu".split(
    " ",
  ),
);
const shortestMain = 200;
/** The parser's own list of open elements takes time that grows with the square of their number. */
const maximumDepth = 1000;

class TooDeep extends Error {}

/**
 * The text of a page with its headings, lists, links, code and tables; only the main part of a page that marks one.
 *
 * Not turndown: a page of 546 kB took it 1.6 s instead of 0.25 s, it builds a whole DOM first (8.8 MB installed), and 50,000 nested
 * elements keep it busy for more than a minute; web pages are untrusted.
 */
export function htmlToMarkdown(html: string, url: string): ReadablePage {
  const main = convert(html, url, true);
  return main.markdown.length >= shortestMain ? main : convert(html, url, false);
}

/** Event by event and without a tree. */
function convert(html: string, url: string, onlyMain: boolean): ReadablePage {
  const writer = new MarkdownWriter();
  const lists: { ordered: boolean; count: number }[] = [];
  const links: { mark: number; href: string | undefined }[] = [];
  const codes: number[] = [];
  let title = "";
  let inTitle = false;
  let depth = 0;
  let skipDepth = 0;
  let mainDepth = 0;
  let preDepth = 0;
  let hasCell = false;
  const isWritten = () => skipDepth === 0 && (!onlyMain || mainDepth > 0);

  const open = (name: string, attributes: Record<string, string>): void => {
    const heading = /^h([1-6])$/.exec(name);
    if (heading !== null) {
      writer.break(2);
      writer.raw(`${"#".repeat(Number(heading[1]))} `);
    } else if (blocks.has(name)) {
      const isNested = (name === "ul" || name === "ol") && lists.length > 0;
      writer.break(isNested || name === "tbody" || name === "thead" ? 1 : 2);
      if (name === "ul" || name === "ol" || name === "menu") lists.push({ ordered: name === "ol", count: 0 });
    } else if (name === "li") {
      const list = lists.at(-1);
      if (list !== undefined) list.count++;
      writer.break(1);
      writer.raw(`${"  ".repeat(Math.min(10, Math.max(0, lists.length - 1)))}${list?.ordered === true ? `${list.count}.` : "-"} `);
    } else if (name === "tr") {
      writer.break(1);
      hasCell = false;
    } else if (name === "td" || name === "th") {
      writer.raw(hasCell ? " | " : "");
      hasCell = true;
    } else if (name === "br") {
      writer.break(1);
    } else if (name === "hr") {
      writer.break(2);
      writer.raw("---");
      writer.break(2);
    } else if (name === "pre") {
      writer.break(2);
      writer.raw("```\n");
      preDepth++;
    } else if (name === "code" || name === "kbd" || name === "samp") {
      codes.push(writer.mark());
    } else if (name === "a") {
      // One inside another is no link: to write both would take time that grows with the square of their number.
      links.push({ mark: writer.mark(), href: links.length > 0 ? undefined : toAbsolute(attributes.href, url) });
    } else if (name === "img" && (attributes.alt ?? "").trim() !== "") {
      writer.text(` [image: ${attributes.alt}] `);
    }
  };

  const close = (name: string): void => {
    if (/^h[1-6]$/.test(name) || blocks.has(name)) {
      if (name === "ul" || name === "ol" || name === "menu") lists.pop();
      writer.break(name === "tbody" || name === "thead" ? 1 : 2);
    } else if (name === "pre" && preDepth > 0) {
      preDepth--;
      writer.raw("\n```");
      writer.break(2);
    } else if (name === "code" || name === "kbd" || name === "samp") {
      const mark = codes.pop();
      if (mark !== undefined && preDepth === 0 && codes.length === 0) writer.wrap(mark, (inner) => `\`${inner}\``);
    } else if (name === "a") {
      const link = links.pop();
      const href = link?.href;
      if (link !== undefined && href !== undefined) {
        writer.wrap(link.mark, (inner) => (inner.includes("\n") ? `${inner} (${href})` : `[${inner}](${href})`));
      }
    }
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > maximumDepth) throw new TooDeep();
      if (name === "title" && title === "") inTitle = true;
      const starts = skipped.has(name) || Object.hasOwn(attributes, "hidden") || attributes["aria-hidden"] === "true";
      if (skipDepth > 0 || starts) skipDepth++;
      else if (name === "main" || name === "article" || attributes.role === "main") mainDepth++;
      else if (mainDepth > 0) mainDepth++;
      if (isWritten()) open(name, attributes);
    },
    ontext(text) {
      if (inTitle) title += text;
      if (!isWritten()) return;
      if (preDepth > 0) writer.raw(text);
      else writer.text(text);
    },
    onclosetag(name) {
      depth--;
      if (name === "title") inTitle = false;
      if (isWritten()) close(name);
      if (skipDepth > 0) skipDepth--;
      else if (mainDepth > 0) mainDepth--;
    },
  });
  try {
    parser.end(html);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    writer.break(2);
    writer.raw("(The rest of the page is nested too deeply to be read.)");
  }
  return { title: title.replace(/\s+/g, " ").trim(), markdown: writer.toString() };
}

/** Only what leads to another page. */
function toAbsolute(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.startsWith("#")) return undefined;
  const url = URL.parse(href, base);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url.href : undefined;
}
