import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { lockPresentUser } from '#server/features/identity/auth/users/lock-user.ts'
import type { AnsweredField, FieldAnswers } from '#shared/contracts/reader/custom-fields.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { type CustomField, type FieldValue, type FieldValues, fieldValueText } from '#shared/domain/custom-fields.ts'
import { fieldTokens } from '#shared/domain/field-conditions.ts'
import { readFieldValue } from '#shared/domain/read-field-value.ts'
import { AppError } from '#shared/errors.ts'
import { readCustomFields, readFieldValues } from './read-custom-fields.ts'

type ValueDeps = Pick<Deps, 'database' | 'clock'>

export type FieldChanges = { userId: string; changes: readonly { field: CustomField; value: FieldValue | null }[] }

/** Sets values of many members in one statement. Their other values stay. Null removes one. */
export async function writeFieldValues(tx: Tx, members: readonly FieldChanges[], now: Date): Promise<void> {
  const given = members.flatMap(({ userId, changes }) => {
    if (changes.length === 0) return []
    const set = changes.flatMap(({ field, value }) => (value === null ? [] : [{ field, value }]))
    return [
      {
        userId,
        ids: changes.map(({ field }) => String(field.id)),
        values: Object.fromEntries(set.map(({ field, value }) => [field.id, value])),
        tokens: set.flatMap(({ field, value }) => fieldTokens(field.id, field.kind, value)),
      },
    ]
  })
  if (given.length === 0) return
  const instant = sql`${now.toISOString()}::timestamptz`
  await tx.execute(sql`insert into custom_field_values as v (user_id, values, tokens, updated_at)
    select g."userId", g.values, array(select jsonb_array_elements_text(g.tokens)), ${instant}
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g ("userId" uuid, values jsonb, tokens jsonb)
    where g.values <> '{}'
    on conflict (user_id) do nothing`)
  // Rows that were there already keep the values that aren't named.
  await tx.execute(sql`update custom_field_values v
    set values = (v.values - g.ids) || g.values, updated_at = ${instant},
      tokens = array(select t from unnest(v.tokens) t where substring(split_part(t, ':', 1) from 2) <> all(g.ids)) || g.tokens
    from (
      select g."userId" as user_id, g.values, array(select jsonb_array_elements_text(g.ids)) as ids,
        array(select jsonb_array_elements_text(g.tokens)) as tokens
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g ("userId" uuid, ids jsonb, values jsonb, tokens jsonb)
    ) g
    where v.user_id = g.user_id and (v.values - g.ids) || g.values <> v.values`)
}

const isAsked = ({ asked, retired }: CustomField, at: 'sign_up' | 'account') =>
  !retired && asked !== 'never' && (at === 'account' || asked === 'sign_up')

const answered = (fields: readonly CustomField[], values: FieldValues): AnsweredField[] =>
  fields.map((field) => ({ ...field, value: values[field.id] ?? null }))

/** Reads the questions for the member. Retired options are left out unless the member chose one. */
export async function readOwnFields(db: Db | Tx, userId: string, at: 'sign_up' | 'account') {
  const fields = (await readCustomFields(db)).filter((field) => isAsked(field, at))
  if (fields.length === 0) return { items: [] }
  const items = answered(fields, await readFieldValues(db, userId))
  return {
    items: items.map((item) => ({
      ...item,
      options: item.options.filter(({ key, retired }) => !retired || isChosen(key, item.value)),
    })),
  }
}

const isChosen = (key: string, value: FieldValue | null) => (Array.isArray(value) ? value.includes(key) : value === key)

/** @throws AppError validation_failed with what to change */
export async function saveOwnFields({ database, clock }: ValueDeps, userId: string, answers: FieldAnswers) {
  return database.db.transaction(async (tx) => {
    await lockPresentUser(tx, userId)
    const fields = (await readCustomFields(tx)).filter((field) => isAsked(field, 'account'))
    const changes = await readAnswers(tx, userId, fields, answers)
    const empty = changes.find(({ field, value }) => field.required && value === null)
    if (empty) throw new AppError('validation_failed', { message: `${empty.field.label}: an answer is required.` })
    await writeFieldValues(tx, [{ userId, changes }], clock())
    return readOwnFields(tx, userId, 'account')
  })
}

/** A field that isn't asked anymore is skipped: the page was loaded before it was retired. */
async function readAnswers(tx: Tx, userId: string, fields: readonly CustomField[], answers: FieldAnswers) {
  const before = await readFieldValues(tx, userId)
  return answers.flatMap(({ id, value: given }) => {
    const field = fields.find((each) => each.id === id)
    return field ? [{ field, value: checkedValue(field, given, before[id]) }] : []
  })
}

/** @throws AppError validation_failed */
export function checkedValue(field: CustomField, given: unknown, kept?: FieldValue): FieldValue | null {
  const read = readFieldValue(field, given, kept ?? null)
  if ('problem' in read) throw new AppError('validation_failed', { message: read.problem })
  return read.value
}

/** A member's values for staff, with retired fields that have one. */
export async function readMemberFields(db: Db | Tx, userId: string) {
  const items = answered(await readCustomFields(db), await readFieldValues(db, userId))
  return { items: items.filter(({ retired, value }) => !retired || value !== null) }
}

/** @throws AppError not_found, validation_failed */
export async function setMemberFields(
  { database, clock }: ValueDeps,
  who: Actor,
  { userId, answers }: { userId: string; answers: FieldAnswers },
) {
  return database.db.transaction(async (tx) => {
    const { email } = await lockPresentUser(tx, userId)
    const fields = (await readCustomFields(tx)).filter(({ retired }) => !retired)
    const before = await readFieldValues(tx, userId)
    const changes = await readAnswers(tx, userId, fields, answers)
    const now = clock()
    await writeFieldValues(tx, [{ userId, changes }], now)
    const texts = (values: FieldValues) =>
      Object.fromEntries(changes.map(({ field }) => [field.label, fieldValueText(field, values[field.id])]))
    const changed = changesBetween(texts(before), texts(await readFieldValues(tx, userId)))
    if (changed.length > 0) {
      const about = { userId, email: email ?? '' }
      await recordAdminEvent(tx, who, { event: 'member_fields_changed', about, changes: changed, now })
    }
    return readMemberFields(tx, userId)
  })
}
