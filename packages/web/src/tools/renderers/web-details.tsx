import { useTaskText } from "../../i18n/task-text.ts";
import { firstLine } from "../../text/first-line.ts";
import { BoundedImage } from "../../ui/bounded-image.tsx";
import { ExternalLink } from "../../ui/external-link.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { useShownItems } from "../../ui/use-shown-items.tsx";
import type { DetailsData } from "./details-data.ts";
import { OutputText } from "./output-text.tsx";
import { Panel } from "./panel.tsx";

/** Of one result. */
const snippetPart = { characters: 2000, lines: 20 };

export function WebDetails({ id, data }: { id: string; data: DetailsData<"webResult"> }) {
  const { shown, more } = useShownItems(data.results ?? [], { id, first: 50 });
  const name = firstLine(data.title ?? data.url ?? "", 500);
  return (
    <Panel title={data.url ? <ExternalLink url={data.url}>{name}</ExternalLink> : firstLine(data.query ?? name, 500)}>
      {shown.length > 0 && (
        <ul className="scroll-quiet max-h-[60vh] space-y-2.5 overflow-auto px-3 py-2.5">
          {shown.map((result, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a search may return an address twice
            <li className="text-sm" key={index}>
              <ExternalLink url={result.url}>{firstLine(result.title || result.url, 500)}</ExternalLink>
              <span className="block truncate text-ink-faint text-xs">{firstLine(result.url, 500)}</span>
              {result.snippet && (
                <p className="mt-0.5 text-ink-soft">
                  <LongText id={`${id}:${index}`} part={snippetPart} text={result.snippet} />
                </p>
              )}
            </li>
          ))}
          {more}
        </ul>
      )}
      {data.content && <OutputText id={`${id}:web`} text={data.content} />}
    </Panel>
  );
}

export function ImageDetails({ data }: { data: DetailsData<"image"> }) {
  const text = useTaskText();
  return (
    <Panel title={data.filePath && <span className="font-mono">{firstLine(data.filePath, 1000)}</span>}>
      <div className="p-2">
        <BoundedImage
          alt={firstLine(data.filePath ?? text.conversation.imageAlt, 300)}
          className="h-auto max-h-[60vh] w-auto max-w-full object-contain"
          fileName={data.filePath}
          image={data}
        />
      </div>
    </Panel>
  );
}
