import type { Attempt, BuiltRequest, CompressionForecast, RequestProvider } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { attemptApi } from "../api/attempt-api.ts";
import { useFormats, useText } from "../i18n/locale.tsx";
import { JsonView } from "../tools/renderers/json-view.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { DisclosureButton } from "../ui/disclosure-button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { saveFile } from "../ui/save-file.ts";
import type { PaneState } from "./pane-state.ts";
import { PlainText } from "./plain-text.tsx";
import { TranscriptView } from "./transcript-view.tsx";
import { useContextText } from "./use-context-text.ts";
import { WindowShares } from "./window-shares.tsx";

const providers: readonly RequestProvider[] = ["anthropic", "openai-responses", "openai-chat", "gemini", "scripted"];

/** The next request as it would be sent: how it is built, what takes how much of the window, and the body itself. */
export function RequestView({ attempt, isRunning, state }: { attempt: Attempt; isRunning: boolean; state: PaneState }) {
  const text = useContextText();
  const describe = useErrorText();
  const [provider, showProvider] = useState(state.provider);
  const setProvider = (chosen: RequestProvider): void => {
    state.provider = chosen;
    showProvider(chosen);
  };
  const { data, error, isFetching, refetch } = useQuery({
    // built again at the end of an execution, and for another model
    queryKey: ["next-request", attempt.id, attempt.model, provider, isRunning],
    queryFn: ({ signal }) => attemptApi.getNextRequest(attempt.id, provider, signal),
    refetchOnMount: "always",
    placeholderData: (before) => before,
    retry: false,
  });
  if (error !== null && !isFetching) {
    return (
      <div className="space-y-3 p-4">
        <ErrorText>{describe(error)}</ErrorText>
        <Button onClick={() => void refetch()}>{text.retry}</Button>
        {provider !== null && <ProviderChoice onChange={setProvider} own={null} value={provider} />}
      </div>
    );
  }
  if (data === undefined) {
    return (
      <p className="flex items-center justify-center gap-2 py-12 text-ink-faint text-sm" role="status">
        <Spinner size={14} />
        {text.request.building}
      </p>
    );
  }
  if (data.type === "transcript") return <TranscriptView transcript={data} />;
  return (
    <div className="scroll-quiet min-h-0 flex-1 space-y-5 overflow-y-auto px-3 py-3" data-request={data.provider}>
      <header className="flex flex-wrap items-center gap-1">
        <ProviderChoice onChange={setProvider} own={data.defaultProvider} value={data.provider} />
        <code className="min-w-0 truncate text-ink-soft text-xs" title={data.model}>
          {data.model}
        </code>
        <span className="ms-auto flex items-center">
          {isFetching && <Spinner className="me-1 text-ink-faint" size={13} />}
          <CopyButton label={text.request.copy} text={() => JSON.stringify(data.body, null, 2)} />
          <IconButton
            label={text.request.download}
            onClick={() =>
              saveFile(
                new Blob([JSON.stringify(data.body, null, 2)], { type: "application/json" }),
                `request-${attempt.id}-${data.provider}.json`,
              )
            }
          >
            <Icon name="arrowDown" size={14} />
          </IconButton>
          <IconButton label={text.request.refresh} onClick={() => void refetch()}>
            <Icon name="refresh" size={14} />
          </IconButton>
        </span>
      </header>
      <Notes request={data} />
      {data.compression !== null && <Forecast forecast={data.compression} />}
      <WindowShares request={data} />
      <Steps request={data} />
      <div className="space-y-1">
        <Section id="request:system" title={text.request.system}>
          <PlainText text={data.system} />
        </Section>
        <Section id="request:tools" title={text.request.tools(data.tools.length)}>
          <Tools tools={data.tools} />
        </Section>
        <Section id="request:body" title={text.request.body}>
          <div className="rounded-md bg-code">
            <JsonView id="request:json" value={data.body} />
          </div>
        </Section>
      </div>
    </div>
  );
}

