import type { Approval, JsonValue } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { memo, type ReactNode, useId, useMemo } from "react";
import { toApprovalChange } from "../approvals/approval-change.ts";
import { useAskTitle } from "../approvals/use-ask-title.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { firstLine } from "../text/first-line.ts";
import { revealLine } from "../text/reveal-line.ts";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Chevron } from "../ui/disclosure-button.tsx";
import { download } from "../ui/download.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { Icon, type IconName, Spinner } from "../ui/icon.tsx";
import { PathText } from "../ui/path-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useNow } from "../ui/use-now.ts";
import { parseJsonOutput } from "./parse-json-output.ts";
import { JsonView } from "./renderers/json-view.tsx";
import { OutputText } from "./renderers/output-text.tsx";
import { Panel } from "./renderers/panel.tsx";
import { ToolDetailsView } from "./renderers/tool-details.tsx";
import { type ToolCardMessage, type ToolCardState, type ToolCardView, type ToolKind, toToolCardView } from "./tool-card-view.ts";
import { useAskedApproval } from "./use-asked-approval.ts";

const kindIcon: Record<ToolKind, IconName> = {
  edit: "edit",
  read: "file",
  command: "terminal",
  search: "search",
  list: "folder",
  todo: "todo",
  web: "globe",
  image: "image",
  agent: "agent",
  plan: "plan",
  question: "question",
  other: "tool",
};

const stateLook: Record<Exclude<ToolCardState, "running" | "completed">, { icon: IconName; tone: string }> = {
  waiting: { icon: "shield", tone: "text-warn" },
  requested: { icon: "clock", tone: "text-ink-faint" },
  failed: { icon: "cross", tone: "text-bad" },
  denied: { icon: "slash", tone: "text-warn" },
  interrupted: { icon: "broken", tone: "text-warn" },
  "timed-out": { icon: "clock", tone: "text-warn" },
};

export interface ToolCardProps {
  message: ToolCardMessage;
  /** Follows the summary on its line. */
  aside?: ReactNode;
  /** Shown below an open card. Called only then: a closed card draws nothing of it. */
  renderActions(message: ToolCardMessage): ReactNode;
}

/** One line until it is opened. Its state is shown by icon and word, not by colour alone. */
export const ToolCard = memo(function ToolCard({ message, aside, renderActions }: ToolCardProps) {
  const text = useTaskText();
  const view = useMemo(() => toToolCardView(message, text.tool.summary), [message, text]);
  // An approved plan is what the work follows: it is read, not looked for.
  const [open, setOpen] = useDisclosure(view.id, view.kind === "plan" && view.state === "completed");
  const approval = useAskedApproval(message);
  const state = approval ? "waiting" : view.state;
  const bodyId = useId();
  const noteId = useId();
  return (
    <article
      className="group/message"
      aria-label={`${view.toolName} ${text.tool.state[state]}`}
      data-message-id={view.id}
      data-state={view.state}
      data-tool={view.toolName}
    >
      <button
        aria-controls={bodyId}
        aria-describedby={view.mayHaveRun ? noteId : undefined}
        aria-expanded={open}
        className="group flex min-h-8 pointer-coarse:min-h-11 w-full items-center gap-2 rounded-md px-2 text-start text-sm hover:bg-hover"
        onClick={() => setOpen(!open)}
        type="button"
      >
        <span className="text-ink-faint">
          {state === "running" ? <Spinner className="text-accent" size={15} /> : <Icon name={kindIcon[view.kind]} size={15} />}
        </span>
        {approval && !asksItself.has(view.kind) ? (
          <AskedSummary approval={approval} />
        ) : (
          <Summary className={view.state === "failed" ? "text-bad" : "text-ink-soft group-hover:text-ink"} view={view} />
        )}
        {view.changes && <ChangeCount {...view.changes} />}
        {aside}
        <span className="ms-auto flex shrink-0 items-center gap-2 ps-2 text-xs">
          <StateMark state={state} />
          {state !== "waiting" && <Duration view={view} />}
          <Chevron open={open} />
        </span>
      </button>
      {view.mayHaveRun && (
        // Read aloud with the button also while the card is closed.
        <p className="mt-1 mb-2 flex items-center gap-1.5 px-2 text-warn text-xs sm:ps-8" hidden={!open} id={noteId}>
          <Icon name="warning" size={13} />
          {text.tool.mayHaveRun}
        </p>
      )}
      {view.changedElsewhere.map(({ filePath, owner }) => (
        <p className="mb-1 flex items-start gap-1.5 px-2 text-warn text-xs sm:ps-8" key={filePath}>
          <Icon className="mt-0.5 shrink-0" name="warning" size={13} />
          <span className="min-w-0 [overflow-wrap:anywhere]">{text.tool.changedElsewhere[owner](revealLine(filePath))}</span>
        </p>
      ))}
      {open && (
        <div className="mt-1 mb-2 space-y-2 ps-2 sm:ps-8" id={bodyId}>
          <ToolCardBody view={view} />
          {renderActions(message)}
        </div>
      )}
    </article>
  );
});

