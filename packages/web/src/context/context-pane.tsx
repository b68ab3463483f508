import type { Attempt } from "@skein/contracts";
import { useId, useMemo } from "react";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { createPreference, usePreference } from "../preferences/preference.ts";
import { DisclosureProvider } from "../ui/disclosure.tsx";
import { MessagesView } from "./messages-view.tsx";
import { getPaneState } from "./pane-state.ts";
import { RequestView } from "./request-view.tsx";
import { useContextText } from "./use-context-text.ts";

const views = ["messages", "request"] as const;
const contextView = createPreference<(typeof views)[number]>("skein.context-view", views);

/** What the model sees: every message that requests are built from, and the next request itself (C1, C2). */
export function ContextPane({ attempt, conversation }: { attempt: Attempt; conversation: TaskConversation }) {
  const text = useContextText();
  const [view, setView] = usePreference(contextView);
  const name = useId();
  const state = useMemo(() => getPaneState(attempt.id), [attempt.id]);
  return (
    <DisclosureProvider disclosures={state.disclosures}>
      <div className="flex h-full min-w-0 flex-col">
        <fieldset className="flex min-h-10 shrink-0 items-center border-line border-b px-3 py-1">
          <legend className="sr-only">{text.views.label}</legend>
          <div className="inline-flex gap-0.5 rounded-lg bg-sunken p-0.5">
            {views.map((value) => (
              <label
                className="flex min-h-7 pointer-coarse:min-h-10 cursor-pointer items-center rounded-md px-2.5 text-ink-soft text-sm hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-xs dark:has-checked:bg-active has-focus-visible:outline-2 has-focus-visible:outline-accent"
                key={value}
              >
                <input
                  checked={view === value}
                  className="sr-only"
                  name={name}
                  onChange={() => setView(value)}
                  type="radio"
                  value={value}
                />
                {text.views[value]}
              </label>
            ))}
          </div>
        </fieldset>
        {view === "messages" ? (
          <MessagesView attemptId={attempt.id} conversation={conversation} state={state} />
        ) : (
          <RequestView attempt={attempt} isRunning={conversation.isExecuting} state={state} />
        )}
      </div>
    </DisclosureProvider>
  );
}
