import { type ComponentProps, memo, useRef } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { useText } from "../i18n/locale.tsx";
import { safeImage } from "../text/safe-url.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { ExternalLink } from "../ui/external-link.tsx";

const plugins = [remarkGfm];

/** No HTML, no remote images, links to http, https and mailto only (X5). */
const components: Components = {
  a: ({ href, children }) => <ExternalLink url={href}>{children}</ExternalLink>,
  img: ({ src, alt }) => <MarkdownImage alt={alt ?? ""} src={typeof src === "string" ? src : undefined} />,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  input: ({ checked }) => <input checked={checked ?? false} className="me-1.5 align-middle" disabled readOnly type="checkbox" />,
};

export const MarkdownBlock = memo(function MarkdownBlock({ text }: { text: string }) {
  return (
    // The renderers above decide about addresses: what they refuse is shown as text.
    <ReactMarkdown components={components} remarkPlugins={plugins} skipHtml={false} urlTransform={(url) => url}>
      {text}
    </ReactMarkdown>
  );
});

function MarkdownImage({ src, alt }: { src: string | undefined; alt: string }) {
  const text = useText();
  const url = safeImage(src);
  if (url) return <img alt={alt} className="max-h-96 rounded-md" src={url} />;
  return (
    <ExternalLink url={src}>
      [{text.conversation.remoteImage(alt)} {src}]
    </ExternalLink>
  );
}

function CodeBlock({ children }: ComponentProps<"pre">) {
  const block = useRef<HTMLPreElement>(null);
  return (
    <div className="group/code relative">
      <pre className="scroll-quiet" ref={block}>
        {children}
      </pre>
      <span className="absolute end-1.5 top-1.5 opacity-0 focus-within:opacity-100 group-hover/code:opacity-100">
        <CopyButton className="bg-code" text={() => block.current?.textContent ?? ""} />
      </span>
    </div>
  );
}
