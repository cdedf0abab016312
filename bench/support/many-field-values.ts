import type { Client } from 'pg'
import type { CustomFieldKind } from '#shared/domain/custom-fields.ts'
import { fieldTokens } from '#shared/domain/field-conditions.ts'

/**
 * `value` is SQL over one member `u` and a random `r` from 0 to 1. Choices are joined by commas.
 * @property share how many members have a value
 */
type BenchField = { label: string; kind: CustomFieldKind; share: number; value: string; among?: string }

/** Field 1 is the first one. Common and rare values, one field that few members answered, and one that only old members did. */
const benchFields: readonly BenchField[] = [
  { label: 'Company', kind: 'text', share: 0.9, value: `'Store ' || floor(r * 30000)::int || ' North'` },
  { label: 'Referred by', kind: 'text', share: 0.05, value: `'Friend ' || floor(r * 5000)::int` },
  {
    label: 'Shop size',
    kind: 'choice',
    share: 0.9,
    value: `(array['small','small','medium','large'])[1 + floor(r * 4)::int]`,
  },
  { label: 'Supplier', kind: 'choice', share: 0.6, value: `'supplier' || floor(r * r * 50)::int` },
  {
    label: 'Interests',
    kind: 'choices',
    share: 0.8,
    value: `'interest' || floor(r * 5)::int || ',interest' || 5 + floor(r * 1000)::int % 5`,
  },
  { label: 'Revenue', kind: 'number', share: 0.7, value: 'floor(r * r * 10000000)' },
  { label: 'Opened on', kind: 'date', share: 0.8, value: `(date '1990-01-01' + floor(r * 13000)::int)::text` },
  {
    label: 'Owns the building',
    kind: 'yes_no',
    share: 0.95,
    value: `r < 0.3`,
    among: `u.created_at < now() - interval '1 year'`,
  },
]

/** The value as JSON, and its tokens joined by spaces, as SQL over the column `v`. */
const stored: Record<CustomFieldKind, { json(v: string): string; tokens(v: string, token: string): string }> = {
  text: {
    json: (v) => `to_jsonb(${v})`,
    tokens: (v, token) => `'${token}:' || replace(lower(${v}), ' ', ' ${token}:')`,
  },
  choice: { json: (v) => `to_jsonb(${v})`, tokens: (v, token) => `'${token}:' || ${v}` },
  choices: {
    json: (v) => `to_jsonb(string_to_array(${v}, ','))`,
    tokens: (v, token) => `'${token}:' || replace(${v}, ',', ' ${token}:')`,
  },
  number: {
    json: (v) => `to_jsonb(${v}::int)`,
    tokens: (v, token) => `case when ${v} = 0 then '${token}:0 ${token}:0.0' else
      replace('_ _.' || left(abs(${v}::int)::text, 1), '_', '${token}:' || case when ${v} < 0 then '-' else '+' end
        || length(abs(${v}::int)::text) - 1) end`,
  },
  date: {
    json: (v) => `to_jsonb(${v})`,
    tokens: (v, token) => `'${token}:' || left(${v}, 4) || ' ${token}:' || left(${v}, 7)`,
  },
  yes_no: {
    json: (v) => `to_jsonb(${v})`,
    tokens: (v, token) => `'${token}:' || case ${v} when true then 'yes' when false then 'no' end`,
  },
}

const numbered = benchFields.map((field, at) => ({ ...field, id: at + 1 }))

export const addFieldsSql = `insert into custom_field (id, key, label, kind, asked, position, created_at, updated_at) values ${numbered
  .map(({ id, label, kind }) => `(${id}, 'field_${id}', '${label}', '${kind}', 'account', ${id}, now(), now())`)
  .join(', ')}`

/** Values of all members, in one statement. */
export const addFieldValuesSql = `insert into custom_field_values (user_id, values, tokens, updated_at)
  select id, jsonb_strip_nulls(jsonb_build_object(${numbered
    .map(({ id, kind }) => `'${id}', ${stored[kind].json(`v${id}`)}`)
    .join(', ')})),
    string_to_array(concat_ws(' ', ${numbered
      .map(({ id, kind }) => `'f${id} ' || ${stored[kind].tokens(`v${id}`, `f${id}`)}`)
      .join(', ')}), ' '), now()
  from (
    select u.id, ${numbered
      .map(({ id, share, value, among = 'true' }) => {
        const random = `(r${id} / ${share})`
        return `case when r${id} < ${share} and ${among} then ${value.replaceAll(/\br\b/g, random)} end as v${id}`
      })
      .join(', ')}
    from (select id, created_at, ${numbered.map(({ id }) => `random() as r${id}`).join(', ')} from auth.users) u offset 0
  ) members`

/** Throws if the tokens of the first members aren't those that the server would have stored. */
export async function checkTokens(client: Client): Promise<void> {
  const { rows } = await client.query('select values, tokens from custom_field_values limit 2000')
  for (const { values, tokens } of rows) {
    const expected = numbered.flatMap(({ id, kind }) => (id in values ? fieldTokens(id, kind, values[id]) : []))
    if (expected.toSorted().join(' ') !== tokens.toSorted().join(' '))
      throw new Error(`Other tokens for ${JSON.stringify(values)}: ${tokens}`)
  }
}
