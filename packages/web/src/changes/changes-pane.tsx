import type { AttemptDiff, AttemptId, ExecutionId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { attemptApi } from "../api/attempt-api.ts";
import { diffQuery, executionsQuery } from "../api/queries.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { type DiffLayout, DiffView } from "../diff/diff-view.tsx";
import { useText } from "../i18n/locale.tsx";
import { readStored, writeStored } from "../preferences/stored-value.ts";
import { IconButton } from "../ui/button.tsx";
import { DisclosureProvider, useDisclosure } from "../ui/disclosure.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { ExecutionChoice } from "./execution-choice.tsx";
import { FileTree } from "./file-tree.tsx";
import { focusChange } from "./focus-change.ts";
import { NotCompared } from "./not-compared.tsx";
import { filesInOrder, toFileTree } from "./to-file-tree.ts";

const layoutKey = "skein.diff-layout";

/** What the attempt's folder holds that its base does not, or what one execution changed. Asked for again when an execution ends. */
export function ChangesPane({ attemptId }: { attemptId: AttemptId }) {
  const text = useText();
  const describe = useErrorText();
  const scroller = useRef<HTMLDivElement>(null);
  const [layout, setLayout] = useState<DiffLayout>(() => (readStored(layoutKey) === "split" ? "split" : "unified"));
  const [executionId, setExecutionId] = useState<ExecutionId | null>(null);
  const { data: executions = [] } = useQuery(executionsQuery(attemptId));
  const whole = useQuery({ ...diffQuery(attemptId), refetchOnMount: "always", enabled: executionId === null });
  const part = useQuery({
    queryKey: [...diffQuery(attemptId).queryKey, executionId],
    queryFn: ({ signal }) => attemptApi.getExecutionDiff(executionId ?? ("" as ExecutionId), signal),
    enabled: executionId !== null,
    refetchOnMount: "always",
  });
  const { data: diff, error, isFetching, refetch } = executionId === null ? whole : part;
  const tree = useMemo(() => toFileTree(diff?.files ?? []), [diff]);
  const files = useMemo(() => filesInOrder(tree), [tree]);
  const total = useMemo(() => addUp(files), [files]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !scroller.current) return;
    const direction = { j: "next", n: "next", k: "previous", p: "previous" }[event.key] as "next" | "previous" | undefined;
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    focusChange(scroller.current, direction);
  };
  const step = (direction: "next" | "previous") => scroller.current && focusChange(scroller.current, direction);
  const changeLayout = () => {
    const next = layout === "split" ? "unified" : "split";
    setLayout(next);
    writeStored(layoutKey, next === "split" ? next : null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of what is inside, each with its button
    <div className="@container flex h-full min-w-0 flex-col" onKeyDown={onKeyDown}>
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 border-line border-b px-3 text-sm">
        {diff && <span className="text-ink-faint">{text.tool.files(diff.files.length)}</span>}
        {diff && <ChangeCount {...total} />}
        <ExecutionChoice chosen={executionId} executions={executions} onChoose={setExecutionId} />
        <span className="ms-auto" />
        <IconButton disabled={files.length === 0} label={text.taskPage.changes.previous} onClick={() => step("previous")}>
          <Icon name="arrowUp" size={14} />
        </IconButton>
        <IconButton disabled={files.length === 0} label={text.taskPage.changes.next} onClick={() => step("next")}>
          <Icon name="arrowDown" size={14} />
        </IconButton>
        <IconButton
          aria-pressed={layout === "split"}
          className="aria-pressed:bg-active"
          label={text.taskPage.changes.split}
          onClick={changeLayout}
        >
          <Icon name="columns" size={14} />
        </IconButton>
        <IconButton disabled={isFetching} label={text.changes.refresh} onClick={() => void refetch()}>
          {isFetching ? <Spinner size={14} /> : <Icon name="refresh" size={14} />}
        </IconButton>
      </header>
      <DisclosureProvider key={executionId ?? ""}>
        <div className="flex min-h-0 flex-1 @2xl:flex-row flex-col">
          {files.length > 1 && (
            <div className="scroll-quiet max-h-[35%] shrink-0 @2xl:max-h-none @2xl:w-56 overflow-y-auto @2xl:border-e border-line @max-2xl:border-b p-2">
              <FileTree nodes={tree} onChoose={(path) => revealFile(scroller.current, path)} />
            </div>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <div className="scroll-quiet min-h-0 min-w-0 flex-1 space-y-3 overflow-y-auto p-3" ref={scroller} tabIndex={0}>
            {error && <ErrorText>{describe(error)}</ErrorText>}
            {diff?.truncated && <p className="rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn">{text.changes.truncated}</p>}
            {diff?.approximate && <p className="rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn">{text.changes.approximate}</p>}
            {diff?.files.length === 0 && (
              <div className="py-12 text-center">
                <p className="font-medium">{text.changes.none}</p>
                <p className="mt-1 text-ink-soft text-sm">{text.changes.noneText}</p>
              </div>
            )}
            {files.map((file) => (
              <ChangedFileView file={file} key={file.pathBytes ?? file.filePath} layout={layout} openAtFirst={files.length <= 20} />
            ))}
            {diff && <NotCompared diff={diff} />}
            {diff?.baseCommit && files.length > 0 && (
              <p className="text-ink-faint text-xs">{text.changes.against(diff.baseCommit.slice(0, 8))}</p>
            )}
          </div>
        </div>
      </DisclosureProvider>
    </div>
  );
}

function addUp(files: AttemptDiff["files"]): { additions: number; deletions: number } {
  const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + file[key], 0);
  return { additions: sum("additions"), deletions: sum("deletions") };
}

function revealFile(scroller: HTMLElement | null, path: string): void {
  const header = scroller?.querySelector<HTMLElement>(`[data-file="${CSS.escape(path)}"] > button`);
  header?.focus({ preventScroll: true });
  header?.scrollIntoView({ block: "start" });
}

interface ChangedFileProps {
  file: AttemptDiff["files"][number];
  layout: DiffLayout;
  openAtFirst: boolean;
}

export function ChangedFileView({ file, layout, openAtFirst }: ChangedFileProps) {
  const text = useText();
  const [open, setOpen] = useDisclosure(file.filePath, openAtFirst);
  const { oldMode, newMode } = file;
  const modes =
    oldMode && newMode && oldMode !== newMode ? text.changes.mode(text.changes.kind[oldMode], text.changes.kind[newMode]) : undefined;
  const hasLines = !file.binary && (file.hunks.length > 0 || (file.incomplete === undefined && modes === undefined));
  return (
    <article aria-label={file.filePath} className="rounded-lg border border-line bg-code" data-file={file.filePath}>
      <button
        aria-expanded={open}
        className={`-top-3 sticky z-[1] flex min-h-9 w-full items-center gap-2 rounded-t-lg bg-code px-3 text-start text-sm hover:bg-hover ${open ? "border-line border-b" : "rounded-b-lg"}`}
        onClick={() => setOpen(!open)}
        type="button"
      >
        <Icon className={`text-ink-faint transition-transform ${open ? "rotate-90" : ""}`} name="chevronRight" size={12} />
        <span className="min-w-0 flex-1 truncate font-mono text-[0.8rem]" title={file.filePath}>
          {file.oldPath !== undefined && <span className="text-ink-faint">{`${file.oldPath} → `}</span>}
          {file.filePath}
        </span>
        {file.change && file.change !== "updated" && <span className="text-ink-faint text-xs">{text.tool[file.change]}</span>}
        <ChangeCount additions={file.additions} deletions={file.deletions} />
      </button>
      {open && modes !== undefined && <p className="px-3 py-2 text-ink-soft text-sm">{modes}</p>}
      {open && file.incomplete && <p className="px-3 py-2 text-sm text-warn">{text.changes.incomplete[file.incomplete]}</p>}
      {open && file.binary && <p className="px-3 py-2 text-ink-faint text-sm">{text.tool.binary}</p>}
      {open && hasLines && <DiffView file={file} id={`changes:${file.filePath}`} layout={layout} maxRows={400} />}
    </article>
  );
}
