import { useText } from "../i18n/locale.tsx";

/** Added and removed lines; a zero is left out. */
export function ChangeCount({ additions, deletions }: { additions: number; deletions: number }) {
  const text = useText();
  return (
    <span className="shrink-0 font-mono text-xs tabular-nums">
      {additions > 0 && (
        <span className="text-good">
          <span aria-hidden="true">+{additions}</span>
          <span className="sr-only">{text.tool.added(additions)}</span>
        </span>
      )}
      {additions > 0 && deletions > 0 && " "}
      {deletions > 0 && (
        <span className="text-bad">
          <span aria-hidden="true">−{deletions}</span>
          <span className="sr-only">{text.tool.removed(deletions)}</span>
        </span>
      )}
    </span>
  );
}
