import type { AttemptId } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { IconButton } from "../ui/button.tsx";
import { DisclosureProvider } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import { FileViewer } from "./file-viewer.tsx";
import { FolderEntries } from "./folder-entries.tsx";

/** The folder that the attempt works in, as it is now. */
export function FilesPane({ attemptId }: { attemptId: AttemptId }) {
  const { files: text } = useTaskText().taskPage;
  const client = useQueryClient();
  const [path, setPath] = useState<string | null>(null);
  return (
    <div className="@container flex h-full min-w-0 flex-col">
      <div className="flex min-h-0 flex-1 @2xl:flex-row flex-col">
        <nav
          aria-label={text.tree}
          className={`scroll-quiet flex @2xl:w-64 shrink-0 flex-col @2xl:border-e border-line overflow-y-auto p-2 ${path === null ? "max-h-full" : "@max-2xl:max-h-[40%] @max-2xl:border-b"}`}
        >
          <div className="flex justify-end">
            <IconButton label={text.refresh} onClick={() => void client.invalidateQueries({ queryKey: ["worktree", attemptId] })}>
              <Icon name="refresh" size={14} />
            </IconButton>
          </div>
          <DisclosureProvider>
            <FolderEntries attemptId={attemptId} chosen={path} onChoose={setPath} path="." />
          </DisclosureProvider>
        </nav>
        <div className="min-h-0 min-w-0 flex-1">
          {path === null ? (
            <p className="p-6 text-center text-ink-faint text-sm @max-2xl:hidden">{text.choose}</p>
          ) : (
            <FileViewer attemptId={attemptId} key={path} path={path} />
          )}
        </div>
      </div>
    </div>
  );
}
