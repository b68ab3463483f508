import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { scheduleTimesQuery } from "../api/automation-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { useErrorText } from "../ui/error-text.tsx";
import { Field, fieldClass } from "../ui/field.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { toCronWords } from "./cron-words.ts";
import { useAutomationsText } from "./use-automations-text.ts";

const presets = ["0 * * * *", "0 9 * * *", "0 9 * * 1-5", "0 9 * * 1", "0 9 1 * *"];
const zones = Intl.supportedValuesOf("timeZone");

export interface CronFieldProps {
  cron: string;
  timeZone: string;
  onChange(changes: { cron?: string; timeZone?: string }): void;
}

/** A cron expression and its time zone, with what they mean and the next times. */
export function CronField({ cron, timeZone, onChange }: CronFieldProps) {
  const words = useAutomationsText().schedules;
  const format = useFormats();
  const describe = useErrorText();
  const askedCron = useDebounced(cron.trim(), 300);
  const askedZone = useDebounced(timeZone.trim(), 300);
  const { data, error } = useQuery({ ...scheduleTimesQuery(askedCron, askedZone), placeholderData: keepPreviousData });
  return (
    <div className="space-y-3">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field error={error ? describe(error) : null} hint={toCronWords(cron, words.cron, format)} label={words.times}>
          {(props) => (
            <input
              {...props}
              autoComplete="off"
              className={`${fieldClass} font-mono`}
              maxLength={200}
              onChange={(event) => onChange({ cron: event.target.value })}
              spellCheck={false}
              value={cron}
            />
          )}
        </Field>
        <Field label={words.timeZone}>
          {(props) => (
            <>
              <input
                {...props}
                autoComplete="off"
                className={fieldClass}
                list={`${props.id}-zones`}
                maxLength={100}
                onChange={(event) => onChange({ timeZone: event.target.value })}
                spellCheck={false}
                value={timeZone}
              />
              <datalist id={`${props.id}-zones`}>
                {zones.map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{words.presets}</legend>
        {presets.map((preset) => (
          <Button aria-pressed={preset === cron} className="aria-pressed:bg-active" key={preset} onClick={() => onChange({ cron: preset })}>
            {toCronWords(preset, words.cron, format)}
          </Button>
        ))}
      </fieldset>
      {data !== undefined && error === null && (
        <p className="text-ink-soft text-sm" role="status">
          {words.next(format.list(data.times.slice(0, 3).map((time) => toZonedTime(time, askedZone, words.locale))))}
        </p>
      )}
    </div>
  );
}

/** As a clock shows it there. */
export function toZonedTime(time: number, timeZone: string, locale: string): string {
  try {
    return new Intl.DateTimeFormat(locale, {
      timeZone,
      weekday: "short",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    }).format(time);
  } catch {
    return new Date(time).toISOString();
  }
}
