import type { AgentList, PermissionMode, ProjectId, Sandbox, StartForm, StartTask } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { workingModes } from "../agents/mode-hint.ts";
import { agentsQuery } from "../api/queries.ts";
import { settingsApi } from "../api/shell-api.ts";
import type { OtherRacer } from "./racers.ts";
import { type ResolvedChoice, resolveChoice, type StartChoice, startChoices, toAttemptInput } from "./start-choice.ts";

export interface StartSettings extends ResolvedChoice {
  /** Undefined while it loads. */
  list: AgentList | undefined;
  baseBranch: string | null;
  /** A worker's id; null: the server's own machine. */
  host: string | null;
  /** Null: as in the settings. */
  sandbox: Sandbox | null;
  /** More agents for the same message: a race. */
  others: readonly OtherRacer[];
  setOthers(others: readonly OtherRacer[]): void;
  chooseHost(id: string | null): void;
  chooseSandbox(sandbox: Sandbox): void;
  chooseAgent(id: string): void;
  chooseModel(id: string): void;
  chooseMode(mode: PermissionMode): void;
  chooseBranch(name: string | null): void;
  /** What a template says; what it leaves open stays as it was. */
  chooseAll(form: Pick<StartForm, "agent" | "model" | "permissionMode" | "sandbox" | "baseBranch">): void;
  /** What an attempt is created with. Waits for the agents, where they are not known yet. */
  toAttempt(): Promise<NonNullable<StartTask["attempt"]>>;
  /**
   * The next task begins with the same choice. A mode becomes the default for good with the first start, or when it was chosen by
   * hand: who only wrote a task down has not agreed to the recommended one.
   */
  remember(options: { started: boolean }): void;
}

/** What the next start in a project uses: what was chosen last, else the defaults. */
export function useStartChoice(projectId: ProjectId): StartSettings {
  const client = useQueryClient();
  const { data: list } = useQuery(agentsQuery);
  const [choice, setChoice] = useState<StartChoice>(() => startChoices.read(projectId));
  const [baseBranch, chooseBranch] = useState<string | null>(null);
  const [host, chooseHost] = useState<string | null>(null);
  const [sandbox, chooseSandbox] = useState<Sandbox | null>(null);
  const [others, setOthers] = useState<readonly OtherRacer[]>([]);
  // an empty list until the agents are known: the mode can be shown before
  const resolved = useMemo(() => resolveChoice(choice, list ?? { agents: [], defaultAgent: "native" }), [choice, list]);
  return {
    ...resolved,
    // a mode that is being chosen just now is not chosen for good: the choice stays on the page until the start
    isModeChosen: list === undefined || resolveChoice({ ...startChoices.read(projectId) }, list).isModeChosen,
    list,
    baseBranch,
    host,
    sandbox,
    others,
    setOthers,
    chooseHost,
    chooseSandbox,
    chooseAgent: (agent) => setChoice((known) => ({ ...known, agent, model: null })),
    chooseModel: (model) => setChoice((known) => ({ ...known, agent: resolved.agent?.id ?? known.agent, model })),
    chooseMode: (permissionMode) => setChoice((known) => ({ ...known, permissionMode })),
    chooseBranch,
    chooseAll(form) {
      const { agent, model, permissionMode } = form;
      setChoice((known) => ({
        agent: agent ?? known.agent,
        model: model ?? (agent === null || agent === known.agent ? known.model : null),
        permissionMode: permissionMode ?? known.permissionMode,
      }));
      chooseBranch(form.baseBranch);
      chooseSandbox(form.sandbox);
    },
    async toAttempt() {
      const wanted = resolveChoice(choice, list ?? (await client.fetchQuery(agentsQuery)));
      return {
        ...toAttemptInput(wanted),
        ...(baseBranch === null ? {} : { baseBranch }),
        ...(host === null ? {} : { host }),
        ...(sandbox === null ? {} : { sandbox }),
      };
    },
    remember({ started }) {
      const { agent, model, permissionMode } = resolved;
      startChoices.write(projectId, started ? { agent: agent?.id ?? null, model, permissionMode } : choice);
      const agreed = started ? permissionMode : choice.permissionMode;
      const asDefault = workingModes.find((mode) => mode === agreed);
      if (list === undefined || list.defaultPermissionMode !== undefined || asDefault === undefined) return;
      client.setQueryData(agentsQuery.queryKey, (known) => known && { ...known, defaultPermissionMode: asDefault });
      // the task runs either way: the choice is offered again where it could not be saved
      settingsApi.setDefaults({ permissionMode: asDefault }).catch(() => {});
    },
  };
}
