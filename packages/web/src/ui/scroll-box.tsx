import type { ReactNode } from "react";

/** A part of the page that scrolls on its own, also with the arrow keys. */
export function ScrollBox({ className = "", dir, children }: { className?: string; dir?: "ltr"; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={`scroll-quiet overflow-auto ${className}`} dir={dir} tabIndex={0}>
      {children}
    </div>
  );
}
