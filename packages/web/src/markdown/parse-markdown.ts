import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";

/** The elements of a text, without what is not drawn. */
export type MarkdownTree = Extract<ReturnType<typeof toHast>, { type: "root" }>;
type Content = MarkdownTree["children"][number];

/** Deeper trees stop a browser's layout; more elements stop the page while they are drawn. */
const maxDepth = 60;
const maxNodes = 8000;

/** What the page may parse itself, at once: even the worst text within these bounds takes a few milliseconds. */
const cheap = { characters: 3000, lines: 150, delimiters: 150, containers: 12 };

/**
 * The elements of a Markdown text (GitHub's dialect), HTML in it as text. Null for a text that would make too many or too
 * deeply nested ones: it is shown as it is. Takes time that grows with the square of some texts' length: only `isCheap` ones
 * are parsed outside a worker.
 */
export function parseMarkdown(text: string): MarkdownTree | null {
  if (mostContainers(text) > maxDepth) return null;
  const tree = toHast(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }), { allowDangerousHtml: true });
  const root: MarkdownTree = tree.type === "root" ? tree : { type: "root", children: tree.type === "doctype" ? [] : [tree] };
  return tidy(root) ? root : null;
}

export function isCheap(text: string): boolean {
  return (
    text.length <= cheap.characters &&
    countMatches(text, /\n/g) <= cheap.lines &&
    countMatches(text, /[*_~[\]`<|&\\]/g) <= cheap.delimiters &&
    mostContainers(text) <= cheap.containers
  );
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const container = /[ \t]*(?:>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))/y;

/** How many quotes and list items one line begins, at most. Counts no further than is needed to refuse it. */
function mostContainers(text: string): number {
  let most = 0;
  for (let start = 0; start !== -1 && start < text.length; start = nextLine(text, start)) {
    container.lastIndex = start;
    let count = 0;
    while (count <= maxDepth && container.test(text)) count++;
    container.lastIndex = 0;
    most = Math.max(most, count);
  }
  return most;
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? -1 : end + 1;
}

/** Turns HTML into text and removes what is not drawn, so that the tree is small to send. False when it is too large to be drawn. */
function tidy(root: MarkdownTree): boolean {
  let nodes = 0;
  const open: { parent: { children: Content[] }; depth: number }[] = [{ parent: root, depth: 0 }];
  for (let at = open.pop(); at; at = open.pop()) {
    const { parent, depth } = at;
    nodes += parent.children.length;
    if (nodes > maxNodes || depth > maxDepth) return false;
    parent.children = parent.children.flatMap((node): Content[] => {
      if (node.type === "raw") return [{ type: "text", value: node.value }];
      if (node.type !== "element" && node.type !== "text") return [];
      delete node.position;
      if (node.type === "element") {
        delete node.data;
        open.push({ parent: node as { children: Content[] }, depth: depth + 1 });
      }
      return [node];
    });
  }
  delete root.position;
  return true;
}