/** Its summary ends with a path. */
const pathKinds: ReadonlySet<ToolKind> = new Set(["edit", "read", "image"]);

function Summary({ view, className }: { view: ToolCardView; className: string }) {
  const summary = view.summary || view.toolName;
  if (pathKinds.has(view.kind)) return <PathText className={className} text={summary} />;
  return <span className={`min-w-0 truncate ${className}`}>{summary}</span>;
}

/** Tools that are running while they wait: asking is what they do. */
const asksItself: ReadonlySet<ToolKind> = new Set(["plan", "question"]);

/** “Run npm test?”: nothing runs yet. */
function AskedSummary({ approval }: { approval: Approval }) {
  const change = useMemo(() => toApprovalChange(approval), [approval]);
  return <span className="min-w-0 truncate text-ink-soft group-hover:text-ink">{useAskTitle(approval, change)}</span>;
}

function StateMark({ state }: { state: ToolCardState }) {
  const text = useTaskText();
  if (state === "running" || state === "completed") return <span className="sr-only">{text.tool.state[state]}</span>;
  const { icon, tone } = stateLook[state];
  return (
    <span className={`flex items-center gap-1 font-medium ${tone}`}>
      <Icon name={icon} size={13} />
      {text.tool.state[state]}
    </span>
  );
}

function Duration({ view }: { view: ToolCardView }) {
  const format = useFormats();
  const running = view.state === "running";
  const now = useNow(1000, running);
  if (!running && view.durationMs === null) return null;
  return (
    <span className="text-ink-faint tabular-nums">
      {running ? format.elapsed(now - view.startedAt) : format.duration(view.durationMs ?? 0)}
    </span>
  );
}

function isEmptyObject(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** JSON can be opened piece by piece; everything else is text. */
function Output({ id, text }: { id: string; text: string }) {
  const json = useMemo(() => parseJsonOutput(text), [text]);
  return json === undefined ? <OutputText id={id} text={text} /> : <JsonView id={id} value={json} />;
}

function ToolCardBody({ view }: { view: ToolCardView }) {
  const text = useTaskText();
  const hasInput = view.input !== null && !isEmptyObject(view.input);
  return (
    <>
      {view.details && <ToolDetailsView details={view.details} id={view.id} />}
      {hasInput && (
        <Panel title={text.tool.input}>
          {typeof view.input === "string" ? (
            <OutputText id={`${view.id}:input`} text={view.input} />
          ) : (
            <JsonView id={`${view.id}:input`} value={view.input} />
          )}
        </Panel>
      )}
      {view.output !== null && (view.output !== "" || !view.details) && (
        <Panel title={text.tool.output} {...(view.outputIsError ? { tone: "bad" as const } : {})}>
          {view.output === "" ? (
            <p className="px-3 py-2 text-ink-faint text-sm">{text.tool.noOutput}</p>
          ) : (
            <Output id={`${view.id}:output`} text={view.output} />
          )}
        </Panel>
      )}
      {view.downloadPath && <DownloadButton path={view.downloadPath} />}
      {view.processorFailure && (
        <p className="text-warn text-xs [overflow-wrap:anywhere]">
          {text.shell.settings.conversations.processors.card(view.processorFailure.file, view.processorFailure.reason)}
        </p>
      )}
      {view.annotations.map((annotation) => (
        <p className="text-ink-faint text-xs" key={annotation}>
          {text.app.labelled(text.tool.annotations, firstLine(annotation, 1000))}
        </p>
      ))}
    </>
  );
}

function DownloadButton({ path }: { path: string }) {
  const text = useTaskText();
  const describe = useErrorText();
  const save = () => download(path).catch((error: unknown) => showToast({ text: describe(error), tone: "bad" }));
  return (
    <button
      className="inline-flex min-h-8 items-center gap-1.5 text-accent text-sm hover:underline"
      onClick={() => void save()}
      type="button"
    >
      <Icon name="arrowDown" size={14} />
      {text.tool.wholeOutput}
    </button>
  );
}
