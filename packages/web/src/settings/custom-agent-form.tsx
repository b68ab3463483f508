import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { catalogueQuery } from "../api/agent-api.ts";
import { agentsQuery } from "../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Field } from "../ui/field.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { type CustomAgentDraft, emptyCustomAgent, findBadVariable, isRelativeProgram, toAddCommand, toAgentId } from "./custom-agent.ts";
import { useAgentsText } from "./use-agents-text.ts";

const fieldClass =
  "w-full scroll-mb-44 rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 font-mono text-sm placeholder:text-ink-faint pointer-coarse:min-h-11";
const lookEveryMs = 2000;

/**
 * Composes the command that adds a program of the user's own, to be run in a terminal. It is not sent: the server takes no command
 * from a browser. The agent appears here as soon as that command was run.
 */
export function CustomAgentForm({ onDone }: { onDone(): void }) {
  const words = useAgentsText();
  const [draft, setDraft] = useState(emptyCustomAgent);
  const [shown, setShown] = useState<string | null>(null);
  const { data: catalogue } = useQuery(catalogueQuery);
  const command = catalogue && toAddCommand(draft, catalogue.customCommand);
  const { data: list } = useQuery({ ...agentsQuery, refetchInterval: command === undefined ? false : lookEveryMs });
  const id = toAgentId(draft);
  const known = list?.agents.find((agent) => agent.id === id);
  // one that was there before its command was shown is another one
  const isAdded = known !== undefined && shown === id;
  const set = (changes: Partial<CustomAgentDraft>) => setDraft({ ...draft, ...changes });
  if (command !== undefined && known === undefined && shown !== id) setShown(id);
  const badVariable = findBadVariable(draft);
  if (isAdded) {
    return (
      <div className="space-y-4 py-2" role="status">
        <p className="flex items-center gap-2 text-sm">
          <Icon className="text-good" name="check" /> {words.wasAdded(known.name)}
        </p>
        {known.hint && <p className="text-ink-soft text-sm">{known.hint}</p>}
        <Button look="primary" onClick={onDone}>
          {words.done}
        </Button>
      </div>
    );
  }
  return (
    <div className="space-y-4">
      <p className="text-ink-soft text-sm">{words.customText}</p>
      <div>
        <ChoiceGroup
          choices={(["acp", "command"] as const).map((value) => ({ value, label: words.kinds[value] }))}
          label={words.kind}
          onChange={(kind) => set({ kind })}
          value={draft.kind}
        />
        <p className="mt-1 text-ink-faint text-xs">{words.kindHints[draft.kind]}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field error={known === undefined ? null : words.exists(id)} hint={id === "" ? "" : id} label={words.name}>
          {(props) => (
            <input
              {...props}
              autoComplete="off"
              className={`${fieldClass} font-sans`}
              maxLength={100}
              onChange={(event) => set({ name: event.target.value })}
              value={draft.name}
            />
          )}
        </Field>
        <Field error={isRelativeProgram(draft) ? words.relativeProgram : null} hint={words.programHint} label={words.program}>
          {(props) => (
            <input
              {...props}
              autoComplete="off"
              className={fieldClass}
              onChange={(event) => set({ program: event.target.value })}
              spellCheck={false}
              value={draft.program}
            />
          )}
        </Field>
        <Field hint={words.argsHint} label={words.args}>
          {(props) => (
            <textarea
              {...props}
              autoComplete="off"
              className={fieldClass}
              onChange={(event) => set({ args: event.target.value })}
              rows={2}
              spellCheck={false}
              value={draft.args}
            />
          )}
        </Field>
        <Field error={badVariable === undefined ? null : words.badVariable(badVariable)} hint={words.variablesHint} label={words.variables}>
          {(props) => (
            <textarea
              {...props}
              autoComplete="off"
              className={fieldClass}
              onChange={(event) => set({ variables: event.target.value })}
              rows={2}
              spellCheck={false}
              value={draft.variables}
            />
          )}
        </Field>
      </div>
      {command === undefined || known !== undefined ? (
        <p className="border-line border-t pt-3 text-ink-faint text-sm">{words.incomplete}</p>
      ) : (
        <div className="-bottom-5 -mx-5 sm:sticky -mb-5 border-line border-t bg-raised px-5 py-3">
          <p className="mb-1 font-medium text-sm">{catalogue?.customCommand[0] === "npm" ? words.runInFolder : words.run}</p>
          <div className="flex items-start gap-1 rounded-md bg-sunken py-1 pr-1 pl-2.5">
            <code className="min-w-0 flex-1 py-1 font-mono text-xs [overflow-wrap:anywhere]">{command}</code>
            <CopyButton label={words.copy} text={command} />
          </div>
          <p className="mt-2 flex items-center gap-2 text-ink-soft text-xs" role="status">
            <Spinner size={12} /> {words.waiting}
          </p>
        </div>
      )}
    </div>
  );
}
