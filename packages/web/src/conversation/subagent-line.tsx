import { useTaskText } from "../i18n/task-text.ts";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Chevron } from "../ui/disclosure-button.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import type { SubagentView } from "./nesting.ts";

/** How much a subagent has done, and what it does now. Stands on the line of its card. */
export function SubagentAside({ view }: { view: SubagentView }) {
  const text = useTaskText();
  return (
    <>
      {view.tools > 0 && (
        <span className="shrink-0 whitespace-nowrap rounded bg-hover px-1.5 text-ink-faint text-xs tabular-nums">
          {text.taskPage.subagent.tools(view.tools)}
        </span>
      )}
      {view.failed > 0 && (
        <span className="flex shrink-0 items-center gap-1 text-bad text-xs">
          <Icon name="cross" size={12} />
          {text.taskPage.group.failed(view.failed)}
        </span>
      )}
      {view.running !== null && (
        <span className="min-w-0 flex-1 truncate text-ink-faint text-xs max-sm:hidden">{text.tool.summary(view.running)}</span>
      )}
    </>
  );
}

/** Stands for a subagent whose card is not loaded or not shown yet. */
export function SubagentLine({ rowKey, view }: { rowKey: string; view: SubagentView }) {
  const { subagent: text } = useTaskText().taskPage;
  const [open, setOpen] = useDisclosure(rowKey);
  return (
    <section aria-label={text.label}>
      <button
        aria-expanded={open}
        className="flex min-h-8 pointer-coarse:min-h-11 w-full items-center gap-2 rounded-md px-2 text-start text-sm hover:bg-hover"
        onClick={() => setOpen(!open)}
        type="button"
      >
        <span className="text-ink-faint">
          {view.running === null ? <Icon name="agent" size={15} /> : <Spinner className="text-accent" size={15} />}
        </span>
        <span className="shrink-0 text-ink-soft">{text.label}</span>
        <SubagentAside view={view} />
        <span className="ms-auto flex shrink-0 items-center gap-2 ps-2 text-xs">
          <Chevron open={open} />
        </span>
      </button>
    </section>
  );
}
