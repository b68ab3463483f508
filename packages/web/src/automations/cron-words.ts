import { describeCron } from "@skein/engine";
import type { Formats } from "../i18n/format.ts";
import type { AutomationsText } from "./use-automations-text.ts";

/** A cron expression in words; the expression itself, where there are no simple ones. */
export function toCronWords(cron: string, words: AutomationsText["schedules"]["cron"], format: Pick<Formats, "list">): string {
  const meaning = describeCron(cron);
  const two = (value: number) => String(value).padStart(2, "0");
  switch (meaning.kind) {
    case "minutes":
      return words.minutes(meaning.every);
    case "hourly":
      return words.hourly(two(meaning.minute));
    case "daily":
      return words.daily(`${two(meaning.hour)}:${two(meaning.minute)}`);
    case "weekly": {
      const time = `${two(meaning.hour)}:${two(meaning.minute)}`;
      if (meaning.days.join() === "1,2,3,4,5") return words.weekdays(time);
      return words.weekly(format.list(meaning.days.map((day) => words.days[day] ?? "")), time);
    }
    case "monthly":
      return words.monthly(meaning.day, `${two(meaning.hour)}:${two(meaning.minute)}`);
    default:
      return cron;
  }
}
