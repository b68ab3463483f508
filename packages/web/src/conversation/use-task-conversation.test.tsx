import type { TaskId } from "@skein/contracts";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { useTaskConversation } from "./use-task-conversation.ts";

it("[E8] can be destructured in the first render: an empty conversation that cannot be sent to yet", () => {
  function Probe() {
    const { messages, isExecuting, currentExecution, canSendMessage, sendMessage, stopExecution } = useTaskConversation("tsk_1" as TaskId);
    return (
      <p>{JSON.stringify([messages, isExecuting, currentExecution ?? null, canSendMessage, typeof sendMessage, typeof stopExecution])}</p>
    );
  }
  expect(renderToString(<Probe />).replaceAll("&quot;", '"')).toBe('<p>[[],false,null,false,"function","function"]</p>');
});
