import type { FeedbackItem } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { useTaskText } from "../i18n/task-text.ts";
import { useStore } from "../state/external-store.ts";
import { safeLink } from "../text/safe-url.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { sendFeedback, sendingItems } from "./send-feedback.ts";
import { toTaskPlace } from "./task-place.ts";

/** Failed checks and requested changes of a pull request, with one button that sends them to the agent. */
export function FeedbackCard({ item, active, onDismiss }: { item: FeedbackItem; active: boolean; onDismiss(): void }) {
  const { inbox: words } = useTaskText().shell;
  const isSending = useStore(sendingItems).includes(item.id);
  const { number, failedChecks, changesRequestedBy } = item;
  const link = safeLink(item.url);
  return (
    <section
      aria-label={words.feedback.label(number)}
      className={`my-2 rounded-xl border bg-raised px-3 py-2.5 ${active ? "border-accent" : "border-bad/40"}`}
      data-inbox-item={item.id}
    >
      {failedChecks.length > 0 && (
        <p className="flex items-start gap-1.5 font-medium text-bad text-sm">
          <Icon className="mt-0.5 shrink-0" name="cross" size={15} />
          <span className="line-clamp-3 min-w-0 [overflow-wrap:anywhere]">{words.feedback.checks(number, failedChecks)}</span>
        </p>
      )}
      {changesRequestedBy.length > 0 && (
        <p className="flex items-start gap-1.5 font-medium text-sm text-warn">
          <Icon className="mt-0.5 shrink-0" name="edit" size={15} />
          <span className="line-clamp-3 min-w-0 [overflow-wrap:anywhere]">{words.feedback.changes(number, changesRequestedBy)}</span>
        </p>
      )}
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button disabled={isSending} look="primary" onClick={() => void sendFeedback(item)}>
          {words.feedback.send}
          {active && <KeyHint keys="S" />}
        </Button>
        <Link {...toTaskPlace(item)} className={buttonClass("secondary")}>
          {words.feedback.open}
          {active && <KeyHint keys="↵" />}
        </Link>
        <Button look="quiet" onClick={onDismiss}>
          {words.dismiss}
          {active && <KeyHint keys="E" />}
        </Button>
        {link && (
          <a className={buttonClass("quiet")} href={link} rel="noopener noreferrer" target="_blank">
            {words.feedback.page(number)}
          </a>
        )}
      </div>
    </section>
  );
}
