import type { UsageReport } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { useAgentName } from "../agents/use-agent-name.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useSettingsText } from "../i18n/settings-text.ts";
import { ScrollBox } from "../ui/scroll-box.tsx";

const head = "whitespace-nowrap border-line border-b px-2 py-1.5 font-medium text-ink-faint text-xs";
const cell = "border-line border-b px-2 py-1.5";
const number = `${cell} text-end tabular-nums whitespace-nowrap`;

/** Formats a number of tokens: a lower bound for an agent that reports only some of its requests. */
function useCount(): (row: { isPartial: boolean }, count: string) => string {
  const { execution } = useSettingsText();
  return ({ isPartial }, count) => (isPartial ? execution.atLeast(count) : count);
}

/** The numbers of the bars as a table. */
export function UsageTable({ report }: { report: UsageReport }) {
  const agentName = useAgentName();
  const { shell } = useSettingsText();
  const words = shell.usage;
  const format = useFormats();
  const toCount = useCount();
  return (
    <details>
      <summary className="cursor-pointer py-1 font-medium text-sm">{words.asTable}</summary>
      <ScrollBox className="mt-2">
        <table className="w-full border-separate border-spacing-0 text-sm">
          <thead>
            <tr>
              {[words.day, words.agent].map((label) => (
                <th className={`${head} text-start`} key={label} scope="col">
                  {label}
                </th>
              ))}
              {[words.executions, words.input, words.output, words.cost].map((label) => (
                <th className={`${head} text-end`} key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report.days.map((row) => (
              <tr key={`${row.day} ${row.agent}`}>
                <th className={`${cell} whitespace-nowrap text-start font-normal`} scope="row">
                  {format.date(new Date(`${row.day}T12:00`).getTime())}
                </th>
                <td className={cell}>{agentName(row.agent)}</td>
                <td className={number}>{format.number(row.executions)}</td>
                <td className={number}>{toCount(row, format.number(row.inputTokens))}</td>
                <td className={number}>{toCount(row, format.number(row.outputTokens))}</td>
                <td className={number}>{row.costUsd === null ? words.unknown : format.money(row.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </details>
  );
}

/** The attempts that cost most. */
export function CostlyAttempts({ report }: { report: UsageReport }) {
  const agentName = useAgentName();
  const { shell, attempt: attemptText } = useSettingsText();
  const words = shell.usage;
  const format = useFormats();
  const toCount = useCount();
  return (
    <section>
      <h2 className="mb-1 font-medium text-sm">{words.attempts}</h2>
      <ScrollBox>
        <table className="w-full border-separate border-spacing-0 text-sm">
          <thead>
            <tr>
              <th className={`${head} text-start`} scope="col">
                {words.task}
              </th>
              <th className={`${head} text-start max-sm:hidden`} scope="col">
                {words.agent}
              </th>
              <th className={`${head} text-end`} scope="col">
                {words.tokens}
              </th>
              <th className={`${head} text-end`} scope="col">
                {words.cost}
              </th>
            </tr>
          </thead>
          <tbody>
            {report.attempts.map((row) => (
              <tr key={row.attemptId}>
                <th className={`${cell} w-full max-w-0 text-start font-normal`} scope="row">
                  <Link
                    className="block truncate underline-offset-2 hover:underline"
                    params={{ taskId: row.taskId }}
                    search={{ attempt: row.attemptId }}
                    to="/t/$taskId"
                  >
                    {row.taskTitle}
                    <span className="text-ink-faint"> · {attemptText.label(row.number)}</span>
                  </Link>
                </th>
                <td className={`${cell} whitespace-nowrap max-sm:hidden`}>{agentName(row.agent)}</td>
                <td className={number}>{toCount(row, format.tokens(row.inputTokens + row.outputTokens))}</td>
                <td className={number}>{row.costUsd === null ? words.unknown : format.money(row.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}
