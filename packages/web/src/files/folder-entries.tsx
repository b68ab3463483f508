import type { AttemptId, FolderEntry } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { folderQuery } from "../api/attempt-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { useDisclosure } from "../ui/disclosure.tsx";
import { DisclosureButton } from "../ui/disclosure-button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";

interface FolderProps {
  attemptId: AttemptId;
  chosen: string | null;
  onChoose(path: string): void;
}

/** One folder; those in it are read when they are opened. */
export function FolderEntries({ attemptId, path, chosen, onChoose }: FolderProps & { path: string }) {
  const { files: text } = useTaskText().taskPage;
  const describe = useErrorText();
  const { data, error } = useQuery(folderQuery(attemptId, path));
  if (error) return <ErrorText>{describe(error)}</ErrorText>;
  if (!data) return <Spinner className="m-1.5 text-ink-faint" size={13} />;
  if (data.entries.length === 0) return <p className="px-2 py-1 text-ink-faint text-xs">{text.empty}</p>;
  return (
    <ul>
      {data.entries.map((entry) => (
        <li key={entry.path}>
          {entry.kind === "folder" ? (
            <Folder attemptId={attemptId} chosen={chosen} entry={entry} onChoose={onChoose} />
          ) : (
            <button
              aria-current={entry.path === chosen || undefined}
              className="flex min-h-7 pointer-coarse:min-h-10 w-full items-center gap-1.5 rounded-md px-1.5 text-start text-sm hover:bg-hover aria-[current]:bg-active"
              onClick={() => onChoose(entry.path)}
              title={entry.path}
              type="button"
            >
              <Icon className="text-ink-faint" name="file" size={13} />
              <span className="min-w-0 flex-1 truncate">{entry.name}</span>
            </button>
          )}
        </li>
      ))}
      {data.truncated && <li className="px-2 py-1 text-ink-faint text-xs">{text.tooMany}</li>}
    </ul>
  );
}

function Folder({ attemptId, entry, chosen, onChoose }: FolderProps & { entry: FolderEntry }) {
  const [open, setOpen] = useDisclosure(entry.path);
  return (
    <>
      <DisclosureButton className="min-h-7 pointer-coarse:min-h-10 w-full gap-1 rounded-md px-1 text-sm" onOpenChange={setOpen} open={open}>
        <Icon className="text-ink-faint" name="folder" size={13} />
        <span className="min-w-0 flex-1 truncate">{entry.name}</span>
      </DisclosureButton>
      {open && (
        <div className="ms-2 border-line border-s ps-1">
          <FolderEntries attemptId={attemptId} chosen={chosen} onChoose={onChoose} path={entry.path} />
        </div>
      )}
    </>
  );
}
