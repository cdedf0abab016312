import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { customFieldValues } from '#server/db/schema/index.ts'
import type { FieldValue } from '#shared/domain/custom-fields.ts'
import type { SeriesStep } from '#shared/domain/series.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createSeriesHelpers, dayMs, draft, email, filter, runMinute, stepId, wait } from './support.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser
let helpers: ReturnType<typeof createSeriesHelpers>

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-25T15:00:00Z')
  owner = await buildUser(server, { admin: true })
  helpers = createSeriesHelpers(server, () => owner)
})

const minute = () => runMinute(server.deps)
const later = async (days: number) => {
  server.clock.advance(days * dayMs)
  // Sessions of staff end meanwhile.
  owner = await buildUser(server, { admin: true })
}
const set = (n: number, field: number, value: FieldValue | null): SeriesStep => ({
  kind: 'field',
  id: stepId(n),
  field,
  value,
})
const tried = { kind: 'tried' } as const
async function enter(...members: TestUser[]) {
  for (const { id } of members) {
    await server.database.db.execute(sql`insert into series_event (kind, user_id, at)
      values ('tried', ${id}::uuid, ${server.clock.now.toISOString()}::timestamptz)`)
  }
}
const valuesOf = async ({ id }: TestUser) => {
  const [row] = await server.database.db.select().from(customFieldValues).where(eq(customFieldValues.userId, id))
  return row?.values
}
const changeField = (sets: object) =>
  server.database.db.execute(
    sql`update custom_field set ${sql.join(
      Object.entries(sets).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`),
      sql`, `,
    )}`,
  )

describe('A step that sets a field', () => {
  test.each<[string, FieldValue]>([
    ['text', 'Two shops'],
    ['number', 2.5],
    ['date', '2026-12-24'],
    ['yes_no', false],
    ['choice', 'large'],
    ['choices', ['small', 'large']],
  ])('sets a %s, which conditions and the members list then find', async (kind, value) => {
    const field = await helpers.createField(kind, kind.startsWith('choice') ? ['Small', 'Large'] : [])
    const filled = filter({ fields: [{ field, filled: true }] })
    const only = { kind: 'condition', id: stepId(2), filter: filled, otherwise: 'end' } as const
    await helpers.turnOn(draft({ trigger: tried, steps: [set(1, field, value), only, email(3)] }))
    const [mia, zoe] = [await buildUser(server), await buildUser(server)]
    await enter(mia)
    await minute()
    await minute()
    expect(await valuesOf(mia)).toEqual({ [field]: value })
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 3'] })
    expect(await valuesOf(zoe)).toBeUndefined()
    const list = await helpers.invoke('admin-members', { filter: filled })
    expect(list.body).toMatchObject({ items: [{ email: mia.email }] })
  })

  test('leaves other fields alone, and clears a value', async () => {
    const [field, other] = [await helpers.createField('text'), 2]
    await server.database.db.execute(sql`insert into custom_field (id, key, label, kind, asked, position, created_at, updated_at)
      values (${other}, 'city', 'City', 'text', 'never', 2, now(), now())`)
    await helpers.turnOn(
      draft({ trigger: tried, steps: [set(1, field, 'new'), wait(2, 1), set(3, field, null)], name: 'Clears' }),
    )
    const mia = await buildUser(server)
    await helpers.setField(mia, other, 'Erie')
    await enter(mia)
    await minute()
    await minute()
    expect(await valuesOf(mia)).toEqual({ [field]: 'new', [other]: 'Erie' })
    await later(1)
    await minute()
    expect(await valuesOf(mia)).toEqual({ [other]: 'Erie' })
  })

  test('is refused with a value that the field doesn’t take, or a retired field, and says which step', async () => {
    const field = await helpers.createField('number')
    const save = (step: SeriesStep) =>
      helpers.invoke('admin-save-series', draft({ trigger: tried, steps: [email(1), step] }))
    const refusal = (error: string) => ({ status: 400, body: { code: 'validation_failed', error } })
    expect(await save(set(2, field, 'three'))).toMatchObject(
      refusal('Step 2: Shops: enter a number up to 1,000,000,000,000.'),
    )
    expect(await save(set(2, 99, 3))).toMatchObject(refusal('Step 2: Choose a field.'))
    const saved = await save(set(2, field, 3))
    expect(saved.status).toBe(200)
    await changeField({ retired_at: '2026-11-25' })
    const retired = refusal('Step 2: The field “Shops” is retired. Choose another one.')
    expect(await helpers.setStatus(saved.body, 'on')).toMatchObject(retired)
    expect(await save(set(2, field, 3))).toMatchObject(retired)
  })

  test('whose field or option is retired later is skipped and named, and members go on', async () => {
    const field = await helpers.createField('choice', ['Small', 'Large'])
    const { id } = await helpers.turnOn(draft({ trigger: tried, steps: [set(1, field, 'large'), email(2)] }))
    const mia = await buildUser(server)
    await changeField({ options: JSON.stringify([{ key: 'large', label: 'Large', retired: true }]) })
    await enter(mia)
    await minute()
    expect(await valuesOf(mia)).toBeUndefined()
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 2'] })
    const { body } = await helpers.invoke('admin-series', { id })
    expect(body).toMatchObject({
      problems: [
        { text: 'Step 1: Shops: choose one of the options. Until you save the series, members skip this step.' },
      ],
      stepNumbers: [{ stepId: stepId(1), numbers: { skipped: 1 } }, { stepId: stepId(2) }],
    })
    const list = await helpers.invoke('admin-series-members', { id, of: { stepId: stepId(1), group: 'skipped' } })
    expect(list.body).toMatchObject({ items: [{ email: mia.email }] })
    await changeField({ retired_at: '2026-11-25' })
    expect((await helpers.invoke('admin-series', { id })).body).toMatchObject({
      problems: [{ text: expect.stringContaining('The field “Shops” is retired.') }],
    })
  })

  test('is part of the preview and of the staff log in words', async () => {
    const field = await helpers.createField('yes_no')
    const saved = await helpers.save(draft({ trigger: tried, steps: [set(1, field, true), email(2)] }))
    const mia = await buildUser(server)
    const preview = () => helpers.invoke('admin-preview-series', { id: saved.id, userId: mia.id })
    const outcomes = async () =>
      ((await preview()).body.steps as unknown as { outcome: string }[]).map((s) => s.outcome)
    expect(await outcomes()).toEqual(['done', 'sent'])
    await changeField({ retired_at: '2026-11-25' })
    expect(await outcomes()).toEqual(['skipped', 'sent'])
    expect(await valuesOf(mia)).toBeUndefined()
    const log = await helpers.invoke('admin-audit-log', {})
    expect(JSON.stringify(log.body)).toContain('Set “Shops” to “Yes”; Email: Email 2')
  })
})

describe('A series that triggers itself', () => {
  test('by the field that it sets is refused', async () => {
    const field = await helpers.createField('text')
    const save = (value: string | null, step: SeriesStep) =>
      helpers.invoke('admin-save-series', draft({ trigger: { kind: 'field_set', field, value }, steps: [step] }))
    const refused = { code: 'validation_failed', error: expect.stringContaining('sets the field') }
    expect((await save(null, set(1, field, 'a'))).body).toMatchObject(refused)
    expect((await save('a', set(1, field, 'a'))).body).toMatchObject(refused)
    expect((await save('a', set(1, field, 'b'))).status).toBe(200)
  })

  test('through another one runs once for each member, unless staff set the field again', async () => {
    const field = await helpers.createField('text')
    const on = (value: string) => ({ kind: 'field_set', field, value }) as const
    const turnOn = (name: string, from: string, to: string, n: number) =>
      helpers.turnOn(draft({ name, trigger: on(from), steps: [wait(n, 31), set(n + 1, field, to)], reentryDays: 30 }))
    const first = await turnOn('First', 'a', 'b', 1)
    const second = await turnOn('Second', 'b', 'a', 3)
    const mia = await buildUser(server)
    const rounds = async () => (await helpers.entries()).map(({ seriesId, round }) => [seriesId, round])
    await helpers.setField(mia, field, 'a')
    for (let month = 0; month < 8; month += 1) {
      for (let run = 0; run < 3; run += 1) await minute()
      await later(32)
    }
    const once = [
      [first.id, 1],
      [second.id, 1],
    ]
    expect(await rounds()).toEqual(once)
    expect(await valuesOf(mia)).toEqual({ [field]: 'a' })
    await helpers.setField(mia, field, null)
    await helpers.setField(mia, field, 'a')
    await minute()
    expect(await rounds()).toEqual([...once, [first.id, 2]])
  })

  test('through a view runs once for each member', async () => {
    const field = await helpers.createField('yes_no')
    const view = await helpers.invoke('admin-save-member-view', {
      name: 'Yes',
      filter: filter({ fields: [{ field, anyOf: ['yes'] }] }),
    })
    await helpers.turnOn(
      draft({
        trigger: { kind: 'joined_segment', of: 'view', id: view.body.id },
        steps: [set(1, field, false), wait(2, 31), set(3, field, true)],
        reentryDays: 30,
      }),
    )
    await minute()
    const mia = await buildUser(server)
    await helpers.setField(mia, field, true)
    for (let month = 0; month < 8; month += 1) {
      await later(16)
      for (let run = 0; run < 3; run += 1) await minute()
    }
    expect((await helpers.entries()).map(({ userId, round }) => [userId, round])).toEqual([[mia.id, 1]])
  })
})

test('Two series that set fields of the same members at once both do', async () => {
  const field = await helpers.createField('text')
  await server.database.db.execute(sql`insert into custom_field (id, key, label, kind, asked, position, created_at, updated_at)
    values (2, 'city', 'City', 'text', 'never', 2, now(), now())`)
  await helpers.turnOn(draft({ name: 'One', trigger: tried, steps: [set(1, field, 'one')] }))
  await helpers.turnOn(draft({ name: 'Two', trigger: tried, steps: [set(2, 2, 'two')] }))
  const members = await Promise.all(Array.from({ length: 4 }, () => buildUser(server)))
  await enter(...members)
  await Promise.all([minute(), minute(), minute()])
  await minute()
  const rows = await server.database.db.select().from(customFieldValues).orderBy(asc(customFieldValues.userId))
  expect(rows.map(({ values }) => values)).toEqual(Array(4).fill({ 1: 'one', 2: 'two' }))
})
