import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RealServer } from "./real-server.ts";
import { newRepository } from "./repository.ts";

/** A project with that many tasks, named `Task 0` and so on: every fifth is done, the others are to do. Stops the server first and starts it afterwards. */
export async function storeManyTasks(server: RealServer, count: number): Promise<string> {
  const project = await server.api.createProject(newRepository("atlas"));
  await server.stop();
  const database = new DatabaseSync(join(server.home, "skein.db"));
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})
    INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
      SELECT printf('tsk_%026d', n), '${project.id}', 'Task ' || n, '', iif(n % 5 = 4, 'done', 'todo'), 'none', '[]', n, n, n FROM numbers;
  `);
  database.close();
  await server.start();
  return project.id;
}
