import type { RedactionPreview, SecretFinding } from "@skein/contracts";
import { useId, useState } from "react";
import { revealLine } from "../text/reveal-line.ts";
import { Chevron } from "../ui/disclosure-button.tsx";
import { Spinner } from "../ui/icon.tsx";
import { useExportText } from "./use-export-text.ts";

export interface FindingListProps {
  preview: RedactionPreview;
  /** True while the preview is loaded again. */
  isStale: boolean;
  /** Ids of findings that are not redacted. */
  keep: ReadonlySet<string>;
  onKeep(keep: ReadonlySet<string>): void;
}

/** Each value that was found, with the places where it occurs. Checked values are redacted. */
export function FindingList({ preview: { findings, more }, isStale, keep, onKeep }: FindingListProps) {
  const words = useExportText();
  const kept = findings.filter(({ id }) => keep.has(id)).length;
  const toggle = (id: string) => {
    const next = new Set(keep);
    if (!next.delete(id)) next.add(id);
    onKeep(next);
  };
  const state =
    findings.length === 0 ? words.none : [words.found(findings.length - kept), ...(kept === 0 ? [] : [words.kept(kept)])].join(" · ");
  return (
    <div>
      <p className="flex items-center gap-2 font-medium text-sm" role="status">
        {state}
        {isStale && <Spinner size={12} />}
      </p>
      {findings.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ul className="scroll-quiet mt-1 max-h-[35dvh] overflow-y-auto rounded-md border border-line py-1" tabIndex={0}>
          {findings.map((finding) => (
            <Finding finding={finding} isKept={keep.has(finding.id)} key={finding.id} onToggle={() => toggle(finding.id)} />
          ))}
        </ul>
      )}
      {more > 0 && <p className="mt-1 text-ink-soft text-xs">{words.more(more)}</p>}
    </div>
  );
}

function Finding({ finding, isKept, onToggle }: { finding: SecretFinding; isKept: boolean; onToggle(): void }) {
  const words = useExportText();
  const [open, setOpen] = useState(false);
  const placesId = useId();
  const { kind, name, masked, count, places, replacement } = finding;
  const value = revealLine(masked);
  return (
    <li className="px-2.5 text-sm" data-kind={kind}>
      <div className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2">
        <input
          aria-label={words.redactValue(`${words.kind[kind]} ${value}`)}
          checked={!isKept}
          className="size-4 shrink-0 accent-accent"
          onChange={onToggle}
          type="checkbox"
        />
        <span className="shrink-0">{words.kind[kind]}</span>
        <code className="min-w-0 truncate text-ink-soft" title={words.replacedBy(replacement)}>
          {name === undefined ? value : `${name} ${value}`}
        </code>
        <button
          aria-controls={placesId}
          aria-expanded={open}
          aria-label={`${words.places}: ${words.times(count)}`}
          className="ms-auto flex min-h-7 shrink-0 items-center gap-1.5 rounded px-1.5 text-ink-faint text-xs tabular-nums hover:bg-hover"
          onClick={() => setOpen(!open)}
          type="button"
        >
          {words.times(count)}
          <Chevron open={open} />
        </button>
      </div>
      {open && (
        <ul className="mb-1 space-y-1 border-line border-s-2 ps-3 text-xs" id={placesId}>
          {places.map(({ part, id, before, after }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places have no identity of their own
            <li className="text-ink-soft [overflow-wrap:anywhere]" key={index}>
              <span className="text-ink-faint">
                {words.part[part]}
                {part === "changes" && id !== undefined && ` ${revealLine(id)}`}
              </span>{" "}
              <code>
                {revealLine(before)}
                <mark className="rounded bg-warn-wash text-warn">{isKept ? value : replacement}</mark>
                {revealLine(after)}
              </code>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
