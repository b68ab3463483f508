import { useText } from "../../i18n/locale.tsx";
import { toImageUrl } from "../../text/safe-url.ts";
import { ExternalLink } from "../../ui/external-link.tsx";
import type { DetailsData } from "./details-data.ts";
import { OutputText } from "./output-text.tsx";
import { Panel } from "./panel.tsx";

export function WebDetails({ id, data }: { id: string; data: DetailsData<"webResult"> }) {
  return (
    <Panel title={data.url ? <ExternalLink url={data.url}>{data.title ?? data.url}</ExternalLink> : (data.query ?? data.title)}>
      {data.results && data.results.length > 0 && (
        <ul className="scroll-quiet max-h-[60vh] space-y-2.5 overflow-auto px-3 py-2.5">
          {data.results.map((result, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a search may return an address twice
            <li className="text-sm" key={index}>
              <ExternalLink url={result.url}>{result.title || result.url}</ExternalLink>
              <span className="block truncate text-ink-faint text-xs">{result.url}</span>
              {result.snippet && <p className="mt-0.5 text-ink-soft">{result.snippet}</p>}
            </li>
          ))}
        </ul>
      )}
      {data.content && <OutputText id={`${id}:web`} text={data.content} />}
    </Panel>
  );
}

export function ImageDetails({ data }: { data: DetailsData<"image"> }) {
  const text = useText();
  const url = toImageUrl(data);
  return (
    <Panel title={data.filePath && <span className="font-mono">{data.filePath}</span>}>
      {url ? (
        <img alt={data.filePath ?? text.conversation.imageAlt} className="max-h-[60vh] max-w-full object-contain p-2" src={url} />
      ) : (
        <p className="px-3 py-2 text-ink-faint text-sm">{text.tool.badImage}</p>
      )}
    </Panel>
  );
}
