import type { UpdateGeneralSettings } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { settingsApi, settingsQuery } from "../api/shell-api.ts";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { SwitchSetting } from "../ui/switch-setting.tsx";
import { useAction } from "../ui/use-action.ts";
import { useImportText } from "./use-import-text.ts";

/** Where imported tasks go, and whether new sessions are imported as they appear. */
export function ImportSettings() {
  const words = useImportText();
  const client = useQueryClient();
  const { data } = useQuery(settingsQuery);
  const { busy, error, run } = useAction();
  if (!data) return null;
  const change = (changes: UpdateGeneralSettings) =>
    run(async () => {
      const general = await settingsApi.setGeneral(changes);
      client.setQueryData(settingsQuery.queryKey, (before) => before && { ...before, general });
    });
  return (
    <div className="mt-8 space-y-4 border-line border-t pt-4">
      <ChoiceGroup
        choices={[
          { value: "done", label: words.asChoices.done },
          { value: "archived", label: words.asChoices.archived },
        ]}
        label={words.as}
        onChange={(importAs) => void change({ importAs })}
        value={data.general.importAs}
      />
      <SwitchSetting
        checked={data.general.importWatch}
        disabled={busy}
        label={words.watch}
        note={<p className="text-ink-faint text-xs">{words.watchEffect}</p>}
        onChange={(importWatch) => void change({ importWatch })}
      />
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}
