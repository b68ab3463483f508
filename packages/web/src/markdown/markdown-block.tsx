import { type Components, toJsxRuntime } from "hast-util-to-jsx-runtime";
import { type ComponentProps, isValidElement, memo, type ReactNode, useMemo, useRef } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { CodeLineText } from "../highlight/code-line-text.tsx";
import { languageOfFence } from "../highlight/language-of.ts";
import { useHighlight } from "../highlight/use-highlight.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { parseImageUrl } from "../text/safe-url.ts";
import { BoundedImage } from "../ui/bounded-image.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ExternalLink } from "../ui/external-link.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { PlainText } from "./plain-text.tsx";
import { useMarkdownTree } from "./use-markdown-tree.ts";

/** No HTML, no remote images, links to http, https and mailto only (X5): the renderers decide about addresses. */
const components: Partial<Components> = {
  a: ({ href, children }) => <ExternalLink url={href}>{children}</ExternalLink>,
  img: ({ src, alt }) => <MarkdownImage alt={alt ?? ""} src={typeof src === "string" ? src : undefined} />,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    <ScrollBox>
      <table>{children}</table>
    </ScrollBox>
  ),
  input: ({ checked }) => <TaskBox checked={checked ?? false} />,
};

/** One block of Markdown; as plain text until it is parsed, and where it cannot be. */
export const MarkdownBlock = memo(function MarkdownBlock({ text }: { text: string }) {
  const tree = useMarkdownTree(text);
  return useMemo(
    () => (tree ? toJsxRuntime(tree, { Fragment, components, ignoreInvalidStyle: true, jsx, jsxs }) : <PlainText text={text} />),
    [tree, text],
  );
});

/** The box of a task list item. Its label is not connected to the words next to it, so it states its own. */
function TaskBox({ checked }: { checked: boolean }) {
  const { todo } = useTaskText().tool;
  const label = checked ? todo.completed : todo.pending;
  return <input aria-label={label} checked={checked} disabled readOnly type="checkbox" />;
}

function MarkdownImage({ src, alt }: { src: string | undefined; alt: string }) {
  const text = useTaskText();
  const image = parseImageUrl(src);
  if (image) return <BoundedImage alt={alt} className="h-auto max-h-96 w-auto rounded-md" image={image} />;
  return (
    <ExternalLink url={src}>
      [{text.conversation.remoteImage(alt)} {src}]
    </ExternalLink>
  );
}

function CodeBlock({ children }: ComponentProps<"pre">) {
  const block = useRef<HTMLPreElement>(null);
  const { code, language } = readCode(children);
  const lines = useHighlight(code, language);
  return (
    <div className="group/code flex rounded-lg border border-line bg-code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="scroll-quiet min-w-0 flex-1 rounded-none! border-0! bg-transparent!" ref={block} tabIndex={0}>
        {lines ? (
          <code>
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
              <span key={index}>
                <CodeLineText line={line} text="" />
                {index < lines.length - 1 && "\n"}
              </span>
            ))}
          </code>
        ) : (
          children
        )}
      </pre>
      {/* next to the code, which may be as wide as it likes */}
      <span className="shrink-0 p-1 opacity-0 pointer-coarse:opacity-100 focus-within:opacity-100 group-hover/code:opacity-100">
        <CopyButton className="pointer-coarse:size-8!" text={() => block.current?.textContent ?? ""} />
      </span>
    </div>
  );
}

/** The text of a fenced block and the language that its fence names. */
function readCode(children: ReactNode): { code: string; language: string | null } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return { code: "", language: null };
  const { className = "", children: code } = children.props;
  const name = /language-(\S+)/.exec(className)?.[1];
  return { code: typeof code === "string" ? code.replace(/\n$/, "") : "", language: name === undefined ? null : languageOfFence(name) };
}
