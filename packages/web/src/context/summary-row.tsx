import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import type { ContextRow } from "./context-rows.ts";
import { PlainText } from "./plain-text.tsx";
import { useContextText } from "./use-context-text.ts";

/** The summary in place of the messages that it replaces. */
export function SummaryRow({ row, onToggle }: { row: Extract<ContextRow, { kind: "summary" }>; onToggle(open: boolean): void }) {
  const { summary: text } = useContextText();
  const format = useFormats();
  const [open, setOpen] = useDisclosure(row.key);
  const { summary, messageCount, originalTokenCount, summaryTokenCount, model } = row.summary;
  return (
    <article aria-label={text.title(messageCount)} className="mx-2 my-1 rounded-lg border border-accent/40 bg-accent-wash px-3 py-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
        <Icon className="text-accent" name="layers" size={14} />
        <strong className="font-semibold">{text.title(messageCount)}</strong>
        <span className="text-ink-soft text-xs tabular-nums">
          {text.size(format.number(originalTokenCount), format.number(summaryTokenCount))}
        </span>
        <span className="text-ink-soft text-xs [overflow-wrap:anywhere]">{text.by(model)}</span>
      </p>
      <div className="-mx-2 mt-1 flex flex-wrap gap-1">
        <Button aria-expanded={open} className="px-2!" look="quiet" onClick={() => setOpen(!open)}>
          <Icon className={open ? "rotate-90" : ""} name="chevronRight" size={12} />
          {text.text}
        </Button>
        <Button aria-expanded={row.isOpen} className="px-2!" look="quiet" onClick={() => onToggle(!row.isOpen)}>
          <Icon className={row.isOpen ? "rotate-90" : ""} name="chevronRight" size={12} />
          {row.isOpen ? text.hide : text.show}
        </Button>
      </div>
      {open && <PlainText text={summary} />}
    </article>
  );
}
