import type { AttemptDiff, AttemptId, ExecutionId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { attemptApi } from "../api/attempt-api.ts";
import { diffQuery, executionsQuery } from "../api/queries.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import type { DiffLayout } from "../diff/diff-view.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { readStored, writeStored } from "../preferences/stored-value.ts";
import { OtherComments } from "../review/other-comments.tsx";
import { ReviewBar } from "../review/review-bar.tsx";
import { useCurrentLines, useViewedPaths } from "../review/use-review.ts";
import { IconButton } from "../ui/button.tsx";
import { createDisclosures, DisclosureProvider } from "../ui/disclosure.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { isField } from "../ui/use-shortcut.ts";
import { ChangedFileView, drawnKey } from "./changed-file.tsx";
import { ExecutionChoice } from "./execution-choice.tsx";
import { ExpandAll } from "./expand-all.tsx";
import { FileTree } from "./file-tree.tsx";
import { type ChangeDirection, focusChange } from "./focus-change.ts";
import { NotCompared } from "./not-compared.tsx";
import { filesInOrder, toFileTree } from "./to-file-tree.ts";

const layoutKey = "skein.diff-layout";
/** With more files, all start collapsed. */
const maxOpenAtFirst = 20;
/** Drawn at once; the rest of hundreds follows in the background. */
const drawnAtFirst = 15;
const filesClass = "scroll-quiet min-h-0 min-w-0 flex-1 space-y-3 overflow-y-auto p-3 short:overflow-visible";
/** Of the change that was moved to: its first line, or the button of a file without changed lines. */
const focusable = "[data-hunk][data-focused=true], [data-file][data-focused=true] > header > button";

/** What the attempt's folder holds that its base does not, or what one execution changed. Asked for again when an execution ends. */
export function ChangesPane({ attemptId }: { attemptId: AttemptId }) {
  const text = useTaskText();
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
  const deferred = useDeferredValue(files);
  const drawn = deferred.length === 0 ? files.slice(0, drawnAtFirst) : deferred;
  const paths = useMemo(() => files.map(({ filePath }) => filePath), [files]);
  const total = useMemo(() => addUp(files), [files]);
  useCurrentLines(attemptId, whole.data);
  const viewed = useViewedPaths(attemptId, files);
  const isWhole = executionId === null;
  const openAtFirst = (path: string) => files.length <= maxOpenAtFirst && !(isWhole && viewed.has(path));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the files of another execution begin as they are first shown
  const disclosures = useMemo(createDisclosures, [executionId]);
  const open = (path: string) => flushSync(() => disclosures.setAll([path, drawnKey(path)], true));
  const step = (direction: ChangeDirection) => scroller.current && focusChange(scroller.current, direction, open);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
    const direction = { j: "next", n: "next", k: "previous", p: "previous" }[event.key] as ChangeDirection | undefined;
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    step(direction);
    scroller.current?.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true });
  };
  const changeLayout = () => {
    const next = layout === "split" ? "unified" : "split";
    setLayout(next);
    writeStored(layoutKey, next === "split" ? next : null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of what is inside, each with its button
    <div className="@container flex h-full short:h-auto min-w-0 flex-col" onKeyDown={onKeyDown}>
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 py-1 border-line border-b px-3 text-sm">
        {diff && <span className="text-ink-faint">{text.tool.files(diff.files.length)}</span>}
        {diff && <ChangeCount {...total} />}
        <ExecutionChoice chosen={executionId} executions={executions} onChoose={setExecutionId} />
        <div className="ms-auto flex shrink-0 sm:gap-2">
          <IconButton disabled={files.length === 0} label={text.taskPage.changes.previous} onClick={() => step("previous")}>
            <Icon name="arrowUp" size={14} />
          </IconButton>
          <IconButton disabled={files.length === 0} label={text.taskPage.changes.next} onClick={() => step("next")}>
            <Icon name="arrowDown" size={14} />
          </IconButton>
          <ExpandAll disclosures={disclosures} openAtFirst={openAtFirst} paths={paths} />
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
        </div>
      </header>
      {isWhole && diff && (
        <ReviewBar attemptId={attemptId} className="border-line border-b px-3 py-1" total={files.length} viewed={viewed.size} />
      )}
      <DisclosureProvider disclosures={disclosures}>
        <div className="flex min-h-0 flex-1 @2xl:flex-row flex-col">
          {files.length > 1 && (
            <div className="scroll-quiet max-h-[35%] short:max-h-none shrink-0 @2xl:max-h-none @2xl:w-56 overflow-y-auto @2xl:border-e border-line @max-2xl:border-b p-2">
              <FileTree
                nodes={tree}
                onChoose={(path) => {
                  open(path);
                  revealFile(scroller.current, path);
                }}
              />
            </div>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <div className={filesClass} ref={scroller} tabIndex={0}>
            {error && <ErrorText>{describe(error)}</ErrorText>}
            {diff?.truncated && <p className="rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn">{text.changes.truncated}</p>}
            {diff?.approximate && <p className="rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn">{text.changes.approximate}</p>}
            {diff?.files.length === 0 && (
              <div className="py-12 text-center">
                <p className="font-medium">{text.changes.none}</p>
                <p className="mt-1 text-ink-soft text-sm">{text.changes.noneText}</p>
              </div>
            )}
            {isWhole && diff && <OtherComments attemptId={attemptId} paths={paths} />}
            {drawn.map((file) => (
              <ChangedFileView
                attemptId={attemptId}
                file={file}
                isViewed={isWhole ? viewed.has(file.filePath) : undefined}
                key={file.pathBytes ?? file.filePath}
                layout={layout}
                openAtFirst={openAtFirst(file.filePath)}
              />
            ))}
            {diff && <NotCompared diff={diff} />}
            {diff?.baseCommit && drawn.length > 0 && drawn.length === files.length && (
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
  const header = scroller?.querySelector<HTMLElement>(`[data-file="${CSS.escape(path)}"] > header > button`);
  header?.focus({ preventScroll: true });
  header?.scrollIntoView({ block: "start" });
}
