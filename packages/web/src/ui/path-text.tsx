import { splitPath } from "../text/split-path.ts";

/** Folders that are never cut: an ellipsis is not shorter. */
const shortest = 3;

/**
 * A path on one line. Where there is no room, its folders give way first, then the start of the file's name; the end of the name stays
 * in view. Also for a sentence that ends with a path. Its parts are drawn by the style sheet; in the page there is the whole text, to
 * be read aloud, found and copied.
 */
export function PathText({ text, className = "", title = text }: { text: string; className?: string; title?: string }) {
  const [folders, start, end] = splitPath(text);
  return (
    <span
      className={`path-text ${className}`}
      data-deep={folders.length > shortest || undefined}
      data-folders={folders}
      dir="ltr"
      title={title}
    >
      <span className="path-name" data-end={end} data-start={start}>
        <span className="sr-only">{text}</span>
      </span>
    </span>
  );
}
