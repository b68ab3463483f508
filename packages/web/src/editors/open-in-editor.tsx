import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useAttemptPlace } from "./attempt-place.ts";
import { useOpenPlace } from "./open-place.ts";

/** Opens a file of the attempt, or its folder, in the user's editor. Nothing where the attempt is not known. */
export function OpenInEditor({ path }: { path?: string }) {
  const attempt = useAttemptPlace();
  const { label, open } = useOpenPlace();
  if (attempt === null) return null;
  return (
    <IconButton label={label} onClick={() => open(attempt, { path })}>
      <Icon name="external" size={14} />
    </IconButton>
  );
}
