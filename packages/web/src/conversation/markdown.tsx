import { memo, Suspense } from "react";
import { splitMarkdownBlocks } from "../text/split-markdown-blocks.ts";
import { lazyComponent } from "../ui/lazy-component.ts";

const MarkdownBlock = lazyComponent(() => import("./markdown-block.tsx"), "MarkdownBlock").Component;

/** While text streams in, only its last block is parsed again; until the parser is loaded the text is shown as it is. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        {splitMarkdownBlocks(text).map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its place while more text comes
          <MarkdownBlock key={index} text={block} />
        ))}
      </Suspense>
    </div>
  );
});
