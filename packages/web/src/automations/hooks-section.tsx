import type { IncomingHook, IssuedHook } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { hookApi, hookRunsQuery, hooksQuery, templatesQuery } from "../api/automation-api.ts";
import { projectsQuery } from "../api/queries.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useCurrentProject } from "../projects/use-current-project.ts";
import { toRole, useMe } from "../team/me.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";
import { HookDialog } from "./hook-dialog.tsx";
import { RunList } from "./run-list.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

/** No events report deliveries: the page looks again. */
const lookEveryMs = 5000;

/** The incoming webhooks of all projects. */
export function HooksSection() {
  const words = useAutomationsText().hooks;
  const describe = useErrorText();
  const me = useMe();
  const current = useCurrentProject();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { isSuccess: knowsTemplates } = useQuery(templatesQuery);
  const { data: hooks, error } = useQuery({ ...hooksQuery, refetchInterval: lookEveryMs });
  const [open, setOpen] = useState<IncomingHook | "new" | null>(null);
  const [issued, setIssued] = useState<IssuedHook | null>(null);
  const owned = projects.filter(({ id }) => toRole(me, id) === "owner");
  const place = owned.find(({ id }) => id === current?.id) ?? owned[0];
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-prose flex-1 basis-64 text-ink-soft text-sm">{words.about}</p>
        {place && (
          <Button disabled={!knowsTemplates} look="primary" onClick={() => setOpen("new")}>
            <Icon name="plus" size={14} />
            {words.create}
          </Button>
        )}
      </div>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {!hooks && !error && <Spinner size={16} />}
      {hooks?.length === 0 && <p className="text-ink-faint text-sm">{words.none}</p>}
      {hooks !== undefined && hooks.length > 0 && (
        <ul className="space-y-2">
          {hooks.map((hook) => (
            <HookRow
              hook={hook}
              isReadOnly={toRole(me, hook.projectId) !== "owner"}
              key={hook.id}
              onEdit={() => setOpen(hook)}
              onIssued={setIssued}
              project={projects.find(({ id }) => id === hook.projectId)?.name ?? ""}
            />
          ))}
        </ul>
      )}
      {open !== null && place && (
        <HookDialog hook={open === "new" ? undefined : open} onClose={() => setOpen(null)} onIssued={setIssued} projectId={place.id} />
      )}
      {issued && (
        <Dialog description={words.secretText} onOpenChange={() => setIssued(null)} open title={words.secretTitle(issued.hook.name)}>
          <div className="space-y-3 text-sm">
            <p className="font-medium">{words.address}</p>
            <CommandLine command={toAddress(issued.hook)} />
            <p className="font-medium">{words.secret}</p>
            <CommandLine command={issued.secret} />
            <div className="flex justify-end">
              <Button look="primary" onClick={() => setIssued(null)}>
                {words.done}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}

const toAddress = ({ id }: IncomingHook): string => new URL(`/api/hooks/${id}`, location.origin).href;

interface HookRowProps {
  hook: IncomingHook;
  project: string;
  isReadOnly: boolean;
  onEdit(): void;
  onIssued(issued: IssuedHook): void;
}

function HookRow({ hook, project, isReadOnly, onEdit, onIssued }: HookRowProps) {
  const { hooks: words, runs: runWords, schedules: scheduleWords } = useAutomationsText();
  const format = useFormats();
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const [isOpen, setOpen] = useState(false);
  const [asking, setAsking] = useState<"delete" | "rotate" | null>(null);
  const { data: runs } = useQuery({ ...hookRunsQuery(hook.id), enabled: isOpen, refetchInterval: lookEveryMs });
  const reload = () => client.invalidateQueries({ queryKey: hooksQuery.queryKey });
  const { id, name, enabled, lastRun } = hook;
  const turn = () =>
    run(async () => {
      await hookApi.update(id, { enabled: !enabled });
      await reload();
    });
  return (
    <li className="space-y-1.5 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-semibold text-sm [overflow-wrap:anywhere]">{name}</h2>
        <span className="text-ink-faint text-xs">{project}</span>
        {!enabled && <span className="rounded bg-hover px-1.5 text-ink-soft text-xs">{scheduleWords.off}</span>}
        {!isReadOnly && (
          <span className="ms-auto flex flex-wrap items-center gap-1">
            <Button aria-label={words.rotateLabel(name)} onClick={() => setAsking("rotate")}>
              {words.rotate}
            </Button>
            <Button
              aria-label={enabled ? scheduleWords.turnOffLabel(name) : scheduleWords.turnOnLabel(name)}
              disabled={busy}
              onClick={() => void turn()}
            >
              {enabled ? scheduleWords.turnOff : scheduleWords.turnOn}
            </Button>
            <IconButton label={scheduleWords.editLabel(name)} onClick={onEdit}>
              <Icon name="edit" size={15} />
            </IconButton>
            <IconButton label={scheduleWords.deleteLabel(name)} onClick={() => setAsking("delete")}>
              <Icon name="trash" size={15} />
            </IconButton>
          </span>
        )}
      </div>
      <p className="font-mono text-ink-soft text-xs [overflow-wrap:anywhere]">{toAddress(hook)}</p>
      {error && <ErrorText>{error}</ErrorText>}
      <Button aria-expanded={isOpen} look="quiet" onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? "chevronDown" : "chevronRight"} size={13} />
        {lastRun === null ? words.noDeliveries : words.last(format.dateTime(lastRun.at), runWords.states[lastRun.state])}
      </Button>
      {isOpen && (runs === undefined ? <Spinner size={14} /> : <RunList runs={runs} />)}
      <ConfirmDialog
        action={asking === "rotate" ? words.rotate : scheduleWords.delete}
        description={asking === "rotate" ? words.rotateText : words.deleteText}
        onConfirm={async () => {
          if (asking === "rotate") onIssued(await hookApi.rotate(id));
          else await hookApi.remove(id);
          // the deliveries of a deleted one are gone
          await client.invalidateQueries({ queryKey: hooksQuery.queryKey, exact: true });
        }}
        onOpenChange={(open) => !open && setAsking(null)}
        open={asking !== null}
        title={asking === "rotate" ? words.rotateLabel(name) : scheduleWords.deleteLabel(name)}
      />
    </li>
  );
}
