import type { Attempt } from "@skein/contracts";
import { type KeyboardEvent, Suspense, useEffect, useId, useMemo, useRef } from "react";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { AttemptPlace } from "../editors/attempt-place.ts";
import { gitBarClass } from "../git/git-bar-class.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { ScrollHint } from "../ui/scroll-hint.tsx";
import { useOverflow } from "../ui/use-overflow.ts";
import type { SideView, TaskView } from "./task-view.ts";

const ChangesPane = lazyComponent(() => import("../changes/changes-pane.tsx"), "ChangesPane").Component;
const ContextPane = lazyComponent(() => import("../context/context-pane.tsx"), "ContextPane").Component;
const FilesPane = lazyComponent(() => import("../files/files-pane.tsx"), "FilesPane").Component;
const GitBar = lazyComponent(() => import("../git/git-bar.tsx"), "GitBar").Component;
const PreviewPane = lazyComponent(() => import("../preview/preview-pane.tsx"), "PreviewPane").Component;
const ShellPane = lazyComponent(() => import("../terminal/shell-pane.tsx"), "ShellPane").Component;
const TerminalPane = lazyComponent(() => import("../terminal/terminal-pane.tsx"), "TerminalPane").Component;
const TimelinePane = lazyComponent(() => import("../timeline/timeline-pane.tsx"), "TimelinePane").Component;

const tabs: { view: SideView; icon: IconName }[] = [
  { view: "changes", icon: "diff" },
  { view: "context", icon: "layers" },
  { view: "files", icon: "folder" },
  { view: "terminal", icon: "list" },
  { view: "shell", icon: "terminal" },
  { view: "preview", icon: "globe" },
  { view: "timeline", icon: "timeline" },
];

export interface SidePaneProps {
  id: string;
  view: SideView;
  attempt: Attempt;
  conversation: TaskConversation;
  onView(view: TaskView): void;
  /** To the card of a tool, in the conversation. */
  onReveal(messageId: string): void;
}

/** What the attempt did, and what its model sees. */
export function SidePane({ id, view, attempt, conversation, onView, onReveal }: SidePaneProps) {
  const text = useTaskText();
  const { panes } = text.taskPage;
  const panelId = useId();
  const bar = useRef<HTMLDivElement>(null);
  const overflow = useOverflow(bar);
  // also when a link or a key chose it
  useEffect(() => {
    // newer browsers return a promise, which React would take for the effect's end
    void bar.current?.querySelector(`[data-view="${view}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [view]);
  // An answer that streams in draws the page many times a second: these two have nothing to do with it.
  const still = useMemo(() => {
    if (view === "changes") {
      return (
        <div className="scroll-quiet flex h-full flex-col short:overflow-y-auto">
          <Suspense fallback={<div className={gitBarClass} />}>
            <GitBar attemptId={attempt.id} isolation={attempt.isolation} taskId={attempt.taskId} />
          </Suspense>
          <div className="min-h-0 flex-1 short:flex-none">
            <ChangesPane attemptId={attempt.id} />
          </div>
        </div>
      );
    }
    if (view === "shell") return <ShellPane attempt={attempt} />;
    if (view === "preview") return <PreviewPane attempt={attempt} />;
    return view === "files" ? <FilesPane attemptId={attempt.id} /> : null;
  }, [view, attempt]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = by === undefined ? undefined : tabs.at((tabs.findIndex((tab) => tab.view === view) + by) % tabs.length);
    if (!next) return;
    event.preventDefault();
    onView(next.view);
    event.currentTarget.querySelector<HTMLElement>(`[data-view="${next.view}"]`)?.focus();
  };
  return (
    <section aria-label={panes.label} className="flex h-full min-w-0 flex-col" id={id}>
      <div className="@container flex h-10 shrink-0 items-center gap-1 border-line border-b px-2">
        <div className="relative flex min-w-0">
          <div
            aria-label={panes.label}
            className="flex min-w-0 gap-0.5 overflow-x-auto [scrollbar-width:none]"
            onKeyDown={onKeyDown}
            onScroll={overflow.update}
            ref={bar}
            role="tablist"
          >
            {tabs.map((tab) => (
              <button
                aria-controls={panelId}
                aria-selected={tab.view === view}
                className="flex h-7 pointer-coarse:h-9 shrink-0 items-center gap-1.5 rounded-md px-2 text-ink-soft text-sm hover:bg-hover aria-selected:bg-active aria-selected:text-ink"
                data-view={tab.view}
                key={tab.view}
                onClick={() => onView(tab.view)}
                role="tab"
                tabIndex={tab.view === view ? 0 : -1}
                type="button"
              >
                <Icon className="@max-lg:hidden" name={tab.icon} size={14} />
                {panes[tab.view]}
              </button>
            ))}
          </div>
          {overflow.start && <ScrollHint scrolled={bar} side="start" />}
          {overflow.end && <ScrollHint scrolled={bar} side="end" />}
        </div>
        <span className="ms-auto" />
        <IconButton label={panes.close} onClick={() => onView("conversation")}>
          <Icon name="cross" size={14} />
        </IconButton>
      </div>
      <div aria-label={panes[view]} className="min-h-0 flex-1" id={panelId} key={attempt.id} role="tabpanel">
        <AttemptPlace value={attempt}>
          <Suspense>
            {still}
            {view === "context" && <ContextPane attempt={attempt} conversation={conversation} />}
            {view === "terminal" && <TerminalPane conversation={conversation} onReveal={onReveal} />}
            {view === "timeline" && <TimelinePane conversation={conversation} onReveal={onReveal} />}
          </Suspense>
        </AttemptPlace>
      </div>
    </section>
  );
}
