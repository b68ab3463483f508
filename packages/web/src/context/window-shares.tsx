import type { BuiltRequest, RequestPart } from "@skein/contracts";
import { useFormats, useLocale } from "../i18n/locale.tsx";
import { useContextText } from "./use-context-text.ts";

const colours: Record<RequestPart["part"], string> = {
  system: "bg-accent",
  tools: "bg-(--ansi-6)",
  summary: "bg-(--ansi-5)",
  user: "bg-good",
  assistant: "bg-warn",
  tool: "bg-(--ansi-4)",
};

/** How much of the model's window each part takes: a bar for the eye, and the same in words. */
export function WindowShares({ request: { parts, tokens, window } }: { request: BuiltRequest }) {
  const { request: text } = useContextText();
  const { locale } = useLocale();
  const format = useFormats();
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  // a share above zero is never shown as nothing
  const share = (part: number) => (part > 0 && part / window < 0.001 ? `< ${percent.format(0.001)}` : percent.format(part / window));
  const whole = Math.max(tokens, window);
  const isOver = tokens > window;
  return (
    <section>
      <h3 className="mb-1 font-medium text-sm">{text.window}</h3>
      <p className={`mb-1.5 text-sm tabular-nums ${isOver ? "text-bad" : "text-ink-soft"}`}>
        {text.total(format.number(tokens), format.number(window), share(tokens))}
      </p>
      <div aria-hidden="true" className="flex h-2.5 overflow-hidden rounded-full bg-active">
        {parts.map(({ part, tokens: taken }) => (
          <span className={`${colours[part]} min-w-0.5 border-canvas border-e`} key={part} style={{ width: `${(taken / whole) * 100}%` }} />
        ))}
      </div>
      <table className="mt-2 w-full max-w-md text-sm tabular-nums">
        <tbody>
          {parts.map(({ part, tokens: taken, count }) => (
            <tr data-part={part} key={part}>
              <th className="py-0.5 text-start font-normal" scope="row">
                <span aria-hidden="true" className={`me-2 inline-block size-2.5 rounded-sm ${colours[part]}`} />
                {text.part[part]} <span className="text-ink-faint text-xs">{part === "system" ? "" : `× ${format.number(count)}`}</span>
              </th>
              <td className="py-0.5 text-end text-ink-soft">{format.number(taken)}</td>
              <td className="w-20 py-0.5 text-end text-ink-soft">{share(taken)}</td>
            </tr>
          ))}
          <tr className="text-ink-faint">
            <th className="py-0.5 text-start font-normal" scope="row">
              <span aria-hidden="true" className="me-2 inline-block size-2.5 rounded-sm bg-active" />
              {isOver ? text.over : text.free}
            </th>
            <td className="py-0.5 text-end">{format.number(Math.abs(window - tokens))}</td>
            <td className="py-0.5 text-end">{share(Math.abs(window - tokens))}</td>
          </tr>
        </tbody>
      </table>
      <p className="mt-1 text-ink-faint text-xs">{text.estimate}</p>
    </section>
  );
}
