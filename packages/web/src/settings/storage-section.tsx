import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../api/queries.ts";
import { isDeleting, storageQuery } from "../api/shell-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useSettingsText } from "../i18n/settings-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { AttemptUseTable } from "./attempt-use.tsx";
import { CleanSection } from "./clean-section.tsx";
import { QuarantineSection } from "./quarantine-section.tsx";
import { RetentionFields } from "./retention-fields.tsx";

export function StorageSection() {
  const { shell } = useSettingsText();
  const words = shell.settings.storage;
  const format = useFormats();
  const describe = useErrorText();
  const { data: use, error, isFetching, refetch } = useQuery(storageQuery);
  const { data: projects = [] } = useQuery(projectsQuery);
  const parts: [string, number][] = use
    ? [
        [words.database, use.database],
        [words.worktrees, use.worktrees],
        [words.logs, use.executionLogs],
        [words.outputs, use.outputs],
        ...(use.sandboxHomes > 0 ? [[words.sandboxHomes, use.sandboxHomes] as [string, number]] : []),
        ...(use.quarantine > 0 ? [[words.quarantine.title, use.quarantine] as [string, number]] : []),
        [words.other, use.other],
      ]
    : [];
  const total = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-ink-soft text-sm">{words.text}</p>
        <Button disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? <Spinner size={14} /> : <Icon name="refresh" size={14} />}
          {isFetching ? words.measuring : words.again}
        </Button>
      </div>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {use && (
        <>
          <dl className="max-w-md text-sm">
            {parts.map(([name, bytes]) => (
              <div className="flex items-center gap-3 py-1" key={name}>
                <dt className="w-36 shrink-0">{name}</dt>
                <dd className="flex min-w-0 flex-1 items-center gap-3">
                  <progress aria-hidden="true" className="bar h-1.5 min-w-0 flex-1" max={Math.max(total, 1)} value={bytes} />
                  <span className="w-20 shrink-0 text-end tabular-nums">{format.bytes(bytes)}</span>
                </dd>
              </div>
            ))}
            <div className="mt-1 flex justify-between border-line border-t pt-2 font-medium">
              <dt>{words.total}</dt>
              <dd className="tabular-nums">{format.bytes(total)}</dd>
            </div>
          </dl>
          {use.projects.length > 0 && (
            <table className="mt-6 w-full max-w-md text-sm">
              <caption className="mb-1 text-start font-medium">{words.perProject}</caption>
              <thead className="sr-only">
                <tr>
                  <th scope="col">{words.project}</th>
                  <th scope="col">{words.size}</th>
                </tr>
              </thead>
              <tbody>
                {use.projects.map((one) => (
                  <tr key={one.projectId}>
                    <th className="py-1 text-start font-normal" scope="row">
                      {projects.find(({ id }) => id === one.projectId)?.name}
                    </th>
                    <td className="text-end tabular-nums">{format.bytes(one.worktrees + one.executionLogs + one.outputs)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {isDeleting(use) && (
            <p className="mt-4 text-ink-soft text-sm" role="status">
              {words.deleting(format.number(use.deleting.messages), format.bytes(use.deleting.worktrees))}
            </p>
          )}
          <p className="mt-4 text-ink-faint text-sm">{words.hint}</p>
          <AttemptUseTable />
          <CleanSection />
          <RetentionFields />
          <QuarantineSection />
        </>
      )}
    </>
  );
}
