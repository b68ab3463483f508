import { Fragment, memo } from "react";
import { CodeLineText } from "./code-line-text.tsx";
import { languageOfPath } from "./language-of.ts";
import { useHighlight } from "./use-highlight.ts";

/** A whole text in the colours of the language that its path implies. Without colours it takes the same space. */
export const CodeText = memo(function CodeText({ code, path, className = "" }: { code: string; path: string; className?: string }) {
  const lines = useHighlight(code, languageOfPath(path));
  return (
    <pre className={className}>
      {lines
        ? lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
            <Fragment key={index}>
              <CodeLineText line={line} text="" />
              {index < lines.length - 1 && "\n"}
            </Fragment>
          ))
        : code}
    </pre>
  );
});
