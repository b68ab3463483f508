import type { QuarantineEntry } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { quarantineApi, quarantineQuery, storageQuery } from "../api/shell-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useSettingsText } from "../i18n/settings-text.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { useAction } from "../ui/use-action.ts";

/** Executions that the database does not know. Nothing is shown when there are none. */
export function QuarantineSection() {
  const words = useSettingsText().shell.settings.storage.quarantine;
  const { data: list } = useQuery(quarantineQuery);
  if (!list || list.entries.length === 0) return null;
  return (
    <section aria-labelledby="quarantine" className="mt-8">
      <h2 className="font-medium text-sm" id="quarantine">
        {words.title}
      </h2>
      <p className="mt-1 text-ink-soft text-sm">{words.text}</p>
      <ul className="mt-2 divide-y divide-line">
        {list.entries.map((entry) => (
          <QuarantineRow entry={entry} key={entry.id} />
        ))}
      </ul>
    </section>
  );
}

function QuarantineRow({ entry }: { entry: QuarantineEntry }) {
  const words = useSettingsText().shell.settings.storage.quarantine;
  const format = useFormats();
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const [asking, setAsking] = useState(false);
  const { id, state, bytes, startedAt, recoverable, projectName, taskTitle, message } = entry;

  const change = async (action: () => Promise<unknown>): Promise<void> => {
    await action();
    await Promise.all([client.invalidateQueries(quarantineQuery), client.invalidateQueries(storageQuery)]);
  };
  const title = taskTitle ?? id;
  return (
    <li className="flex flex-wrap items-start gap-3 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium [overflow-wrap:anywhere]">
          {projectName === undefined ? title : `${projectName} · ${title}`}
          {state === "running" && <span className="ms-2 rounded bg-warn-wash px-1.5 text-warn text-xs">{words.running}</span>}
        </p>
        {message !== undefined && <p className="line-clamp-2 text-ink-soft [overflow-wrap:anywhere]">{message}</p>}
        <p className="text-ink-faint">
          {format.dateTime(startedAt)} · {format.bytes(bytes)}
          {!recoverable && ` · ${words.notRecoverable}`}
        </p>
        {error && <ErrorText>{error}</ErrorText>}
      </div>
      <div className="flex gap-2">
        {recoverable && (
          <Button
            aria-label={words.recoverOne(title)}
            disabled={busy}
            onClick={() => void run(() => change(() => quarantineApi.recover(id)))}
          >
            {words.recover}
          </Button>
        )}
        {state === "running" ? (
          <Button aria-label={words.stopOne(title)} disabled={busy} onClick={() => void run(() => change(() => quarantineApi.stop(id)))}>
            {words.stop}
          </Button>
        ) : (
          <Button aria-label={words.deleteOne(title)} disabled={busy} look="danger" onClick={() => setAsking(true)}>
            {words.delete}
          </Button>
        )}
      </div>
      <ConfirmDialog
        action={words.delete}
        description={words.deleteText}
        onConfirm={() => change(() => quarantineApi.remove(id))}
        onOpenChange={setAsking}
        open={asking}
        title={words.deleteOne(title)}
      />
    </li>
  );
}
