import type { AttemptDiff } from "@skein/contracts";
import { type ReactNode, useId, useMemo } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { useDisclosure } from "../ui/disclosure.tsx";
import { DisclosureButton } from "../ui/disclosure-button.tsx";
import { PathText } from "../ui/path-text.tsx";
import { type FolderGroup, toFolderGroups } from "./to-folder-groups.ts";

/** Files in the folder that are not in the diff, by name: an ignore rule or a nested repository must not hide a file. */
export function NotCompared({ diff: { excluded, nested = [] } }: { diff: Pick<AttemptDiff, "excluded" | "nested"> }) {
  const text = useTaskText().changes;
  const groups = useMemo(() => toFolderGroups(excluded?.paths ?? []), [excluded]);
  const more = (excluded?.total ?? 0) - (excluded?.paths.length ?? 0);
  return (
    <>
      {nested.length > 0 && (
        <Section id="nested" title={text.nested(nested.length)}>
          <p className="pb-2 text-ink-soft">{text.nestedText}</p>
          <PathList paths={nested} />
        </Section>
      )}
      {excluded !== undefined && excluded.total > 0 && (
        <Section id="excluded" title={text.excluded(excluded.total)}>
          <p className="pb-2 text-ink-soft">{text.excludedText}</p>
          {groups.map((group) => (
            <Group group={group} key={group.folder} />
          ))}
          {more > 0 && <p className="pt-2 text-ink-faint">{text.moreExcluded(more)}</p>}
        </Section>
      )}
    </>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const [open, setOpen] = useDisclosure(`not-compared:${id}`);
  const panel = useId();
  return (
    <section aria-label={title} className="rounded-lg border border-line text-sm">
      <DisclosureButton className="min-h-9 w-full gap-2 rounded-lg px-3 text-ink-soft" controls={panel} onOpenChange={setOpen} open={open}>
        {title}
      </DisclosureButton>
      {open && (
        <div className="px-3 pb-3" id={panel}>
          {children}
        </div>
      )}
    </section>
  );
}

/** A folder that is excluded as a whole has nothing to unfold. */
function Group({ group: { folder, paths } }: { group: FolderGroup }) {
  const text = useTaskText();
  const [open, setOpen] = useDisclosure(`not-compared:excluded:${folder}`);
  if (folder === "" || (paths.length === 1 && paths[0] === `${folder}/`)) return <PathList paths={paths} />;
  return (
    <>
      <DisclosureButton className="min-h-7 w-full gap-2 rounded" onOpenChange={setOpen} open={open}>
        <PathText className="flex-1 font-mono text-[0.8rem]" text={`${folder}/`} />
        <span className="text-ink-faint text-xs">{text.tool.files(paths.length)}</span>
      </DisclosureButton>
      {open && <PathList paths={paths} />}
    </>
  );
}

function PathList({ paths }: { paths: readonly string[] }) {
  return (
    <ul className="ps-5 font-mono text-[0.8rem]">
      {paths.map((path) => (
        <li className="break-all" key={path}>
          {path}
        </li>
      ))}
    </ul>
  );
}
