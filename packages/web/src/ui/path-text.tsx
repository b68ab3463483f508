import { splitPath } from "../text/split-path.ts";

/**
 * A path on one line, cut in its middle where there is no room: the name of the file stays in view. Also for a sentence that ends
 * with a path. Its two parts are drawn by the style sheet; in the page there is the whole text, to be read aloud, found and copied.
 */
export function PathText({ text, className = "", title = text }: { text: string; className?: string; title?: string }) {
  const [head, tail] = splitPath(text);
  return (
    <span className={`path-text ${className}`} data-head={head} data-tail={tail} dir="ltr" title={title}>
      <span className="sr-only">{text}</span>
    </span>
  );
}
