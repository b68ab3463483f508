import { Link } from "@tanstack/react-router";
import { useTaskText } from "../i18n/task-text.ts";
import { useCurrentProject } from "../projects/use-current-project.ts";
import { buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

export function EmptyInbox() {
  const { inbox: words } = useTaskText().shell;
  const project = useCurrentProject();
  return (
    <div className="flex flex-col items-center gap-2 py-20 text-center">
      <Icon className="text-line-strong" name="inbox" size={40} />
      <h2 className="font-semibold">{words.empty}</h2>
      <p className="max-w-xs text-ink-soft text-sm">{words.emptyText}</p>
      {project && (
        <Link className={buttonClass("secondary", "mt-2")} params={{ projectId: project.id }} to="/p/$projectId">
          {words.toBoard}
        </Link>
      )}
    </div>
  );
}
