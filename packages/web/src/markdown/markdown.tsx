import { memo, Suspense, useMemo } from "react";
import { capMarks } from "../text/cap-marks.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import { LongText } from "../ui/long-text.tsx";
import { toPlainParagraph } from "./plain-paragraph.ts";
import { PlainText } from "./plain-text.tsx";
import { splitMarkdownBlocks } from "./split-markdown-blocks.ts";

const MarkdownBlock = lazyComponent(() => import("./markdown-block.tsx"), "MarkdownBlock").Component;

const part = { characters: 40_000, lines: 1000 };

/** A Markdown text of any length: more than a part of it is drawn when the user asks. `id` remembers how much is shown. */
export const Markdown = memo(function Markdown({ id, text }: { id: string; text: string }) {
  return (
    <LongText id={`${id}:markdown`} part={part} text={text}>
      {(shown) => <MarkdownBlocks text={shown} />}
    </LongText>
  );
});

/** While text streams in, only its last block is parsed again; until the parser is loaded the text is shown as it is. */
function MarkdownBlocks({ text }: { text: string }) {
  const shown = useMemo(() => capMarks(text), [text]);
  const blocks = useMemo(() => splitMarkdownBlocks(shown), [shown]);
  return (
    <div className="prose">
      <Suspense fallback={<PlainText text={shown} />}>
        {blocks.map((block, index) => {
          const plain = toPlainParagraph(block);
          // biome-ignore lint/suspicious/noArrayIndexKey: a block keeps its place while more text comes
          return plain === null ? <MarkdownBlock key={index} text={block} /> : <p key={index}>{plain}</p>;
        })}
      </Suspense>
    </div>
  );
}
