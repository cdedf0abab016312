import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { customField } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { isInUse, saveOrder, setRetired, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { arrangeOptions } from '#server/features/reader/preferences/arrange-options.ts'
import type { CustomFieldToSave } from '#shared/contracts/reader/custom-fields.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import {
  customFieldKinds,
  customFieldPlaces,
  hasOptions,
  isReservedLabel,
  maxCustomFields,
  maxOptions,
  maxStoredCustomFields,
  maxStoredOptions,
  newKey,
  optionText,
} from '#shared/domain/custom-fields.ts'
import type { Questions } from '#shared/domain/preferences.ts'
import { questionNames, questionOf } from '#shared/domain/questions.ts'
import { AppError } from '#shared/errors.ts'
import { type CustomFieldRow, readFieldRows } from './read-custom-fields.ts'

type FieldDeps = Pick<Deps, 'config' | 'database' | 'clock'>

/** Any constant that no other lock uses. */
const lockKey = 4_407_312

/** Changes to fields are made one at a time, on all nodes. */
const lockFields = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(${lockKey}::bigint)`)

const limits = { what: 'field', offered: maxOptions, stored: maxStoredOptions }
const refuse = (message: string) => new AppError('validation_failed', { message })
const isSame = (one: string, other: string) => one.toLocaleLowerCase('en') === other.toLocaleLowerCase('en')

/** @throws AppError not_found, edit_conflict, validation_failed with what to change */
export async function saveCustomField(
  { config, database, clock }: FieldDeps,
  who: Actor,
  given: CustomFieldToSave,
): Promise<void> {
  await database.db.transaction(async (tx) => {
    await lockFields(tx)
    const rows = await readFieldRows(tx)
    const before = rows.find(({ id }) => id === given.id)
    if (given.id !== null && !before) throw new AppError('not_found')
    if ((before?.version ?? 0) !== given.version) throw new AppError('edit_conflict')
    const others = rows.filter((row) => row !== before)
    requireFreeLabel(config.settings.publication, given.label, others)
    if (!before) requireRoom(rows)
    const kind = before?.kind ?? given.kind
    const now = clock()
    const terms = {
      label: given.label,
      help: given.help,
      kind,
      options: hasOptions(kind as typeof given.kind)
        ? arrangeOptions(before?.options ?? [], given.options, limits)
        : [],
      asked: given.asked,
      required: given.required && given.asked !== 'never',
    }
    const stored = before ?? {
      id: Math.max(0, ...rows.map(({ id }) => id)) + 1,
      key: newKey(
        given.label,
        rows.map(({ key }) => key),
        'field',
      ),
      position: Math.max(0, ...rows.map(({ position }) => position)) + 1,
      createdAt: now,
      version: 0,
      retiredAt: null,
    }
    const row = { ...stored, ...terms, version: stored.version + 1, updatedAt: now, ...updatedBy(who) }
    await tx.insert(customField).values(row).onConflictDoUpdate({ target: customField.id, set: row })
    await recordAdminEvent(tx, who, {
      event: before ? 'custom_field_changed' : 'custom_field_created',
      object: { kind: 'custom-field', id: String(row.id), name: given.label },
      changes: changesBetween(before ? asLogged(before) : {}, asLogged(row)),
      now,
    })
  })
}

function requireFreeLabel(publication: Questions, label: string, others: readonly CustomFieldRow[]): void {
  const isQuestion = questionNames.some((question) => isSame(questionOf(publication, question).name, label))
  if (isReservedLabel(label) || isQuestion) throw refuse(`Every member has “${label}” already. Choose another name.`)
  if (others.some((other) => other.retiredAt === null && isSame(other.label, label))) {
    throw refuse(`There’s already a field called “${label}”. Choose another name.`)
  }
}

function requireRoom(rows: readonly CustomFieldRow[]): void {
  const inUse = rows.filter(({ retiredAt }) => retiredAt === null).length
  if (inUse >= maxCustomFields) {
    throw refuse(`You can use ${maxCustomFields} fields at a time. Retire one first: its values stay.`)
  }
  if (rows.length >= maxStoredCustomFields) {
    throw refuse(
      `You have ${maxStoredCustomFields} fields with the retired ones. Put a retired one back and rename it.`,
    )
  }
}

/** Values stay. @throws AppError not_found, edit_conflict, validation_failed if there are too many fields or the name is taken */
export async function retireCustomField(
  { config, database, clock }: FieldDeps,
  who: Actor,
  { id, version, retired }: { id: number; version: number; retired: boolean },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    await lockFields(tx)
    const rows = await readFieldRows(tx)
    const row = rows.find((each) => each.id === id)
    await setRetired(tx, 'custom-field', row, { who, version, retired, now: clock() }, (found) => {
      if (retired) return
      const others = rows.filter((other) => other !== found)
      requireFreeLabel(config.settings.publication, found.label, others)
      if (others.filter(isInUse).length >= maxCustomFields) {
        throw refuse(`You can use ${maxCustomFields} fields at a time. Retire one first: its values stay.`)
      }
    })
  })
}

/** @throws AppError edit_conflict if fields were created or retired meanwhile */
export async function orderCustomFields(
  { database, clock }: FieldDeps,
  who: Actor,
  ids: readonly number[],
): Promise<void> {
  await database.db.transaction(async (tx) => {
    await lockFields(tx)
    const rows = (await readFieldRows(tx)).filter(isInUse)
    await saveOrder(tx, 'custom-field', rows, ids, { who, now: clock() })
  })
}

type Terms = Pick<CustomFieldRow, 'label' | 'help' | 'kind' | 'options' | 'asked' | 'required'>

const asLogged = ({ label, help, kind, options, asked, required }: Terms) => ({
  name: label,
  help,
  type: customFieldKinds[kind as keyof typeof customFieldKinds],
  options: options.map(optionText).join(', '),
  asked: customFieldPlaces[asked as keyof typeof customFieldPlaces],
  required: required ? 'yes' : 'no',
})
