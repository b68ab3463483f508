import type { ConversationMessage } from "@skein/contracts";
import { createLanguageFinder, type ExportColours } from "./export-colours.ts";
import type { ExportedAttempt } from "./exported-attempt.ts";

/** Where the data and the title go in the page that the web UI's build made. */
const marks = { data: "<!--skein:data-->", title: "<!--skein:title-->" };

/**
 * One page with its code, its styles and all data: blocks of JSON, each of one slice of the conversation, which the page reads when it is
 * opened. A block is data to a browser, whatever is in it: no `<` is left that could end it.
 */
export function writeHtml(page: string, colours: ExportColours): (exported: ExportedAttempt) => AsyncGenerator<string, void> {
  const [start = "", end = ""] = page.split(marks.data);
  return async function* ({ head, changes, images, messages, conversation, redaction }) {
    yield start.replace(marks.title, () => escapeHtml(head.task.title));
    yield toBlock("head", head);
    const languages = createLanguageFinder(colours);
    const withLanguages = (block: string): string => {
      languages.search(block);
      return block;
    };
    if (changes !== null) yield withLanguages(toBlock("changes", changes));
    for await (const image of images()) yield toBlock("image", image);
    for await (const slice of conversation()) yield withLanguages(toBlock("conversation", slice.map(withoutFile)));
    for await (const slice of messages?.() ?? []) yield toBlock("messages", slice);
    yield toBlock("redaction", redaction());
    for (const language of languages.found()) yield toBlock("grammar", { language, grammar: colours.grammars[language] });
    yield end;
  };
}

function toBlock(name: string, value: unknown): string {
  return `<script type="application/json" data-skein="${name}">${toScriptJson(value)}</script>\n`;
}

/** JSON without characters that mean something to an HTML or JavaScript parser. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => entities[found] ?? found);

/** The complete output of a tool is a file of the server: the page cannot download it. */
function withoutFile(message: ConversationMessage): ConversationMessage {
  if (message.messageType === "tool_execution") {
    const { outputFile: _, ...metadata } = message.metadata;
    return { ...message, metadata };
  }
  if (message.messageType !== "tool_result") return message;
  const { outputFile: _, ...metadata } = message.metadata;
  return { ...message, metadata };
}
