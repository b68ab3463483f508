import type { AttemptDiff, ConversationMessage, ExportHead, ExportRedaction, FileContent, StoredMessage } from "@skein/contracts";

/** What an exported page holds. The server wrote it: see `write-html.ts` there. */
export interface ExportedData {
  head: ExportHead;
  changes: AttemptDiff | null;
  /** Images of changed files, by the id of their content. */
  images: ReadonlyMap<string, FileContent>;
  conversation: readonly ConversationMessage[];
  /** Null if they were not included. */
  messages: readonly StoredMessage[] | null;
  redaction: ExportRedaction;
  /** Of the languages that occur, packed: see `packed-grammar.ts`. */
  grammars: readonly { language: string; grammar: string }[];
}

/** Reads the blocks of JSON and removes them: what was read need not be kept twice. */
export function readBlocks(page: Document): ExportedData {
  const blocks = [...page.querySelectorAll<HTMLScriptElement>("script[data-skein]")];
  const read = (name: string): unknown[] => {
    const found = blocks.filter(({ dataset }) => dataset.skein === name);
    return found.map((block) => {
      const value: unknown = JSON.parse(block.textContent);
      block.remove();
      return value;
    });
  };
  const messages = (read("messages") as StoredMessage[][]).flat();
  return {
    head: read("head")[0] as ExportHead,
    changes: (read("changes")[0] ?? null) as AttemptDiff | null,
    images: new Map((read("image") as { blob: string; content: FileContent }[]).map(({ blob, content }) => [blob, content])),
    conversation: (read("conversation") as ConversationMessage[][]).flat(),
    messages: messages.length === 0 ? null : messages,
    redaction: (read("redaction")[0] ?? null) as ExportRedaction,
    grammars: read("grammar") as { language: string; grammar: string }[],
  };
}
