import type { DrainProgress, ServerNode } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { nodeApi, nodesQuery } from "../api/node-api.ts";
import { type NodesText, nodesEn } from "../i18n/en-nodes.ts";
import { useFormats } from "../i18n/locale.tsx";
import { createTexts } from "../i18n/page-texts.ts";
import { nodesZhCN } from "../i18n/zh-cn-nodes.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { useAction } from "../ui/use-action.ts";

const useNodesText = createTexts<NodesText>({ en: nodesEn, "zh-CN": nodesZhCN });

/** The servers that share the database: their state, what they run, and how to take one out of service. */
export function NodesSection() {
  const words = useNodesText();
  const describe = useErrorText();
  const { data: nodes, error } = useQuery(nodesQuery);
  const ownVersion = nodes?.find(({ isOwn }) => isOwn)?.version;
  return (
    <div className="max-w-2xl space-y-5">
      <p className="text-ink-soft text-sm">{words.about}</p>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      <ul className="space-y-3">
        {nodes?.map((node) => (
          <NodeRow key={node.id} node={node} ownVersion={ownVersion} words={words} />
        ))}
      </ul>
    </div>
  );
}

function NodeRow({ node, ownVersion, words }: { node: ServerNode; ownVersion: string | undefined; words: NodesText }) {
  const client = useQueryClient();
  const format = useFormats();
  const [isRemoving, setRemoving] = useState(false);
  const { busy, error, run } = useAction();
  const reload = () => client.invalidateQueries({ queryKey: nodesQuery.queryKey });
  const drain = (draining: boolean) =>
    run(async () => {
      await nodeApi.change(node.id, draining);
      await reload();
    });
  const isAlive = node.state === "active";
  // the clocks of the browser and of the database may differ
  const sinceMs = Math.max(0, Date.now() - node.seenAt);
  return (
    <li className="space-y-2 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold text-sm">{node.name}</h3>
        <span className={`rounded px-1.5 text-xs ${isAlive ? "bg-good-wash text-good" : "bg-hover text-ink-soft"}`}>
          {words.states[node.state]}
        </span>
        {node.isDraining && <span className="rounded bg-hover px-1.5 text-ink-soft text-xs">{words.draining}</span>}
        {node.isOwn && <span className="text-ink-faint text-xs">{words.own}</span>}
      </div>
      <p className="text-ink-soft text-sm">
        {words.running(node.runningExecutions)}
        <span className="text-ink-faint"> · {isAlive ? words.renewed(format.elapsed(sinceMs)) : words.seen(format.age(sinceMs))}</span>
      </p>
      <p className="text-ink-faint text-xs">
        {words.version(node.version)}
        {isAlive && node.version !== ownVersion && <span className="text-warn"> · {words.otherVersion}</span>}
      </p>
      {isAlive && node.isDraining && <Drain canStop={node.canStop} drain={node.drain} words={words} />}
      <div className="flex flex-wrap gap-2">
        {node.isDraining && node.state !== "removed" && (
          <Button disabled={busy} onClick={() => void drain(false)}>
            {words.activate}
          </Button>
        )}
        {!node.isDraining && isAlive && (
          <Button disabled={busy} onClick={() => void drain(true)} title={words.drainHint}>
            {words.drain}
          </Button>
        )}
        {!isAlive && node.state !== "removed" && (
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
          await nodeApi.remove(node.id);
          await reload();
        }}
        onOpenChange={setRemoving}
        open={isRemoving}
        title={words.removeTitle(node.name)}
      />
    </li>
  );
}

function Drain({ drain, canStop, words }: { drain: DrainProgress | null; canStop: boolean; words: NodesText }) {
  if (drain === null) return <p className="text-ink-soft text-sm">{words.notNoticed}</p>;
  const { agents, following, jobs, waiting, workers } = drain;
  const left = [
    ...(agents > 0 ? [words.agents(agents)] : []),
    ...(following > 0 ? [words.following(following)] : []),
    ...(jobs > 0 ? [words.jobs(jobs)] : []),
    ...(waiting > 0 ? [words.waiting(waiting)] : []),
    ...(workers > 0 ? [words.workers(workers)] : []),
  ];
  return (
    <div className="text-sm" role="status">
      <p className={canStop ? "text-good" : "text-ink-soft"}>{canStop ? words.canStop : words.mustWait}</p>
      {left.length > 0 && (
        <ul className="ms-4 list-disc text-ink-soft">
          {left.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
