import type { ReactNode } from "react";

/** The last row of a shortened list or text: shows the rest. */
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
