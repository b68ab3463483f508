import type { AttemptDiff, AttemptId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { diffQuery } from "../api/queries.ts";
import { ChangeCount, DiffView } from "../diff/diff-view.tsx";
import { useText } from "../i18n/locale.tsx";
import { IconButton } from "../ui/button.tsx";
import { DisclosureProvider, useDisclosure } from "../ui/disclosure.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";

/** What the attempt's folder holds that its base does not. Asked for again when an execution ends. */
export function ChangesPane({ attemptId }: { attemptId: AttemptId }) {
  const text = useText();
  const describe = useErrorText();
  const { data: diff, error, isFetching, refetch } = useQuery({ ...diffQuery(attemptId), refetchOnMount: "always" });
  const total = diff?.files.reduce(
    (sum, file) => ({ additions: sum.additions + file.additions, deletions: sum.deletions + file.deletions }),
    {
      additions: 0,
      deletions: 0,
    },
  );
  return (
    <section aria-label={text.changes.title} className="flex h-full min-w-0 flex-col">
      <header className="flex h-11 shrink-0 items-center gap-2 border-line border-b px-4 text-sm">
        <h2 className="font-medium">{text.changes.title}</h2>
        {diff && <span className="text-ink-faint">{text.tool.files(diff.files.length)}</span>}
        {total && <ChangeCount {...total} />}
        <span className="ms-auto" />
        {diff?.baseCommit && (
          <span className="truncate text-ink-faint text-xs max-sm:hidden">{text.changes.against(diff.baseCommit.slice(0, 8))}</span>
        )}
        <IconButton disabled={isFetching} label={text.changes.refresh} onClick={() => void refetch()}>
          {isFetching ? <Spinner size={14} /> : <Icon name="refresh" size={14} />}
        </IconButton>
      </header>
      <div className="scroll-quiet min-h-0 flex-1 space-y-3 overflow-y-auto p-3 sm:p-4">
        {error && <ErrorText>{describe(error)}</ErrorText>}
        {diff?.truncated && <p className="rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn">{text.changes.truncated}</p>}
        {diff?.files.length === 0 && (
          <div className="py-12 text-center">
            <p className="font-medium">{text.changes.none}</p>
            <p className="mt-1 text-ink-soft text-sm">{text.changes.noneText}</p>
          </div>
        )}
        <DisclosureProvider>
          {diff?.files.map((file) => (
            <ChangedFile file={file} key={file.filePath} openAtFirst={diff.files.length <= 20} />
          ))}
        </DisclosureProvider>
      </div>
    </section>
  );
}

function ChangedFile({ file, openAtFirst }: { file: AttemptDiff["files"][number]; openAtFirst: boolean }) {
  const text = useText();
  const [open, setOpen] = useDisclosure(file.filePath, openAtFirst);
  return (
    <article aria-label={file.filePath} className="overflow-hidden rounded-lg border border-line bg-code">
      <button
        aria-expanded={open}
        className={`flex min-h-9 w-full items-center gap-2 px-3 text-start text-sm hover:bg-hover ${open ? "border-line border-b" : ""}`}
        onClick={() => setOpen(!open)}
        type="button"
      >
        <Icon className={`text-ink-faint transition-transform ${open ? "rotate-90" : ""}`} name="chevronRight" size={12} />
        <span className="min-w-0 flex-1 truncate font-mono text-[0.8rem]" title={file.filePath}>
          {file.filePath}
        </span>
        {file.change && file.change !== "updated" && <span className="text-ink-faint text-xs">{text.tool[file.change]}</span>}
        <ChangeCount additions={file.additions} deletions={file.deletions} />
      </button>
      {open &&
        (file.binary ? (
          <p className="px-3 py-2 text-ink-faint text-sm">{text.tool.binary}</p>
        ) : (
          <DiffView file={file} id={`changes:${file.filePath}`} />
        ))}
    </article>
  );
}
