import type { ProjectId, TrustChange } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { trustChangesQuery } from "../api/trust-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { Button } from "../ui/button.tsx";

export interface TrustChangesProps {
  projectId: ProjectId;
  /** The attempt whose folder is looked at; null for the project's own. */
  reviewed: TrustChange | null;
  onReview(change: TrustChange | null): void;
}

/** Attempts in whose folders something is not as it was trusted, so that it is not used there. Nothing where there are none. */
export function TrustChanges({ projectId, reviewed, onReview }: TrustChangesProps) {
  const { trust: words } = useSettingsText().shell;
  const { data: changes = [] } = useQuery(trustChangesQuery(projectId));
  if (reviewed !== null) {
    return (
      <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-warn-wash px-3 py-2.5 text-sm" role="status">
        <p className="min-w-0 flex-1">{words.reviewing(reviewed.attemptNumber, reviewed.taskTitle)}</p>
        <Button onClick={() => onReview(null)}>{words.backToProject}</Button>
      </div>
    );
  }
  if (changes.length === 0) return null;
  return (
    <section aria-label={words.changes} className="rounded-lg border border-line px-3 py-2.5 text-sm">
      <h3 className="font-medium">{words.changes}</h3>
      <p className="mt-0.5 text-ink-faint">{words.changesText}</p>
      <ul className="mt-2 space-y-1.5">
        {changes.map((change) => (
          <li className="flex flex-wrap items-center gap-2" key={change.attemptId}>
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {words.attempt(change.attemptNumber, change.taskTitle)}
              <span className="block text-ink-faint text-xs">{listKinds(change, words).join(" · ")}</span>
            </span>
            <Button onClick={() => onReview(change)}>{words.review}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function listKinds(
  { scripts, agentSettings, hooks, mcpServers }: TrustChange,
  words: { scripts: string; settings: string; hooks: string },
): string[] {
  return [...mcpServers, ...(scripts ? [words.scripts] : []), ...(agentSettings ? [words.settings] : []), ...(hooks ? [words.hooks] : [])];
}
