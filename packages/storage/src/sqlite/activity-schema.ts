/*
 * `continued_from` has no ON DELETE: an attempt that continues another one needs its messages, so it cannot be deleted before.
 * `running_tool` makes the few messages that run findable among very many.
 */
export const activitySchema = `
ALTER TABLE attempts ADD COLUMN continued_from TEXT REFERENCES attempts (id);
CREATE INDEX attempts_continued ON attempts (continued_from) WHERE continued_from IS NOT NULL;

ALTER TABLE conversation_messages ADD COLUMN running_tool TEXT;
UPDATE conversation_messages SET running_tool = json_extract(body, '$.metadata.summary')
  WHERE json_extract(body, '$.messageType') = 'tool_execution' AND json_extract(body, '$.metadata.state') = 'running';
CREATE INDEX conversation_messages_running ON conversation_messages (execution_id, position) WHERE running_tool IS NOT NULL;

CREATE INDEX executions_of_task ON executions (task_id, attempt_id);
`;
