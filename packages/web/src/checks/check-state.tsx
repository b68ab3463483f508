import type { Attempt, CheckState } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { checkApi, checkQuery } from "../api/check-api.ts";
import { useCodedText } from "../i18n/coded-text.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { Button } from "../ui/button.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Chevron } from "../ui/disclosure-button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, type IconName, Spinner } from "../ui/icon.tsx";
import { useRaceText } from "./use-race-text.ts";

const looks: Record<CheckState | "none", { icon: IconName | null; tone: string }> = {
  waiting: { icon: "clock", tone: "text-ink-soft" },
  running: { icon: null, tone: "text-accent" },
  passed: { icon: "check", tone: "text-good" },
  failed: { icon: "cross", tone: "text-bad" },
  "timed-out": { icon: "clock", tone: "text-bad" },
  stopped: { icon: "stop", tone: "text-ink-faint" },
  interrupted: { icon: "broken", tone: "text-warn" },
  "not-run": { icon: "warning", tone: "text-warn" },
  none: { icon: null, tone: "text-ink-faint" },
};

/** The last check of an attempt: how it ended, whether that still holds, its output, and the button that runs or stops it. */
export function CheckView({ attempt, canRun }: { attempt: Attempt; canRun: boolean }) {
  const words = useRaceText();
  const text = useTaskText();
  const coded = useCodedText();
  const [open, setOpen] = useDisclosure(`check:${attempt.id}`);
  const { data } = useQuery({ ...checkQuery(attempt.id, attempt.check), enabled: attempt.check !== undefined });
  const { check } = attempt;
  const state = check?.state ?? "none";
  const { icon, tone } = looks[state];
  const isOutdated = data?.check?.id === check?.id && data?.isOutdated === true;
  const output = check !== undefined && "output" in check ? check.output : "";
  const label = (
    <>
      {state === "running" ? <Spinner size={13} /> : icon !== null && <Icon className="shrink-0" name={icon} size={13} />}
      <span className={isOutdated ? "line-through" : ""}>{words.states[state]}</span>
      {check !== undefined && "exitCode" in check && check.exitCode !== null && check.exitCode !== 0 && (
        <span className="text-ink-faint text-xs">{text.tool.exitCode(check.exitCode)}</span>
      )}
    </>
  );
  return (
    <div className="min-w-0 space-y-1" data-check-state={state}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {output === "" ? (
          <span className={`flex items-center gap-1.5 ${tone}`}>{label}</span>
        ) : (
          <button
            aria-expanded={open}
            className={`flex min-h-7 pointer-coarse:min-h-10 items-center gap-1.5 rounded hover:bg-hover ${tone}`}
            onClick={() => setOpen(!open)}
            type="button"
          >
            <Chevron open={open} />
            {label}
          </button>
        )}
        {canRun && <RunButton attempt={attempt} />}
      </div>
      {isOutdated && <p className="text-warn text-xs">{words.outdated}</p>}
      {check?.state === "not-run" && <p className="text-ink-soft text-xs">{coded(check.reason, check.reason.code)}</p>}
      {open && output !== "" && (
        <pre className="max-h-60 overflow-auto whitespace-pre-wrap rounded-md border border-line bg-code p-2 font-mono text-xs [overflow-wrap:anywhere]">
          {output}
        </pre>
      )}
    </div>
  );
}

function RunButton({ attempt: { id, check } }: { attempt: Attempt }) {
  const words = useRaceText();
  const describe = useErrorText();
  const isReadOnly = useReadOnlyPlace();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (isReadOnly) return null;
  const isOpen = check?.state === "waiting" || check?.state === "running";
  const act = () => {
    setBusy(true);
    setError(null);
    (isOpen ? checkApi.stop(id) : checkApi.run(id)).catch((failure: unknown) => setError(describe(failure))).finally(() => setBusy(false));
  };
  return (
    <>
      <Button className="h-7!" disabled={busy} onClick={act}>
        {isOpen ? words.stop : check === undefined ? words.run : words.runAgain}
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </>
  );
}
