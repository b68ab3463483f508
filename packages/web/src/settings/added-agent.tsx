import type { AddedAgent, AgentInfo } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { agentApi, refreshAgents } from "../api/agent-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { toCommandLine } from "../text/to-command-line.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { useAgentsText } from "./use-agents-text.ts";

/** What an agent that was added runs, and what can be done with it. */
export function AddedAgentDetails({ agent, added, onUpdate }: { agent: AgentInfo; added: AddedAgent; onUpdate(): void }) {
  const words = useAgentsText();
  const client = useQueryClient();
  const format = useFormats();
  const { busy, error, run } = useAction();
  const [removing, setRemoving] = useState(false);
  const { id, name } = agent;
  const { command, variables, enabled, catalogue } = added;
  const toggle = () =>
    run(async () => {
      await agentApi.setEnabled(id, !enabled);
      await refreshAgents(client);
    });
  return (
    <>
      <p className="mt-1.5 rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs [overflow-wrap:anywhere]">
        <span className="sr-only">{words.command}: </span>
        {toCommandLine(command)}
      </p>
      {variables.length > 0 && (
        <p className="mt-1 text-ink-faint text-xs [overflow-wrap:anywhere]">{words.variablesSet(format.list(variables))}</p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {catalogue?.latest !== undefined && <Button onClick={onUpdate}>{words.update(catalogue.latest)}</Button>}
        <Button aria-label={enabled ? words.turnOffOne(name) : words.turnOnOne(name)} disabled={busy} onClick={() => void toggle()}>
          {enabled ? words.turnOff : words.turnOn}
        </Button>
        <Button aria-label={words.removeOne(name)} look="danger" onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      </div>
      {error && <ErrorText>{error}</ErrorText>}
      <ConfirmDialog
        action={words.remove}
        description={words.removeText(variables.length)}
        onConfirm={async () => {
          await agentApi.remove(id);
          showToast({ text: words.wasRemoved(name), tone: "plain" });
          await refreshAgents(client);
        }}
        onOpenChange={setRemoving}
        open={removing}
        title={words.removeTitle(name)}
      />
    </>
  );
}
