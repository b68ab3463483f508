import type { Attempt } from "@skein/contracts";
import type { Ranking } from "@skein/engine";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAgentName } from "../agents/use-agent-name.ts";
import { api } from "../api/api.ts";
import { gitStateQuery } from "../api/git-api.ts";
import { useRaceText } from "../checks/use-race-text.ts";
import { CommitDialog } from "../git/commit-dialog.tsx";
import { LandDialog } from "../git/land-dialog.tsx";
import { findObstacle } from "../git/to-git-bar.ts";
import { useGitOperations } from "../git/use-git-operations.ts";
import { useCodedText } from "../i18n/coded-text.ts";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";

export interface RankingPanelProps {
  attempts: readonly Attempt[];
  /** Undefined while figures are being loaded. */
  ranking: Ranking | undefined;
}

/** Which attempt is the best and why, and what to do with it and the others. */
export function RankingPanel({ attempts, ranking }: RankingPanelProps) {
  const words = useRaceText();
  const isReadOnly = useReadOnlyPlace();
  const winner = attempts.find(({ id }) => id === ranking?.winner);
  const isUnchecked = ranking !== undefined && ranking.running === 0 && attempts.every(isNotChecked);
  return (
    <section aria-label={words.ranking} className="mb-4 space-y-2 rounded-xl border border-line bg-raised px-3 py-2.5 text-sm">
      <Explanation attempts={attempts} ranking={ranking} />
      {isUnchecked && <p className="text-ink-soft">{words.noScript}</p>}
      {winner !== undefined && !isReadOnly && (
        <div className="flex flex-wrap items-center gap-2">
          <LandWinner attempt={winner} key={winner.id} />
          <ArchiveOthers others={attempts.filter((one) => one !== winner && one.archived !== true)} ranking={ranking} winner={winner} />
        </div>
      )}
    </section>
  );
}

const isNotChecked = ({ check }: Attempt): boolean =>
  check === undefined ||
  (check.state === "not-run" && (check.reason.code === "check-missing" || check.reason.code === "check-not-trusted"));

function Explanation({ attempts, ranking }: RankingPanelProps) {
  const words = useRaceText();
  const agentName = useAgentName();
  if (ranking === undefined) return <p className="text-ink-soft">{words.loading}</p>;
  const { winner: id, verdict, rankedBy, running } = ranking;
  const winner = attempts.find((one) => one.id === id);
  const still = running > 0 && (
    <span className="flex items-center gap-1.5 text-accent">
      <Spinner size={13} />
      {words.running(running)}
    </span>
  );
  return (
    <div aria-live="polite" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {winner !== undefined && verdict !== null && verdict !== "not-passed" ? (
        <p className="flex flex-wrap items-center gap-x-1.5">
          <Icon
            className={verdict === "passed" ? "text-good" : "text-ink-faint"}
            name={verdict === "passed" ? "check" : "info"}
            size={15}
          />
          <strong className="font-semibold">{words.best(`#${winner.number} ${agentName(winner.agent)}`)}</strong>
          <span className="text-ink-soft">
            {words.verdict[verdict]} · {words.reasons[rankedBy]}
          </span>
        </p>
      ) : (
        verdict !== null && <p>{words.noWinner[verdict === "not-passed" ? "not-passed" : "unchanged"]}</p>
      )}
      {still}
    </div>
  );
}

/** Uncommitted work is committed first. */
function LandWinner({ attempt }: { attempt: Attempt }) {
  const words = useRaceText();
  const coded = useCodedText();
  const { data: state, refetch } = useQuery(gitStateQuery(attempt.id));
  const operations = useGitOperations(attempt.id);
  const [dialog, setDialog] = useState<"commit" | "land" | null>(null);
  const obstacle = state && findObstacle(state, attempt.isolation, "land");
  const canCommit = state !== undefined && findObstacle(state, attempt.isolation, "commit") === undefined;
  const needsCommit = obstacle !== undefined && canCommit;
  const start = async () => {
    const now = (await refetch()).data;
    if (now === undefined) return;
    setDialog(findObstacle(now, attempt.isolation, "land") === undefined ? "land" : "commit");
  };
  const closeCommit = async () => {
    const now = (await refetch()).data;
    setDialog(now !== undefined && findObstacle(now, attempt.isolation, "land") === undefined ? "land" : null);
  };
  const common = { attemptId: attempt.id, taskId: attempt.taskId, operations };
  return (
    <>
      <Button disabled={state === undefined || (obstacle !== undefined && !canCommit)} look="primary" onClick={() => void start()}>
        <Icon name={needsCommit ? "check" : "branch"} size={14} />
        {needsCommit ? words.commitFirst : words.land}
      </Button>
      {obstacle !== undefined && !needsCommit && <span className="text-ink-soft text-xs">{coded(obstacle.text, obstacle.text.code)}</span>}
      {dialog === "commit" && state && <CommitDialog {...common} onClose={() => void closeCommit()} state={state} />}
      {dialog === "land" && state && <LandDialog {...common} onClose={() => setDialog(null)} state={state} />}
    </>
  );
}

/** One click, with undo. The winner becomes the active attempt. */
function ArchiveOthers({ winner, others, ranking }: { winner: Attempt; others: readonly Attempt[]; ranking: Ranking | undefined }) {
  const words = useRaceText();
  const describe = useErrorText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (others.length === 0) return null;
  const active = others.find((one) => one.active);
  const change = (archived: boolean) => Promise.all(others.map(({ id }) => api.updateAttempt(id, { archived })));
  const restore = async () => {
    await change(false);
    if (active !== undefined) await api.activateAttempt(active.id);
    showToast({ text: words.restored(others.length), tone: "plain" });
  };
  const undo = () => void restore().catch((failure: unknown) => showToast({ text: describe(failure), tone: "bad" }));
  const archive = async () => {
    setBusy(true);
    setError(null);
    try {
      if (!winner.active) await api.activateAttempt(winner.id);
      await change(true);
      showToast({ text: words.archived(others.length), tone: "plain", undo });
    } catch (failure) {
      setError(describe(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button disabled={busy} onClick={() => void archive()} title={words.archiveHint(ranking?.running ?? 0)}>
        {busy ? <Spinner size={14} /> : <Icon name="archive" size={14} />}
        {words.archiveOthers(others.length)}
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </>
  );
}
