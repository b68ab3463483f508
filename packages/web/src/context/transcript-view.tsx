import type { AgentTranscript } from "@skein/contracts";
import { useFormats } from "../i18n/locale.tsx";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { saveFile } from "../ui/save-file.ts";
import { useContextText } from "./use-context-text.ts";

/** For agents that build their own requests: the transcript that a new session would get. */
export function TranscriptView({ transcript: { agentName, attemptId, transcript, tokens } }: { transcript: AgentTranscript }) {
  const text = useContextText();
  const format = useFormats();
  if (transcript === null)
    return <p className="mx-auto max-w-sm px-4 py-12 text-center text-ink-faint text-sm">{text.transcript.none(agentName)}</p>;
  return (
    <div className="scroll-quiet min-h-0 flex-1 space-y-3 overflow-y-auto px-3 py-3" data-request="transcript">
      <p className="text-ink-soft text-sm">{text.transcript.about(agentName)}</p>
      <header className="flex items-center gap-2">
        <h3 className="font-medium text-sm">{text.transcript.title}</h3>
        <span className="text-ink-soft text-xs tabular-nums" title={text.estimatedHint}>
          {text.estimated(text.tokens(tokens, format.number(tokens)))}
        </span>
        <span className="ms-auto flex">
          <CopyButton label={text.transcript.copy} text={transcript} />
          <IconButton
            label={text.transcript.download}
            onClick={() => saveFile(new Blob([transcript], { type: "text/plain;charset=utf-8" }), `transcript-${attemptId}.txt`)}
          >
            <Icon name="arrowDown" size={14} />
          </IconButton>
        </span>
      </header>
      <pre
        className="whitespace-pre-wrap rounded-md bg-code px-3 py-2 font-mono text-[0.8rem] leading-[1.5] [overflow-wrap:anywhere]"
        dir="auto"
      >
        {transcript}
      </pre>
    </div>
  );
}