function ProviderChoice({
  value,
  own,
  onChange,
}: {
  value: RequestProvider;
  own: RequestProvider | null;
  onChange(provider: RequestProvider): void;
}) {
  const { request: text } = useContextText();
  const { app } = useText();
  return (
    <Menu
      entries={[
        menuChoices<RequestProvider>({
          label: text.provider,
          value,
          choices: providers.map((one) => ({
            value: one,
            label: one === own ? `${text.providers[one]} · ${text.ownModel}` : text.providers[one],
          })),
          onChoose: onChange,
        }),
      ]}
      trigger={
        <button className="-ms-2 flex h-8 pointer-coarse:h-10 items-center gap-1 rounded-md px-2 text-sm hover:bg-hover" type="button">
          <span className="text-ink-faint">{app.labelled(text.provider, "")}</span> {text.providers[value]}
          <Icon name="chevronDown" size={11} />
        </button>
      }
    />
  );
}

function Notes({ request }: { request: BuiltRequest }) {
  const { request: text } = useContextText();
  const format = useFormats();
  const notes = [
    ...(request.nextMessage === "placeholder" ? [text.placeholder] : []),
    ...(request.nextMessage === "none" ? [text.running] : []),
    ...(request.provider === request.defaultProvider ? [] : [text.otherModel(request.model)]),
    ...(request.unknownMcpServers.length === 0 ? [] : [text.unknownServers(format.list(request.unknownMcpServers))]),
  ];
  return (
    <ul className="space-y-0.5 text-ink-soft text-sm">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** What the agent will do first; the request below is the one before that. */
function Forecast({ forecast }: { forecast: CompressionForecast }) {
  const { forecast: text } = useContextText().request;
  const format = useFormats();
  return (
    <section className="rounded-lg border border-warn/40 bg-warn-wash px-3 py-2 text-sm" data-forecast={forecast.type}>
      <h3 className="flex items-center gap-2 font-semibold">
        <Icon className="text-warn" name="layers" size={14} />
        {forecast.type === "prune" && forecast.outputs === 0 ? text.tooLong : text.title[forecast.type]}
      </h3>
      <p className="mt-1 text-pretty">
        {forecast.type === "summarize"
          ? [
              text.reason[forecast.reason],
              (forecast.replacesSummary ? text.replacesWithSummary : text.replaces)(forecast.messages, format.number(forecast.tokens)),
              text.keeps(forecast.keptMessages),
            ].join(" ")
          : forecast.outputs === 0
            ? text.nothingToPrune
            : [
                text.prunes(forecast.outputs, format.number(forecast.tokensBefore), format.number(forecast.tokensAfter)),
                ...(forecast.fits ? [] : [text.stillTooLong]),
              ].join(" ")}
      </p>
      <p className="mt-1 text-ink-soft">{text.shownBefore}</p>
    </section>
  );
}

function Steps({ request: { steps } }: { request: BuiltRequest }) {
  const { request: text } = useContextText();
  const format = useFormats();
  return (
    <section>
      <h3 className="mb-1 font-medium text-sm">{text.steps}</h3>
      <ol className="list-inside list-decimal space-y-0.5 text-ink-soft text-sm tabular-nums">
        {steps.map(({ step, messages }) => (
          <li data-step={step} key={step}>
            {text.step[step](format.number(messages))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const [open, setOpen] = useDisclosure(id);
  return (
    <section>
      <h3>
        <DisclosureButton
          className="-mx-1 min-h-8 pointer-coarse:min-h-11 w-full gap-1.5 rounded-md px-1 font-medium text-sm"
          onOpenChange={setOpen}
          open={open}
        >
          {title}
        </DisclosureButton>
      </h3>
      {open && <div className="mt-1">{children}</div>}
    </section>
  );
}

function Tools({ tools }: { tools: BuiltRequest["tools"] }) {
  const { request: text } = useContextText();
  return (
    <ul className="space-y-3">
      {tools.map(({ name, description, inputSchema }) => (
        <li key={name}>
          <code className="font-semibold text-sm">{name}</code>
          <p className="whitespace-pre-wrap text-ink-soft text-sm [overflow-wrap:anywhere]">{description}</p>
          <Section id={`request:tool:${name}`} title={text.schema}>
            <div className="rounded-md bg-code">
              <JsonView id={`request:schema:${name}`} value={inputSchema} />
            </div>
          </Section>
        </li>
      ))}
    </ul>
  );
}
