import type { Attempt, DevServer } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { devQuery, terminalApi } from "../api/terminal-api.ts";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { describeExit } from "../terminal/describe-exit.ts";
import { useWorkspaceText } from "../terminal/use-workspace-text.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";

const ScreenView = lazyComponent(() => import("../terminal/screen-view.tsx"), "ScreenView").Component;

const tones: Record<DevServer["state"], string> = {
  none: "text-ink-faint",
  starting: "text-accent",
  listening: "text-good",
  exited: "text-bad",
  stopped: "text-ink-faint",
};

/** The dev server of the attempt: its state, where to open it, and its output. */
export function PreviewPane({ attempt }: { attempt: Attempt }) {
  const text = useWorkspaceText();
  const describe = useErrorText();
  const client = useQueryClient();
  const isReadOnly = useReadOnlyPlace();
  const query = devQuery(attempt.id);
  const { data, error } = useQuery({ ...query, enabled: !isReadOnly });
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  if (isReadOnly || (error && !data))
    return <p className="mx-auto max-w-96 px-4 py-12 text-center text-ink-soft text-sm">{isReadOnly ? text.readOnly : describe(error)}</p>;
  if (!data) return null;
  const isRunning = data.state === "starting" || data.state === "listening";
  const act = async (action: () => Promise<DevServer>) => {
    setFailure(undefined);
    setIsBusy(true);
    try {
      client.setQueryData(query.queryKey, await action());
    } catch (reason) {
      setFailure(reason);
    } finally {
      setIsBusy(false);
    }
  };
  const start = () => void act(() => terminalApi.startDev(attempt.id));
  const stop = () => void act(() => terminalApi.stopDev(attempt.id));
  return (
    <div className="flex h-full flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-2">
        <span className={`flex items-center gap-1.5 text-sm ${tones[data.state]}`} data-dev-state={data.state} role="status">
          {data.state === "starting" ? <Spinner size={13} /> : <Icon name={data.state === "listening" ? "check" : "dot"} size={13} />}
          {text.dev.states[data.state]}
        </span>
        {data.port !== null && <span className="text-ink-faint text-xs tabular-nums">{text.dev.port(data.port)}</span>}
        <span className="ms-auto" />
        {isRunning && (
          <Button disabled={isBusy} onClick={stop}>
            {text.dev.stop}
          </Button>
        )}
        <Button disabled={isBusy} look={isRunning ? "secondary" : "primary"} onClick={start}>
          {isBusy && <Spinner size={13} />}
          {isRunning ? text.dev.restart : text.dev.start}
        </Button>
        {data.url !== null && (
          <a className={buttonClass("primary")} href={data.url} rel="noreferrer noopener" target="_blank" title={text.dev.why}>
            <Icon name="globe" size={14} />
            {text.dev.openAt(data.url)}
          </a>
        )}
      </div>
      <Notes data={data} />
      {failure !== undefined && (
        <div className="px-3 py-2">
          <ErrorText>{describe(failure)}</ErrorText>
        </div>
      )}
      {data.run === null ? (
        <p className="mx-auto max-w-96 px-4 py-12 text-center text-ink-soft text-sm">{text.dev.empty}</p>
      ) : (
        <div className="min-h-0 flex-1 bg-code px-2 pt-1" key={data.run}>
          <Suspense>
            <ScreenView attemptId={attempt.id} id={data.run} isLog label={text.dev.log} onConnected={() => {}} onExit={() => {}} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

function Notes({ data: { state, port, url, exit } }: { data: DevServer }) {
  const text = useWorkspaceText();
  const notes = [
    ...(state === "starting" && port !== null ? [text.dev.startingHint(port)] : []),
    ...(state === "listening" ? [url === null ? text.dev.elsewhere : text.dev.why] : []),
    ...(state === "exited" && exit !== null ? [describeExit(exit, text)] : []),
  ];
  return notes.map((note) => (
    <p className="px-3 py-1.5 text-ink-soft text-xs" key={note}>
      {note}
    </p>
  ));
}
