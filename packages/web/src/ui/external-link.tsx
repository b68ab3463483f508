import type { ReactNode } from "react";
import { safeLink } from "../text/safe-url.ts";

/** Opens in a new tab, without a referrer. An address that may not be opened is shown as text. */
export function ExternalLink({ url, children }: { url: string | undefined; children: ReactNode }) {
  const href = safeLink(url);
  if (!href) return <span title={url}>{children}</span>;
  return (
    <a
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-current"
      href={href}
      rel="noreferrer noopener"
      target="_blank"
      title={href}
    >
      {children}
    </a>
  );
}
