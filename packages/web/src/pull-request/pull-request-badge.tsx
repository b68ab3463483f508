import type { PullRequestBadge as Badge } from "@skein/contracts";
import { useText } from "../i18n/locale.tsx";
import { Icon } from "../ui/icon.tsx";
import { stateLooks } from "./state-looks.ts";

/** On cards and in lists: number, state and, while it is open, the state of its checks. */
export function PullRequestBadge({ badge }: { badge: Badge }) {
  const words = useText().board.pullRequest;
  const { icon, tone } = stateLooks[badge.state];
  const isOpen = badge.state === "open" || badge.state === "draft";
  const checks = isOpen ? badge.checks : null;
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <span className={`flex items-center gap-1 ${tone}`}>
        <Icon name={icon} size={12} />
        {words.state[badge.state](badge.number)}
      </span>
      {checks && (
        <span className={checks === "failure" ? "text-bad" : checks === "success" ? "text-good" : ""}>{words.checks[checks]}</span>
      )}
    </span>
  );
}
