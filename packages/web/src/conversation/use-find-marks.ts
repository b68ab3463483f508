import { type RefObject, useEffect } from "react";

const maxMarks = 500;
const name = "skein-find";

/**
 * Marks where a text occurs in what is drawn of an element, without touching its nodes: React keeps them as its own.
 * `drawn` changes whenever other parts of it are drawn. A browser that cannot do it shows the hit's frame alone.
 */
export function useFindMarks(element: RefObject<HTMLElement | null>, text: string, drawn: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for rows that were drawn since
  useEffect(() => {
    if (!("highlights" in CSS)) return;
    if (text === "" || !element.current) {
      CSS.highlights.delete(name);
      return;
    }
    const root = element.current;
    const frame = requestAnimationFrame(() => CSS.highlights.set(name, new Highlight(...findRanges(root, text.toLowerCase()))));
    return () => cancelAnimationFrame(frame);
  }, [element, text, drawn]);
  useEffect(
    () => () => {
      if ("highlights" in CSS) CSS.highlights.delete(name);
    },
    [],
  );
}

function findRanges(root: HTMLElement, wanted: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < maxMarks; node = walker.nextNode()) {
    const content = node.nodeValue?.toLowerCase() ?? "";
    // Lower case may be longer than the text itself (İ): then places in it are not places in the node.
    if (content.length !== node.nodeValue?.length) continue;
    for (let place = content.indexOf(wanted); place !== -1; place = content.indexOf(wanted, place + wanted.length)) {
      const range = new Range();
      range.setStart(node, place);
      range.setEnd(node, place + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}
