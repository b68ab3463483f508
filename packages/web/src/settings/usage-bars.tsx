import { useFormats, useText } from "../i18n/locale.tsx";
import { agentName } from "../task/agent-name.ts";
import type { Chart, Measure } from "./usage-chart.ts";

/** Each agent has its own colour, and the legend says which. */
const fills = ["fill-accent", "fill-good", "fill-warn", "fill-bad", "fill-(--ansi-6)", "fill-(--ansi-5)"];
const dots = ["bg-accent", "bg-good", "bg-warn", "bg-bad", "bg-(--ansi-6)", "bg-(--ansi-5)"];

const height = 180;
const width = 720;
const axis = 56;

export function UsageBars({ chart, measure }: { chart: Chart; measure: Measure }) {
  const { shell } = useText();
  const format = useFormats();
  const show = (value: number) => (measure === "cost" ? format.money(value) : format.tokens(value));
  const step = (width - axis) / chart.days.length;
  const bar = Math.max(1, Math.min(28, step * 0.7));
  const toY = (value: number) => height - (value / chart.max) * height;
  const dayName = (day: string) => format.date(new Date(`${day}T12:00`).getTime());
  return (
    <figure>
      <svg
        aria-label={shell.usage.chart(shell.usage[measure])}
        className="w-full text-ink-faint"
        role="img"
        viewBox={`0 -8 ${width} ${height + 30}`}
      >
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line className="stroke-line" x1={axis} x2={width} y1={toY(chart.max * part)} y2={toY(chart.max * part)} />
            <text className="fill-current" fontSize="11" textAnchor="end" x={axis - 8} y={toY(chart.max * part) + 4}>
              {show(chart.max * part)}
            </text>
          </g>
        ))}
        {chart.days.map(({ day, total, parts }, index) => (
          <g key={day}>
            <title>{`${dayName(day)}: ${show(total)}`}</title>
            {/* The whole height can be pointed at, also where the bar is short. */}
            <rect fill="transparent" height={height} width={step} x={axis + index * step} y={0} />
            {parts.map(({ agent, value, from }) => (
              <rect
                className={fills[chart.agents.indexOf(agent) % fills.length]}
                height={Math.max(1, toY(from) - toY(from + value))}
                key={agent}
                width={bar}
                x={axis + index * step + (step - bar) / 2}
                y={toY(from + value)}
              />
            ))}
          </g>
        ))}
        {[0, Math.floor((chart.days.length - 1) / 2), chart.days.length - 1].map((index, place) => (
          <text
            className="fill-current"
            fontSize="11"
            key={index}
            textAnchor={(["start", "middle", "end"] as const)[place]}
            x={place === 0 ? axis : place === 2 ? width : axis + (index + 0.5) * step}
            y={height + 18}
          >
            {dayName(chart.days[index]?.day ?? "")}
          </text>
        ))}
      </svg>
      <figcaption className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
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
