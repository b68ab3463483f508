import type { ApprovalAnswers, JsonValue } from "@skein/contracts";
import { arrayField, asObject, objectField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";

export const elicitationMethod = "elicitation/create";
/** In the log after an elicitation was answered: no agent sends such an update. */
export const elicitationUpdate = "skein_elicitation";

const maxFields = 20;

/** A form field as shown to the user. */
interface FormField {
  key: string;
  type: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  /** Unique in its form: answers refer to it. */
  question: string;
  isRequired: boolean;
  /** Maps labels to values. */
  options: readonly { label: string; value: string; description?: string }[];
  schema: JsonObject;
}

/** The agent's request: fields of a form, or a page to open. */
export type Elicitation = { mode: "form"; message: string; fields: readonly FormField[] } | { mode: "url"; message: string; url: string };

/** Undefined if Skein cannot display it: another mode, a field of an unknown type, an address that is not http(s). */
export function readElicitation(params: JsonObject | undefined): Elicitation | undefined {
  const message = stringField(params, "message") ?? "";
  switch (stringField(params, "mode")) {
    case "url": {
      const url = stringField(params, "url") ?? "";
      return isWebAddress(url) ? { mode: "url", message, url } : undefined;
    }
    case "form": {
      const fields = readFields(objectField(params, "requestedSchema"));
      return fields === undefined ? undefined : { mode: "form", message, fields };
    }
    default:
      return undefined;
  }
}

/** The questions of the card. A form without fields only asks for consent. */
export function toElicitationInput(elicitation: Elicitation): JsonValue {
  const { message } = elicitation;
  if (elicitation.mode === "url") {
    return { questions: [{ question: message || elicitation.url, options: [], multiple: false, type: "url", url: elicitation.url }] };
  }
  const consent = { question: message, options: [], multiple: false, type: "consent" };
  const questions = elicitation.fields.map(toQuestion);
  return { ...(message === "" || questions.length === 0 ? {} : { message }), questions: questions.length === 0 ? [consent] : questions };
}

/** The answer for the agent. An answer that its schema does not allow is not sent: the form counts as declined. */
export function toElicitationAnswer(elicitation: Elicitation, decision: "accept" | "decline", answers: ApprovalAnswers = {}): JsonObject {
  if (decision === "decline") return { action: "decline" };
  if (elicitation.mode === "url") return { action: "accept" };
  const content: JsonObject = {};
  for (const field of elicitation.fields) {
    const given = Object.hasOwn(answers, field.question) ? answers[field.question] : undefined;
    const value = given === undefined || given.length === 0 ? undefined : toValue(field, given);
    if (value !== undefined) content[field.key] = value;
    else if (field.isRequired || (given !== undefined && given.length > 0)) return { action: "decline" };
  }
  return { action: "accept", content };
}

function readFields(schema: JsonObject | undefined): FormField[] | undefined {
  const properties = Object.entries(objectField(schema, "properties") ?? {});
  const required = arrayField(schema, "required") ?? [];
  const fields = properties.map(([key, value]) => toField(key, asObject(value) ?? {}, required.includes(key)));
  const known = fields.filter((field) => field !== undefined);
  if (known.length < fields.length || known.length > maxFields) return undefined;
  // two fields may have the same title
  const titles = known.map(({ question }) => question);
  return known.map((field) =>
    titles.filter((title) => title === field.question).length > 1 ? { ...field, question: `${field.question} (${field.key})` } : field,
  );
}

function toField(key: string, schema: JsonObject, isRequired: boolean): FormField | undefined {
  const base = { key, question: stringField(schema, "title") ?? key, isRequired, schema, options: [] };
  const choices = toOptions(arrayField(schema, "oneOf"), arrayField(schema, "enum"));
  switch (stringField(schema, "type")) {
    case "string":
      return choices.length === 0 ? { ...base, type: "text" } : { ...base, type: "choice", options: choices };
    case "number":
      return { ...base, type: "number" };
    case "integer":
      return { ...base, type: "integer" };
    case "boolean":
      return { ...base, type: "boolean", options: yesAndNo };
    case "array": {
      const items = objectField(schema, "items");
      const options = toOptions(arrayField(items, "anyOf"), arrayField(items, "enum"));
      return options.length === 0 ? undefined : { ...base, type: "choices", options };
    }
    default:
      return undefined;
  }
}

const yesAndNo = [
  { label: "Yes", value: "true" },
  { label: "No", value: "false" },
];

function toOptions(titled: readonly JsonValue[] | undefined, plain: readonly JsonValue[] | undefined): FormField["options"] {
  const options = (titled ?? []).flatMap((option) => {
    const value = stringField(option, "const");
    const description = stringField(option, "description");
    if (value === undefined) return [];
    return [{ label: stringField(option, "title") ?? value, value, ...(description === undefined ? {} : { description }) }];
  });
  const values = (plain ?? []).filter((value) => typeof value === "string");
  const all = options.length > 0 ? options : values.map((value) => ({ label: value, value }));
  // answers refer to labels: equal labels are made distinct by their values
  const isTwice = ({ label }: { label: string }) => all.filter((other) => other.label === label).length > 1;
  return all.map((option) => (isTwice(option) ? { ...option, label: `${option.label} (${option.value})` } : option));
}

function toQuestion({ type, question, isRequired, options, schema }: FormField): JsonObject {
  const hint = stringField(schema, "description");
  const bounds = Object.entries({ minimum: schema.minimum, maximum: schema.maximum, minItems: schema.minItems, maxItems: schema.maxItems });
  return {
    question,
    options: options.map(({ label, description }) => (description === undefined ? { label } : { label, description })),
    multiple: type === "choices",
    type,
    ...(hint === undefined ? {} : { hint }),
    ...(isRequired ? {} : { optional: true }),
    ...toInitial(schema, options),
    ...Object.fromEntries(bounds.filter(([, bound]) => typeof bound === "number")),
  };
}

/** The schema's default, in the form of an answer. */
function toInitial(schema: JsonObject, options: FormField["options"]): JsonObject {
  const { default: initial } = schema;
  const values = (Array.isArray(initial) ? initial : [initial]).filter((value) => value !== undefined && value !== null);
  if (values.length === 0) return {};
  const texts = values.map((value) => String(value));
  if (options.length === 0) return { initial: texts.slice(0, 1) };
  const labels = options.filter(({ value }) => texts.includes(value)).map(({ label }) => label);
  return labels.length === 0 ? {} : { initial: labels };
}

/** Undefined if the field does not accept it. */
function toValue({ type, options, schema }: FormField, given: string | readonly string[]): JsonValue | undefined {
  const texts = typeof given === "string" ? [given] : given;
  const [first = ""] = texts;
  if (type === "text") return first;
  if (type === "number" || type === "integer") {
    const number = Number(first);
    const isValid = first.trim() !== "" && (type === "integer" ? Number.isInteger(number) : Number.isFinite(number));
    return isValid && isWithin(number, schema) ? number : undefined;
  }
  const values = texts.map((text) => options.find(({ label }) => label === text)?.value);
  if (values.some((value) => value === undefined)) return undefined;
  if (type === "choices") return values as string[];
  return type === "boolean" ? values[0] === "true" : values[0];
}

function isWithin(number: number, { minimum, maximum }: JsonObject): boolean {
  return !(typeof minimum === "number" && number < minimum) && !(typeof maximum === "number" && number > maximum);
}

function isWebAddress(url: string): boolean {
  return url.length <= 4096 && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
