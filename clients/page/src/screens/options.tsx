/** The options of a game as a form, from what the server declares; and the message they make. */

import { create, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { type GameInfo, OptionKind, type OptionField, type Options, OptionsSchema } from "@saloon/client/v1";
import { infoOf } from "../catalogue";
import { say, t } from "../words";

export type Values = Record<string, unknown>;

export function OptionFields({ info, values, players, onChange }: {
  info: GameInfo;
  values: Values;
  players: number;
  onChange(values: Values): void;
}) {
  const set = (name: string, value: unknown) => onChange({ ...values, [name]: value });
  return (
    <>
      {info.options.filter((field) => field.name !== "players" && (!field.needs || values[field.needs])).map((field) => (
        <Field key={field.name} field={field} value={values[field.name]} players={players} onChange={(value) => set(field.name, value)} />
      ))}
    </>
  );
}

function Field({ field, value, players, onChange }: {
  field: OptionField;
  value: unknown;
  players: number;
  onChange(value: unknown): void;
}) {
  const label = say(field.label);
  const help = say(field.help);
  switch (field.kind) {
    case OptionKind.BOOLEAN:
      return (
        <label class="check">
          <input type="checkbox" checked={Boolean(value)} onChange={(event) => onChange(event.currentTarget.checked)} />
          <span>{label}<small>{help}</small></span>
        </label>
      );
    case OptionKind.INTEGER:
      return (
        <label class="field"><span>{label}<small>{help}</small></span>
          <input type="number" min={field.low} max={field.high} value={value as number | undefined}
            onChange={(event) => onChange(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))} />
        </label>
      );
    case OptionKind.CHOICE:
      if (field.choices.length < 2) return null;
      return (
        <label class="field"><span>{label}<small>{help}</small></span>
          <Choice choices={field.choices} value={value as string | undefined} onChange={onChange} />
        </label>
      );
    default: {
      const numbers = Array.from({ length: field.high - field.low + 1 }, (_, i) => String(field.low + i));
      const choices = field.kind === OptionKind.INTEGER_PER_SEAT ? numbers : field.choices;
      const chosen = Array.from({ length: players }, (_, seat) => (value as (string | undefined)[] | undefined)?.[seat]);
      return (
        <details class="per-seat">
          <summary>{label}</summary>
          <p class="faint">{help}</p>
          {chosen.map((one, seat) => (
            <label key={seat} class="field"><span>{t("seatNumber", seat)}</span>
              <Choice choices={choices} value={one} onChange={(next) => onChange(chosen.map((old, i) => (i === seat ? next : old)))} />
            </label>
          ))}
        </details>
      );
    }
  }
}

function Choice({ choices, value, onChange }: { choices: string[]; value: string | undefined; onChange(value: string | undefined): void }) {
  return (
    <select value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
      <option value="">{t("anyChoice")}</option>
      {choices.map((choice) => <option key={choice} value={choice}>{say(choice.replaceAll("_", " "))}</option>)}
    </select>
  );
}

/** The options as a message. Choices for every seat count once all are made. */
export function optionsOf(info: GameInfo, values: Values, players: number): Options {
  const schema = OptionsSchema.fields.find((field) => field.name === info.name)?.message;
  const plain: JsonObject = { players };
  for (const field of info.options) {
    const value = values[field.name];
    if (field.name === "players" || value === undefined || (field.needs && !values[field.needs])) continue;
    const values_ = schema?.fields.find((each) => each.name === field.name)?.enum?.values;
    if (field.kind === OptionKind.CHOICE_PER_SEAT || field.kind === OptionKind.INTEGER_PER_SEAT) {
      const all = (value as (string | undefined)[]).slice(0, players);
      if (all.length < players || all.includes(undefined)) continue;
      plain[field.name] = field.kind === OptionKind.INTEGER_PER_SEAT ? all.map(Number) : (all as string[]);
    } else if (values_) {
      const found = values_.find(({ name }) => name.endsWith(`_${String(value).toUpperCase()}`));
      if (found) plain[field.name] = found.name;
    } else plain[field.name] = value as string | number | boolean;
  }
  const options = schema ? fromJson(OptionsSchema, { [info.name]: plain }) : create(OptionsSchema);
  if (info.componentSet?.hash !== infoOf(info.name)?.componentSet?.hash) options.components = info.componentSet;
  return options;
}
