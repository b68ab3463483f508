export {
  type ClientOptions,
  createClient,
  type RequestOptions,
  type RouteAnswer,
  type RouteInput,
  type RouteName,
  type SkeinClient,
} from "./create-client.ts";
export { SkeinConnectionError, SkeinError } from "./errors.ts";
export { type FollowedEvent, type FollowOptions, followEvents } from "./follow-events.ts";
export { readServerEvents, type ServerEvent } from "./read-server-events.ts";
export type * from "./routes.ts";
