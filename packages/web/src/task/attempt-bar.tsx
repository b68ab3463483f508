import type { AgentInfo, AgentList, Attempt, ConversationMessage, PermissionMode, UpdateAttempt } from "@skein/contracts";
import { useMemo, useState } from "react";
import { listModes } from "../agents/mode-hint.ts";
import { toCurrentModel, toModelChoices } from "../agents/model-choices.ts";
import { useAgentName } from "../agents/use-agent-name.ts";
import { MoveMenu } from "../hosts/move-menu.tsx";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { SystemPromptForm } from "../prompts/system-prompt-form.tsx";
import { SandboxMenu } from "../start/sandbox-menu.tsx";
import { SettingButton } from "../start/setting-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { AgentModeMenu } from "./agent-mode-menu.tsx";
import { useAttemptChanges } from "./attempt-changes.ts";
import { type ContextMeter, toContextMeter } from "./context-meter.ts";

export interface AttemptBarProps {
  attempt: Attempt;
  /** Another agent continues from here, in a new attempt. */
  onContinueWith(agent: AgentInfo): Promise<void>;
  agents: AgentList | undefined;
  messages: readonly ConversationMessage[];
}

/** The settings that the next message is answered with, and how full the model's context is. */
export function AttemptBar({ attempt: stored, agents, messages, onContinueWith }: AttemptBarProps) {
  const text = useTaskText();
  const describe = useErrorText();
  const { attempt, save } = useAttemptChanges(stored);
  const agentName = useAgentName();
  const [error, setError] = useState<string | null>(null);
  const [prompting, setPrompting] = useState(false);
  const words = text.shell.settings.conversations.prompt;
  const agent = agents?.agents.find(({ id }) => id === attempt.agent);
  const models = toModelChoices(agent?.models ?? [], attempt);
  const model = models.find(({ id }) => id === attempt.model);
  const meter = useMemo(() => toContextMeter(messages, model?.contextWindow), [messages, model?.contextWindow]);
  const modes = listModes(agent, text, attempt);
  const mode = modes.find(({ value }) => value === attempt.permissionMode);

  const report = async (action: () => Promise<void>) => {
    setError(null);
    await action().catch((failure: unknown) => setError(describe(failure)));
  };
  const update = (changes: UpdateAttempt) => report(() => save(changes));
  const others = (agents?.agents ?? []).filter(({ id, available }) => id !== attempt.agent && available);
  return (
    <section aria-label={text.attempt.settings}>
      <div className="mt-1 flex flex-wrap items-center text-ink-faint text-xs">
        <div className="flex min-w-0 max-w-full gap-1">
          {others.length > 0 && (
            <Menu
              entries={[
                menuChoices({
                  label: text.app.labelled(text.taskPage.composer.continueWith, text.taskPage.composer.continueHint),
                  value: attempt.agent,
                  choices: others.map(({ id, name }) => ({ value: id, label: name })),
                  onChoose: (chosen) => {
                    const agent = others.find(({ id }) => id === chosen);
                    if (agent) void report(() => onContinueWith(agent));
                  },
                }),
              ]}
              trigger={<SettingButton icon="agent" label={text.taskPage.composer.continueWith} value={agentName(attempt.agent)} />}
            />
          )}
          {models.length > 0 && (
            <Menu
              entries={[
                menuChoices({
                  label: `${text.attempt.model} · ${text.attempt.fromNext}`,
                  value: attempt.model,
                  choices: models.map(({ id, name }) => ({ value: id, label: name })),
                  onChoose: (chosen) => void update({ model: chosen }),
                }),
              ]}
              trigger={
                <SettingButton
                  icon="bolt"
                  label={text.attempt.model}
                  value={model?.name ?? toCurrentModel(attempt)?.name ?? text.attempt.defaultModel}
                />
              }
            />
          )}
          <Menu
            entries={[
              menuChoices<PermissionMode>({
                label: `${text.attempt.permissionMode} · ${text.attempt.fromNext}`,
                value: attempt.permissionMode,
                choices: modes,
                onChoose: (permissionMode) => void update({ permissionMode }),
              }),
            ]}
            trigger={
              <SettingButton
                className="shrink-0"
                icon="shield"
                label={text.attempt.permissionMode}
                title={mode?.hint}
                value={mode?.label ?? ""}
              />
            }
          />
          <SandboxMenu onChoose={(sandbox) => void update({ sandbox })} value={attempt.sandbox ?? "off"} when={text.attempt.fromNext} />
          <MoveMenu attempt={attempt} onError={setError} />
          <AgentModeMenu attempt={attempt} onChoose={(agentMode) => void update({ agentMode })} />
          <PromptButton isSet={attempt.systemPrompt.trim() !== ""} onClick={() => setPrompting(true)} />
        </div>
        {meter && <Meter meter={meter} />}
      </div>
      {meter?.isNearlyFull && agent?.capabilities?.compressesHistory && (
        <p className="mt-0.5 px-2 text-warn text-xs">{text.attempt.compactHint}</p>
      )}
      {agent?.permissionControl === "none" && attempt.permissionMode !== "full" && (
        <p className="mt-0.5 px-2 text-warn text-xs">{text.attempt.neverAsks}</p>
      )}
      {error && <ErrorText>{error}</ErrorText>}
      <Dialog onOpenChange={setPrompting} open={prompting} title={words.edit} width="wide">
        <SystemPromptForm
          agent={attempt.agent}
          hint={words.attempt}
          onSave={async (systemPrompt) => {
            await save({ systemPrompt });
            setPrompting(false);
          }}
          value={attempt.systemPrompt}
        />
      </Dialog>
    </section>
  );
}

/** Only an icon while no prompt is set: few attempts have one. */
function PromptButton({ isSet, onClick }: { isSet: boolean; onClick(): void }) {
  const { app, shell } = useTaskText();
  const words = shell.settings.conversations.prompt;
  const label = app.labelled(words.edit, isSet ? words.isSet : words.isEmpty);
  return (
    <button
      aria-label={label}
      className="flex h-7 pointer-coarse:h-10 pointer-coarse:min-w-10 shrink-0 items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-ink"
      onClick={onClick}
      title={label}
      type="button"
    >
      <Icon name="plan" size={13} />
      {isSet && <span className="max-sm:hidden">{words.title}</span>}
    </button>
  );
}

function Meter({ meter }: { meter: ContextMeter }) {
  const text = useTaskText();
  const format = useFormats();
  return (
    <span className="ms-auto flex h-7 items-center gap-2 px-2" title={text.attempt.contextLabel}>
      <span aria-hidden="true" className="h-1 w-14 overflow-hidden rounded-full bg-active">
        <span
          className={`block h-full rounded-full ${meter.isNearlyFull ? "bg-warn" : "bg-ink-faint"}`}
          style={{ width: `${meter.share * 100}%` }}
        />
      </span>
      <span className="tabular-nums">
        <span className="sr-only">{text.attempt.contextLabel}: </span>
        {text.attempt.contextUse(format.tokens(meter.used), format.tokens(meter.window))}
      </span>
    </span>
  );
}
