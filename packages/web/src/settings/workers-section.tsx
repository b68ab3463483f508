import type { Worker, WorkerInvitation } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { workerApi, workersQuery } from "../api/worker-api.ts";
import { type WorkersText, workersEn } from "../i18n/en-workers.ts";
import { useFormats, useText } from "../i18n/locale.tsx";
import { createTexts } from "../i18n/page-texts.ts";
import { workersZhCN } from "../i18n/zh-cn-workers.ts";
import { Button } from "../ui/button.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { useAction } from "../ui/use-action.ts";

const useWorkersText = createTexts<WorkersText>({ en: workersEn, "zh-CN": workersZhCN });

const isLoopback = (host: string) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

/** Other machines that run attempts: their state, agents and executions. */
export function WorkersSection() {
  const words = useWorkersText();
  const describe = useErrorText();
  const client = useQueryClient();
  const { data: workers, error: loadError } = useQuery(workersQuery);
  const [invitation, setInvitation] = useState<WorkerInvitation | null>(null);
  const { busy, error, run } = useAction();
  const invite = () =>
    run(async () => {
      setInvitation(await workerApi.invite());
      await client.invalidateQueries({ queryKey: workersQuery.queryKey });
    });
  return (
    <div className="max-w-2xl space-y-5">
      <p className="text-ink-soft text-sm">{words.about}</p>
      {loadError && <ErrorText>{describe(loadError)}</ErrorText>}
      {workers?.length === 0 && <p className="text-ink-faint text-sm">{words.none}</p>}
      {workers !== undefined && workers.length > 0 && (
        <ul className="space-y-3">
          {workers.map((worker) => (
            <WorkerRow key={worker.id} words={words} worker={worker} />
          ))}
        </ul>
      )}
      <div className="space-y-2">
        <Button disabled={busy} onClick={() => void invite()}>
          {words.invite}
        </Button>
        {error && <ErrorText>{error}</ErrorText>}
        {/* a code that was revoked or used leads nowhere */}
        {invitation && workers?.some(({ id, state }) => id === invitation.id && state === "invited") && (
          <div className="space-y-1">
            <p className="text-ink-soft text-sm">{words.inviteHint}</p>
            <CommandLine command={invitation.command} />
            {isLoopback(location.hostname) && <p className="text-sm text-warn">{words.onlyHere}</p>}
          </div>
        )}
      </div>
    </div>
  );
}

function WorkerRow({ worker, words }: { worker: Worker; words: WorkersText }) {
  const client = useQueryClient();
  const format = useFormats();
  const { app } = useText();
  const { data: projects = [] } = useQuery(projectsQuery);
  const [isRemoving, setRemoving] = useState(false);
  const { busy, error, run } = useAction();
  const act = (action: () => Promise<unknown>) =>
    run(async () => {
      await action();
      await client.invalidateQueries({ queryKey: workersQuery.queryKey });
    });
  const { id, name, state, isConnected, lastSeenAt, tags, agents, running, waiting, capacity, version } = worker;
  const available = agents.filter((agent) => agent.available);
  const offline = lastSeenAt === null ? words.states.offline : words.offlineSince(format.dateTime(lastSeenAt));
  const shown = state === "invited" ? words.states.invited : isConnected ? words.states.connected : offline;
  return (
    <li className="space-y-2 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold text-sm">{name}</h3>
        <span className={`rounded px-1.5 text-xs ${isConnected ? "bg-good-wash text-good" : "bg-hover text-ink-soft"}`}>{shown}</span>
        {state === "draining" && <span className="rounded bg-hover px-1.5 text-ink-soft text-xs">{words.states.draining}</span>}
        <span className="text-ink-faint text-xs">{version}</span>
      </div>
      {state !== "invited" && (
        <p className="text-ink-soft text-sm">
          {words.running(running, capacity)}
          {waiting > 0 && ` · ${words.waiting(waiting)}`}
        </p>
      )}
      {state !== "invited" && (
        <p className="text-ink-faint text-xs">
          {available.length === 0 ? words.noAgents : app.labelled(words.agents, format.list(available.map((agent) => agent.name)))}
          {tags.length > 0 && ` · ${app.labelled(words.tags, format.list(tags))}`}
        </p>
      )}
      {worker.isOtherVersion && <p className="text-sm text-warn">{words.otherVersion}</p>}
      {worker.fetches.map((fetch) => (
        <p className="text-ink-soft text-sm [overflow-wrap:anywhere]" key={fetch.projectId}>
          {(fetch.state === "running" ? words.fetching : words.notFetched)(
            projects.find((project) => project.id === fetch.projectId)?.name ?? fetch.projectId,
            fetch.text,
          )}
        </p>
      ))}
      <div className="flex flex-wrap gap-2">
        {state === "active" && (
          <Button disabled={busy} onClick={() => void act(() => workerApi.change(id, "draining"))} title={words.drainHint}>
            {words.drain}
          </Button>
        )}
        {state === "draining" && (
          <Button disabled={busy} onClick={() => void act(() => workerApi.change(id, "active"))}>
            {words.activate}
          </Button>
        )}
        {state === "invited" ? (
          <Button aria-label={app.labelled(words.revoke, name)} disabled={busy} onClick={() => void act(() => workerApi.remove(id))}>
            {words.revoke}
          </Button>
        ) : (
          <Button disabled={busy} look="danger" onClick={() => setRemoving(true)}>
            {words.remove}
          </Button>
        )}
      </div>
      {error && <ErrorText>{error}</ErrorText>}
      <ConfirmDialog
        action={words.remove}
        description={words.removeText}
        onConfirm={async () => {
          await workerApi.remove(id);
          await client.invalidateQueries({ queryKey: workersQuery.queryKey });
        }}
        onOpenChange={setRemoving}
        open={isRemoving}
        title={words.removeTitle(name)}
      />
    </li>
  );
}
