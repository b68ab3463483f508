import { useState } from "react";
import { useSettingsText } from "../i18n/settings-text.ts";
import { notifications, readPermission, showNotification } from "../notifications/show-notification.ts";
import { usePreference } from "../preferences/preference.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";

/** The browser asks for permission, and only after the user pressed the button. */
export function NotificationsSection() {
  const { shell } = useSettingsText();
  const words = shell.settings.notifications;
  const [chosen, choose] = usePreference(notifications);
  const [permission, setPermission] = useState(readPermission);
  const isOn = chosen === "on" && permission === "granted";
  const turnOn = async () => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    if (answer === "granted") choose("on");
  };
  return (
    <>
      <p className="mb-3 text-ink-soft text-sm">{words.text}</p>
      {permission === "unsupported" && <ErrorText>{words.unsupported}</ErrorText>}
      {permission === "denied" && <ErrorText>{words.blocked}</ErrorText>}
      <div className="flex flex-wrap items-center gap-3">
        <span className="flex items-center gap-1.5 text-sm" role="status">
          <Icon className={isOn ? "text-good" : "text-ink-faint"} name="bell" />
          {isOn ? words.isOn : words.isOff}
        </span>
        {isOn ? (
          <>
            <Button onClick={() => choose("off")}>{words.off}</Button>
            <Button
              look="quiet"
              onClick={() => showNotification({ title: "Skein", body: shell.notify.test, tag: "skein-test", onClick: () => {} })}
            >
              {words.test}
            </Button>
          </>
        ) : (
          <Button disabled={permission === "unsupported" || permission === "denied"} look="primary" onClick={() => void turnOn()}>
            {words.on}
          </Button>
        )}
      </div>
    </>
  );
}
