import type { Schedule } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { scheduleApi, scheduleRunsQuery, schedulesQuery, templatesQuery } from "../api/automation-api.ts";
import { projectsQuery } from "../api/queries.ts";
import { useCodedText } from "../i18n/coded-text.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useCurrentProject } from "../projects/use-current-project.ts";
import { toRole, useMe } from "../team/me.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { toZonedTime } from "./cron-field.tsx";
import { toCronWords } from "./cron-words.ts";
import { RunList } from "./run-list.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

/** No events report runs: the page looks again. */
const lookEveryMs = 5000;

/** The schedules of all projects. */
export function SchedulesSection() {
  const words = useAutomationsText().schedules;
  const describe = useErrorText();
  const me = useMe();
  const current = useCurrentProject();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { isSuccess: knowsTemplates } = useQuery(templatesQuery);
  const { data: schedules, error } = useQuery({ ...schedulesQuery, refetchInterval: lookEveryMs });
  const [open, setOpen] = useState<Schedule | "new" | null>(null);
  const writable = projects.filter(({ id }) => toRole(me, id) !== "viewer");
  const place = writable.find(({ id }) => id === current?.id) ?? writable[0];
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
      {!schedules && !error && <Spinner size={16} />}
      {schedules?.length === 0 && <p className="text-ink-faint text-sm">{words.none}</p>}
      {schedules !== undefined && schedules.length > 0 && (
        <ul className="space-y-2">
          {schedules.map((schedule) => (
            <ScheduleRow
              isReadOnly={toRole(me, schedule.projectId) === "viewer"}
              key={schedule.id}
              onEdit={() => setOpen(schedule)}
              project={projects.find(({ id }) => id === schedule.projectId)?.name ?? ""}
              schedule={schedule}
            />
          ))}
        </ul>
      )}
      {open !== null && place && (
        <ScheduleDialog onClose={() => setOpen(null)} projectId={place.id} schedule={open === "new" ? undefined : open} />
      )}
    </div>
  );
}

function ScheduleRow(props: { schedule: Schedule; project: string; isReadOnly: boolean; onEdit(): void }) {
  const { schedule, project, isReadOnly, onEdit } = props;
  const { schedules: words, runs: runWords } = useAutomationsText();
  const format = useFormats();
  const coded = useCodedText();
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const [isOpen, setOpen] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const { data: runs } = useQuery({ ...scheduleRunsQuery(schedule.id), enabled: isOpen, refetchInterval: lookEveryMs });
  const reload = () => client.invalidateQueries({ queryKey: schedulesQuery.queryKey });
  const act = (action: () => Promise<unknown>, said: string) =>
    run(async () => {
      await action();
      showToast({ text: said, tone: "plain" });
      await reload();
    });
  const { id, name, cron, timeZone, enabled, nextRunAt, missedRuns, lastMissedAt, missed, lastRun } = schedule;
  const next = enabled && nextRunAt !== null ? words.nextRun(toZonedTime(nextRunAt, timeZone, words.locale)) : words.off;
  return (
    <li className="space-y-1.5 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-semibold text-sm [overflow-wrap:anywhere]">{name}</h2>
        <span className="text-ink-faint text-xs">{project}</span>
        {!enabled && <span className="rounded bg-hover px-1.5 text-ink-soft text-xs">{words.off}</span>}
        {!isReadOnly && (
          <span className="ms-auto flex flex-wrap items-center gap-1">
            <Button
              aria-label={words.runLabel(name)}
              disabled={busy}
              onClick={() => void act(() => scheduleApi.runNow(id), words.started(name))}
            >
              {words.run}
            </Button>
            <Button
              aria-label={enabled ? words.turnOffLabel(name) : words.turnOnLabel(name)}
              disabled={busy}
              onClick={() =>
                void act(() => scheduleApi.update(id, { enabled: !enabled }), enabled ? words.turnedOff(name) : words.turnedOn(name))
              }
            >
              {enabled ? words.turnOff : words.turnOn}
            </Button>
            <IconButton label={words.editLabel(name)} onClick={onEdit}>
              <Icon name="edit" size={15} />
            </IconButton>
            <IconButton label={words.deleteLabel(name)} onClick={() => setRemoving(true)}>
              <Icon name="trash" size={15} />
            </IconButton>
          </span>
        )}
      </div>
      <p className="text-ink-soft text-sm">
        {toCronWords(cron, words.cron, format)} ({timeZone}){enabled && ` · ${next}`}
      </p>
      {missedRuns > 0 && lastMissedAt !== null && (
        <p className="text-ink-faint text-xs">
          {words.missedRuns(missedRuns, format.dateTime(lastMissedAt))} {words.missedChoices[missed]}
        </p>
      )}
      {lastRun?.state === "failed" && lastRun.reason !== null && (
        <ErrorText>{typeof lastRun.reason === "string" ? lastRun.reason : coded(lastRun.reason, lastRun.reason.code)}</ErrorText>
      )}
      {error && <ErrorText>{error}</ErrorText>}
      <Button aria-expanded={isOpen} look="quiet" onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? "chevronDown" : "chevronRight"} size={13} />
        {lastRun === null ? runWords.none : runWords.last(format.dateTime(lastRun.at), runWords.states[lastRun.state])}
      </Button>
      {isOpen && (runs === undefined ? <Spinner size={14} /> : <RunList runs={runs} />)}
      <ConfirmDialog
        action={words.delete}
        description={words.deleteText}
        onConfirm={async () => {
          await scheduleApi.remove(id);
          // its runs are gone
          await client.invalidateQueries({ queryKey: schedulesQuery.queryKey, exact: true });
        }}
        onOpenChange={setRemoving}
        open={isRemoving}
        title={words.deleteLabel(name)}
      />
    </li>
  );
}
