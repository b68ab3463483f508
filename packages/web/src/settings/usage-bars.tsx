import { useAgentName } from "../agents/use-agent-name.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useSettingsText } from "../i18n/settings-text.ts";
import type { Chart, Measure } from "./usage-chart.ts";

/** Each agent has its own colour, as in the legend. */
const fills = ["fill-accent", "fill-good", "fill-warn", "fill-bad", "fill-(--ansi-6)", "fill-(--ansi-5)"];
const dots = ["bg-accent", "bg-good", "bg-warn", "bg-bad", "bg-(--ansi-6)", "bg-(--ansi-5)"];

const height = 100;

/** The bars are stretched to the width there is; labels are outside of them, so that they are readable on a phone, too. */
export function UsageBars({ chart, measure }: { chart: Chart; measure: Measure }) {
  const { shell } = useSettingsText();
  const agentName = useAgentName();
  const format = useFormats();
  const show = (value: number) => (measure === "cost" ? format.money(value) : format.tokens(value));
  const dayName = (day: string | undefined) => (day === undefined ? "" : format.date(new Date(`${day}T12:00`).getTime()));
  const toY = (value: number) => height - (value / chart.max) * height;
  const middle = chart.days[Math.floor((chart.days.length - 1) / 2)];
  return (
    <figure>
      <div className="grid grid-cols-[auto_1fr] gap-x-2 text-ink-faint text-xs">
        <div aria-hidden="true" className="flex h-44 flex-col justify-between text-end tabular-nums leading-none">
          <span>{show(chart.max)}</span>
          <span>{show(chart.max / 2)}</span>
          <span>{show(0)}</span>
        </div>
        <svg
          aria-label={shell.usage.chart(shell.usage[measure])}
          className="h-44 w-full border-line border-y"
          preserveAspectRatio="none"
          role="img"
          viewBox={`0 0 ${chart.days.length} ${height}`}
        >
          <line className="stroke-line" vectorEffect="non-scaling-stroke" x1="0" x2={chart.days.length} y1={height / 2} y2={height / 2} />
          {chart.days.map(({ day, total, parts }, index) => (
            <g key={day}>
              <title>{`${dayName(day)}: ${show(total)}`}</title>
              {/* The whole height can be pointed at, also where the bar is short. */}
              <rect fill="transparent" height={height} width="1" x={index} y="0" />
              {parts.map(({ agent, value, from }) => (
                <rect
                  className={fills[chart.agents.indexOf(agent) % fills.length]}
                  height={Math.max(0.5, toY(from) - toY(from + value))}
                  key={agent}
                  width="0.7"
                  x={index + 0.15}
                  y={toY(from + value)}
                />
              ))}
            </g>
          ))}
        </svg>
        <span />
        <div aria-hidden="true" className="flex justify-between pt-1">
          <span>{dayName(chart.days[0]?.day)}</span>
          <span className="max-sm:hidden">{dayName(middle?.day)}</span>
          <span>{dayName(chart.days.at(-1)?.day)}</span>
        </div>
      </div>
      <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {chart.agents.map((agent, index) => (
          <span className="flex items-center gap-1.5" key={agent}>
            <span aria-hidden="true" className={`size-2.5 rounded-sm ${dots[index % dots.length]}`} />
            {agentName(agent)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
