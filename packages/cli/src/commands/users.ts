import { createdInvitationSchema, memberSchema, type ProjectRole, projectSchema, type User, userSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatAge } from "../format/age.ts";
import { formatTable } from "../format/table.ts";
import { readSecret } from "../terminal/read-secret.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

interface Options {
  home?: string;
  json?: boolean;
}

/** `skein users` */
export async function listUsers(options: Options): Promise<number> {
  await using connection = await connect({ ...options, team: true });
  const users = await connection.client.get("/api/users", userSchema.array());
  if (options.json) console.log(JSON.stringify(users, null, 2));
  else if (users.length === 0) console.log("No users yet. Create one: skein users create ada@example.com --name Ada --admin");
  else console.log(formatTable(["NAME", "E-MAIL", "SINCE", "STATE"], users.map(toRow)));
  return exitCode.success;
}

function toRow({ name, email, createdAt, deactivatedAt, isAdmin }: User): string[] {
  const state = deactivatedAt !== null ? "deactivated" : isAdmin ? "administrator" : "active";
  return [toRevealedLine(name), toRevealedLine(email), formatAge(Date.now() - createdAt), state];
}

/** `skein users create`: the password comes from the terminal, or from standard input. */
export async function createUser(email: string, options: Options & { name: string; admin?: boolean }): Promise<number> {
  const password = await readSecret(`Password for ${email} (at least 12 characters): `);
  await using connection = await connect({ ...options, team: true });
  const body = { email, name: options.name, isAdmin: options.admin ?? false, password };
  const user = await connection.client.post("/api/users", body, userSchema);
  console.log(options.json ? JSON.stringify(user, null, 2) : `Created ${toRevealedLine(user.name)} (${user.id}).`);
  return exitCode.success;
}

/** `skein users invite` */
export async function inviteUser(
  options: Options & { email?: string; admin?: boolean; project?: string; role: ProjectRole },
): Promise<number> {
  await using connection = await connect({ ...options, team: true });
  const { client } = connection;
  const projects = options.project === undefined ? [] : [{ projectId: await findProjectId(client, options.project), role: options.role }];
  const { email, admin: isAdmin = false } = options;
  const invitation = await client.post(
    "/api/invitations",
    { ...(email === undefined ? {} : { email }), isAdmin, projects },
    createdInvitationSchema,
  );
  console.log(options.json ? JSON.stringify(invitation, null, 2) : invitation.url);
  return exitCode.success;
}

/** `skein users role`: `none` removes the user from the project. */
export async function setRole(email: string, project: string, role: ProjectRole | "none", options: Options): Promise<number> {
  await using connection = await connect({ ...options, team: true });
  const { client } = connection;
  const [user, projectId] = [await findUser(client, email), await findProjectId(client, project)];
  const path = `/api/projects/${projectId}/members/${user.id}`;
  if (role === "none") await client.request(path, { method: "DELETE" });
  else await client.send("PUT", path, { role }, memberSchema.array());
  console.log(role === "none" ? `${toRevealedLine(user.name)} is no longer a member.` : `${toRevealedLine(user.name)} is now ${role}.`);
  return exitCode.success;
}

/** `skein users deactivate`, `activate`, `sign-out` and `password` */
export async function changeUser(
  action: "deactivate" | "activate" | "sign-out" | "password",
  email: string,
  options: Options,
): Promise<number> {
  const password = action === "password" ? await readSecret(`New password for ${email} (at least 12 characters): `) : undefined;
  await using connection = await connect({ ...options, team: true });
  const { client } = connection;
  const user = await findUser(client, email);
  if (action === "sign-out") await client.request(`/api/users/${user.id}/sessions`, { method: "DELETE" });
  else
    await client.send(
      "PATCH",
      `/api/users/${user.id}`,
      password === undefined ? { isActive: action === "activate" } : { password },
      userSchema,
    );
  const done = {
    deactivate: "deactivated",
    activate: "active again",
    "sign-out": "signed out everywhere",
    password: "signed out everywhere, with a new password",
  };
  console.log(`${toRevealedLine(user.name)} is ${done[action]}.`);
  return exitCode.success;
}

export async function findUser(client: ApiClient, wanted: string): Promise<User> {
  const users = await client.get("/api/users", userSchema.array());
  const found = users.find(({ id, email }) => id === wanted || email === wanted.toLowerCase());
  if (found === undefined) throw new CliError(`There is no user “${wanted}”.`, { hint: "List them: skein users" });
  return found;
}

export async function findProjectId(client: ApiClient, wanted: string): Promise<string> {
  const projects = await client.get("/api/projects", projectSchema.array());
  const found = projects.find(({ id, name, path }) => [id, name, path].includes(wanted));
  if (found === undefined) throw new CliError(`There is no project “${wanted}”.`, { hint: "Use its name, its folder or its id." });
  return found.id;
}
