import type { ProjectId } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { type RefObject, Suspense } from "react";
import { useText } from "../i18n/locale.tsx";
import { newTaskRequest } from "../start/new-task-request.ts";
import { useStore } from "../state/external-store.ts";
import { Button } from "../ui/button.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";

const TaskComposer = lazyComponent(() => import("../start/task-composer.tsx"), "TaskComposer");

/** The first thing that someone sees of a project: what a task is, and the field to write one. */
export function EmptyBoard({ projectId, composer }: { projectId: ProjectId; composer: RefObject<{ focus(): void } | null> }) {
  const text = useText();
  // The dialog has the same draft: only one of the two is shown at a time.
  const isElsewhere = useStore(newTaskRequest);
  return (
    <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full w-full max-w-2xl flex-col justify-center gap-4 p-4 sm:p-6">
        <div>
          <h2 className="font-semibold text-lg">{text.board.emptyTitle}</h2>
          <p className="text-ink-soft">{text.board.emptyText}</p>
        </div>
        <p className="order-last text-ink-soft text-sm">
          <Link className="text-accent hover:underline" to="/import">
            {text.shell.palette.commands.importSessions}
          </Link>
        </p>
        <Suspense>{!isElsewhere && <TaskComposer.Component handle={composer} projectId={projectId} />}</Suspense>
      </div>
    </div>
  );
}

export function NoMatch({ onClear }: { onClear(): void }) {
  const text = useText();
  return (
    <p className="flex flex-wrap items-center gap-2 px-4 pt-3 text-ink-soft text-sm" role="status">
      {text.board.noMatch}
      <Button look="quiet" onClick={onClear}>
        {text.board.clearFilters}
      </Button>
    </p>
  );
}
