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

export function ShowAllButton({ children, onClick }: { children: ReactNode; onClick(): void }) {
  return (
    <button
      className="block min-h-8 pointer-coarse:min-h-10 w-full px-3 text-start font-sans text-accent text-xs hover:bg-hover"
      onClick={onClick}
      type="button"
    >
      {children}
    </button>
  );
}
