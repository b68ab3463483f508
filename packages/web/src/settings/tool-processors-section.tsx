import type { ToolProcessorFile } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { toolProcessorsQuery } from "../api/shell-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useSettingsText } from "../i18n/settings-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";

export function ToolProcessorsSection() {
  const { app, shell } = useSettingsText();
  const words = shell.settings.conversations.processors;
  const describe = useErrorText();
  const { data: list, error, isFetching, refetch } = useQuery(toolProcessorsQuery);
  return (
    <>
      <p className="mb-3 text-ink-soft text-sm">{words.text}</p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-sm">
          <span className="font-medium">{app.labelled(words.folder, "")}</span>
          <code className="text-xs [overflow-wrap:anywhere]">{list?.folder}</code>
        </p>
        <Button disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? <Spinner size={14} /> : <Icon name="refresh" size={14} />}
          {words.check}
        </Button>
      </div>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {list?.files.length === 0 && <p className="text-ink-faint text-sm">{words.none}</p>}
      <ul className="divide-y divide-line">
        {list?.files.map((file) => (
          <FileRow file={file} key={file.file} />
        ))}
      </ul>
    </>
  );
}

const looks = { ready: "bg-good-wash text-good", failed: "bg-bad-wash text-bad", disabled: "bg-warn-wash text-warn" };

function FileRow({ file: { file, toolNames, recognises, state, error } }: { file: ToolProcessorFile }) {
  const { app, shell } = useSettingsText();
  const words = shell.settings.conversations.processors;
  const format = useFormats();
  const tools = format.list([...toolNames, ...(recognises ? [words.byForm] : [])]);
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-2">
        <code className="font-medium text-sm [overflow-wrap:anywhere]">{file}</code>
        <span className={`rounded px-1.5 text-xs ${looks[state]}`}>{words.states[state]}</span>
      </div>
      <p className="mt-0.5 text-ink-soft text-sm [overflow-wrap:anywhere]">{app.labelled(words.tools, tools || words.noTools)}</p>
      {error && (
        <p className="mt-1 text-ink-soft text-sm [overflow-wrap:anywhere]">
          {words.lastError(format.dateTime(error.at))} {error.reason}
        </p>
      )}
    </li>
  );
}
