import type { TokenFigure } from "@skein/contracts";
import { useFormats } from "../i18n/locale.tsx";
import type { ShownChange } from "./context-rows.ts";
import { useContextText } from "./use-context-text.ts";

/** A number of tokens; estimates are marked. */
export function Tokens({ size }: { size: TokenFigure }) {
  const text = useContextText();
  const format = useFormats();
  const shown = format.number(size.tokens);
  return (
    <span
      className="shrink-0 text-ink-soft text-xs tabular-nums"
      title={`${text.tokens(size.tokens, shown)}. ${size.isEstimate ? text.estimatedHint : text.reportedHint}`}
    >
      {size.isEstimate ? text.estimated(shown) : shown}
    </span>
  );
}

/** How a request changes a message, as text. */
export function ChangeBadges({ changes }: { changes: readonly ShownChange[] }) {
  const text = useContextText();
  const format = useFormats();
  return changes.map((change, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: changes of a message do not change places
    <Badge change={change.type} key={index}>
      {change.type === "pruned" ? text.change.pruned(format.number(change.before), format.number(change.after)) : text.change[change.type]}
    </Badge>
  ));
}

export function Badge({ children, hint, change }: { children: string; hint?: string; change?: ShownChange["type"] }) {
  const look = change === undefined ? "border-line text-ink-soft" : "border-warn/40 bg-warn-wash text-warn";
  return (
    <li className={`rounded-sm border px-1.5 py-px ${look}`} data-change={change} title={hint}>
      {children}
    </li>
  );
}
