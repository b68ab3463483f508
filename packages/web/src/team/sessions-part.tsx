import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { useChange } from "../ui/use-change.ts";
import { sessionsQuery, teamApi } from "./team-api.ts";
import { Badge, Part, Row, Rows } from "./team-parts.tsx";
import { toBrowserName } from "./to-browser-name.ts";
import { useTeamText } from "./use-team-text.ts";

/** Where the user is signed in. */
export function SessionsPart() {
  const words = useTeamText().sessions;
  const format = useFormats();
  const describe = useErrorText();
  const { data: sessions, error: loadError } = useQuery(sessionsQuery);
  const { busy, error, change } = useChange(sessionsQuery);
  return (
    <Part text={words.text} title={words.title}>
      {loadError && !sessions && <ErrorText>{describe(loadError)}</ErrorText>}
      <Rows>
        {sessions?.map(({ id, userAgent, address, createdAt, lastUsedAt, isCurrent }) => {
          const found = toBrowserName(userAgent);
          const name = found === undefined ? words.unknown : words.on(found.browser, found.system);
          return (
            <Row
              badges={isCurrent && <Badge tone="good">{words.current}</Badge>}
              facts={words.facts(address, format.date(createdAt), format.relative(lastUsedAt, Date.now()))}
              key={id}
              name={name}
            >
              {!isCurrent && (
                <Button
                  aria-label={words.endOf(name)}
                  disabled={busy}
                  look="danger"
                  onClick={() => void change(() => teamApi.endSession(id), words.ended)}
                >
                  {words.end}
                </Button>
              )}
            </Row>
          );
        })}
      </Rows>
      {error && <ErrorText>{error}</ErrorText>}
    </Part>
  );
}
