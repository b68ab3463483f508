import { useEffect, useMemo, useRef, useState } from "react";
import { findParsed, parseInWorker } from "./markdown-parser.ts";
import { isCheap, type MarkdownTree, parseMarkdown } from "./parse-markdown.ts";

interface Parsed {
  text: string;
  tree: MarkdownTree | null;
}

/** A long text that still grows is parsed again only for a part of the time. */
const pause = { leastMs: 60, timesDuration: 4 };

/**
 * The elements of a text; null when it is shown as it is: until it is parsed, and where it cannot be. Short texts are parsed at
 * once, others in a worker. While a text grows, its last known elements stay.
 */
export function useMarkdownTree(text: string): MarkdownTree | null {
  const direct = useMemo(() => (isCheap(text) ? { tree: parseOrNull(text) } : null), [text]);
  const [found, setFound] = useState<Parsed | null>(null);
  const readyAt = useRef(0);
  const known = direct ? direct.tree : findParsed(text);
  const isKnown = known !== undefined;
  useEffect(() => {
    if (isKnown) return;
    const abort = new AbortController();
    const timer = setTimeout(
      async () => {
        const startedAt = performance.now();
        const tree = await parseInWorker(text, abort.signal);
        const now = performance.now();
        readyAt.current = now + Math.max(pause.leastMs, (now - startedAt) * pause.timesDuration);
        // Aborted before it ran: this says nothing about the text.
        if (tree !== null || !abort.signal.aborted) setFound({ text, tree });
      },
      Math.max(0, readyAt.current - performance.now()),
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, isKnown]);
  if (isKnown) return known;
  return found !== null && text.startsWith(found.text) ? found.tree : null;
}

function parseOrNull(text: string): MarkdownTree | null {
  try {
    return parseMarkdown(text);
  } catch {
    return null;
  }
}
