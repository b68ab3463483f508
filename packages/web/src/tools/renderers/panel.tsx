import type { ReactNode } from "react";

/** The frame of a tool's details, with a line that names what it shows. */
export function Panel({ title, aside, children, tone }: { title?: ReactNode; aside?: ReactNode; children: ReactNode; tone?: "bad" }) {
  return (
    <div className={`overflow-hidden rounded-lg border bg-code ${tone === "bad" ? "border-bad/40" : "border-line"}`}>
      {(title || aside) && (
        <div className="flex min-h-8 items-center gap-2 border-line border-b px-3 py-1 text-ink-soft text-xs">
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{title}</span>
          {aside}
        </div>
      )}
      {children}
    </div>
  );
}
