import { useState } from "react";
import { useExportText } from "../exporting/use-export-text.ts";
import { useFormats, useLocale } from "../i18n/locale.tsx";
import { localeNames } from "../i18n/locales.ts";
import { themes, useAppearance, useTheme } from "../preferences/theme.ts";
import { createDisclosures, DisclosureProvider } from "../ui/disclosure.tsx";
import { ChangesView } from "./changes-view.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { MessagesView } from "./messages-view.tsx";
import type { ExportedData } from "./read-blocks.ts";

type View = "conversation" | "messages" | "changes";

/** An exported attempt: what was done, what the model was sent, and what changed. */
export function ExportPage({ data }: { data: ExportedData }) {
  useAppearance();
  const words = useExportText().page;
  const { head, changes, messages, conversation } = data;
  const [view, setView] = useState<View>("conversation");
  const [disclosures] = useState(() => ({
    conversation: createDisclosures(),
    messages: createDisclosures(),
    changes: createDisclosures(),
  }));
  const views: View[] = [
    "conversation",
    ...(changes === null ? [] : ["changes" as const]),
    ...(messages === null ? [] : ["messages" as const]),
  ];
  return (
    <div className="flex h-dvh flex-col">
      <Header data={data} />
      {views.length > 1 && (
        <nav aria-label={words.views} className="flex shrink-0 gap-1 border-line border-b px-3 py-1 sm:px-6 print:hidden">
          {views.map((one) => (
            <button
              aria-current={view === one ? "page" : undefined}
              className="min-h-8 pointer-coarse:min-h-11 rounded-md px-2.5 text-ink-soft text-sm hover:bg-hover aria-[current]:bg-active aria-[current]:text-ink"
              key={one}
              onClick={() => setView(one)}
              type="button"
            >
              {words.view[one]}
            </button>
          ))}
        </nav>
      )}
      <main className="min-h-0 flex-1">
        <DisclosureProvider disclosures={disclosures[view]} key={view}>
          {view === "conversation" && <ConversationView conversation={conversation} executions={head.executions} />}
          {view === "messages" && messages !== null && <MessagesView attemptId={head.attempt.id} messages={messages} />}
          {view === "changes" && changes !== null && <ChangesView attemptId={head.attempt.id} changes={changes} />}
        </DisclosureProvider>
      </main>
    </div>
  );
}

function Header({ data: { head, redaction } }: { data: ExportedData }) {
  const words = useExportText();
  const format = useFormats();
  const { task, attempt } = head;
  const count = redaction?.redacted.reduce((sum, one) => sum + one.count, 0) ?? 0;
  const facts = [
    attempt.agent,
    ...(attempt.model === null ? [] : [attempt.model]),
    words.page.exported(format.dateTime(head.exportedAt)),
    redaction === null ? words.page.notRedacted : words.page.redacted(count),
  ];
  const kinds = redaction?.redacted.map((one) => `${words.kind[one.kind]}: ${format.number(one.count)}`).join("\n");
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b bg-sunken px-3 py-2 sm:px-6">
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-semibold text-[0.95rem]">{task.title}</h1>
        <p className="text-ink-faint text-xs" title={kinds}>
          {facts.join(" · ")}
        </p>
      </div>
      <Preferences />
    </header>
  );
}

const selectClass = "h-8 pointer-coarse:h-11 rounded-md border border-line bg-canvas px-1.5 text-sm";

function Preferences() {
  const words = useExportText().page;
  const { locale, setLocale } = useLocale();
  const [theme, setTheme] = useTheme();
  return (
    <div className="flex gap-2 print:hidden">
      <select
        aria-label={words.theme}
        className={selectClass}
        onChange={({ target }) => setTheme(themes.find((one) => one === target.value) ?? "system")}
        value={theme}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {words.themes[one]}
          </option>
        ))}
      </select>
      <select
        aria-label={words.language}
        className={selectClass}
        onChange={({ target }) => setLocale(localeNames.find(([name]) => name === target.value)?.[0] ?? "en")}
        value={locale}
      >
        {localeNames.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
