import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { customField, customFieldValues, memberFacts } from '#server/db/schema/index.ts'
import type { AnsweredField, StoredCustomField } from '#shared/contracts/reader/custom-fields.ts'
import { auditEntries } from '#tests/integration/account/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser
let reader: TestUser

beforeEach(async () => {
  await server.database.truncate()
  owner = await buildUser(server, { admin: true })
  reader = await buildUser(server, {})
})

const ask = async <Body = Record<string, unknown>>(name: string, body: object, who = owner) =>
  (await call(server, name, body, who.token)) as { status: number; body: Body }
const must = async <Body = Record<string, unknown>>(name: string, body: object, who = owner) => {
  const answer = await ask<Body>(name, body, who)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body
}
type Stored = { items: StoredCustomField[] }
type Answered = { items: AnsweredField[] }

const draft = { id: null, version: 0, help: '', kind: 'text', asked: 'account', required: false, options: [] }
async function create(label: string, rest: object = {}): Promise<StoredCustomField> {
  const { items } = await must<Stored>('admin-save-custom-field', { ...draft, label, ...rest })
  const made = items.find((item) => item.label === label)
  if (!made) throw new Error('The field is missing')
  return made
}
const named = (...labels: string[]) => labels.map((label) => ({ key: null, label }))
const sizes = { kind: 'choice', options: named('Small shop', 'Large shop') }
const edit = ({ key: _key, retired: _retired, ...field }: StoredCustomField, change: object) =>
  ask<Stored & { error: string; code: string }>('admin-save-custom-field', {
    ...field,
    options: field.options.filter((option) => !option.retired),
    ...change,
  })
const list = async (field: object) =>
  (await must<{ items: { id: string }[] }>('admin-members', { filter: { fields: [field] } })).items.map(({ id }) => id)
const answer = (id: number, value: unknown, who = reader) =>
  ask<Answered & { error: string }>('save-custom-fields', { answers: [{ id, value }] }, who)

describe('a field', () => {
  test('keeps its key and its values when it and its options are renamed', async () => {
    const field = await create('Shop size', sizes)
    expect(field).toMatchObject({ key: 'shop_size', options: [{ key: 'small_shop' }, { key: 'large_shop' }] })
    expect((await answer(field.id, 'small_shop')).status).toBe(200)
    const options = [
      { key: 'large_shop', label: 'Bakery' },
      { key: 'small_shop', label: 'Stall' },
    ]
    await edit(field, { label: 'Kind of shop', options })
    const [renamed] = (await must<Stored>('admin-custom-fields', {})).items
    expect(renamed).toMatchObject({ key: 'shop_size', label: 'Kind of shop', options })
    expect(await list({ field: field.id, anyOf: ['small_shop'] })).toEqual([reader.id])
  })

  test('is edited by one person at a time', async () => {
    const field = await create('Shop size')
    await edit(field, { help: 'In square feet' })
    expect(await edit(field, { help: 'In square meters' })).toMatchObject({
      status: 409,
      body: { code: 'edit_conflict' },
    })
    const retired = { id: field.id, version: field.version, retired: true }
    expect(await ask('admin-retire-custom-field', retired)).toMatchObject({ status: 409 })
    expect(await ask('admin-order-custom-fields', { ids: [] })).toMatchObject({ status: 409 })
    expect((await must<Stored>('admin-custom-fields', {})).items[0]).toMatchObject({
      help: 'In square feet',
      version: 2,
    })
  })

  test('has a name of its own', async () => {
    await create('Shop size')
    const refused = await ask('admin-save-custom-field', { ...draft, label: ' shop  SIZE' })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'There’s already a field called “shop SIZE”. Choose another name.' },
    })
    const builtIn = await ask('admin-save-custom-field', { ...draft, label: 'First Name' })
    expect(builtIn).toMatchObject({
      status: 400,
      body: { error: 'Every member has “First Name” already. Choose another name.' },
    })
    expect((await create('Shop-size')).key).toBe('shop_size_2')
  })

  test('is refused when 50 are in use, until one is retired', async () => {
    await server.database.db.insert(customField).values(
      Array.from({ length: 50 }, (_, at) => ({
        id: at + 1,
        key: `field_${at}`,
        label: `Field ${at}`,
        kind: 'text',
        asked: 'never',
        position: at,
        createdAt: server.clock.now,
        updatedAt: server.clock.now,
      })),
    )
    const one = { ...draft, label: 'One more' }
    expect(await ask('admin-save-custom-field', one)).toMatchObject({
      status: 400,
      body: { error: 'You can use 50 fields at a time. Retire one first: its values stay.' },
    })
    await must('admin-retire-custom-field', { id: 7, version: 1, retired: true })
    await must('admin-save-custom-field', one)
    expect(await ask('admin-retire-custom-field', { id: 7, version: 2, retired: false })).toMatchObject({ status: 400 })
  })

  test('is created once when two owners save it at the same time', async () => {
    const given = { ...draft, label: 'Shop size' }
    const answers = await Promise.all([ask('admin-save-custom-field', given), ask('admin-save-custom-field', given)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('that is retired isn’t asked and keeps its values, and comes back with them', async () => {
    const field = await create('Shop size')
    await answer(field.id, 'Two ovens')
    await must('admin-retire-custom-field', { id: field.id, version: 1, retired: true })
    expect(await must('custom-fields', { at: 'account' }, reader)).toEqual({ items: [] })
    expect((await answer(field.id, 'Three')).body).toEqual({ items: [] })
    const { items } = await must<Answered>('admin-member-fields', { userId: reader.id })
    expect(items).toMatchObject([{ retired: true, value: 'Two ovens' }])
    expect(await list({ field: field.id, words: 'ovens' })).toEqual([reader.id])
    await must('admin-retire-custom-field', { id: field.id, version: 2, retired: false })
    expect(await must('custom-fields', { at: 'account' }, reader)).toMatchObject({ items: [{ value: 'Two ovens' }] })
  })
})

describe('an option that is removed', () => {
  test('stays with those who chose it, is found by filters and comes back when it is written again', async () => {
    const field = await create('Shop size', sizes)
    await answer(field.id, 'small_shop')
    expect(await must('admin-custom-field-use', { id: field.id })).toEqual({
      members: 1,
      options: { small_shop: 1, large_shop: 0 },
    })
    const { body } = await edit(field, { options: [{ key: 'large_shop', label: 'Large shop' }] })
    expect(body.items[0]?.options).toEqual([
      { key: 'small_shop', label: 'Small shop', retired: true },
      { key: 'large_shop', label: 'Large shop', retired: false },
    ])
    expect(await list({ field: field.id, anyOf: ['small_shop'] })).toEqual([reader.id])
    const own = await must<Answered>('custom-fields', { at: 'account' }, reader)
    expect(own.items[0]?.options.map(({ key }) => key)).toEqual(['small_shop', 'large_shop'])
    expect((await answer(field.id, 'small_shop')).status).toBe(200)
    const other = await buildUser(server, {})
    expect((await must<Answered>('custom-fields', { at: 'account' }, other)).items[0]?.options).toHaveLength(1)
    expect(await answer(field.id, 'small_shop', other)).toMatchObject({
      status: 400,
      body: { error: 'Shop size: choose one of the options.' },
    })
    const stored = body.items[0]
    if (!stored) throw new Error('The field is missing')
    const again = await edit(stored, { options: [...named('small SHOP'), { key: 'large_shop', label: 'Large shop' }] })
    expect(again.body.items[0]?.options).toEqual([
      { key: 'small_shop', label: 'small SHOP', retired: false },
      { key: 'large_shop', label: 'Large shop', retired: false },
    ])
  })
})

describe('an answer', () => {
  test('is of its kind, and a wrong one changes nothing', async () => {
    const number = await create('Ovens', { kind: 'number' })
    await answer(number.id, 4)
    expect(await answer(number.id, '5')).toMatchObject({
      status: 400,
      body: { error: 'Ovens: enter a number up to 1,000,000,000,000.' },
    })
    expect(await list({ field: number.id, min: 4, max: 4 })).toEqual([reader.id])
  })

  test('is asked at sign-up only if the publisher says so', async () => {
    await create('Ovens', { kind: 'number', asked: 'sign_up' })
    await create('Opened', { kind: 'date' })
    await create('Visited', { kind: 'yes_no', asked: 'never' })
    const asked = async (at: string) =>
      (await must<Answered>('custom-fields', { at }, reader)).items.map(({ label }) => label)
    expect(await asked('sign_up')).toEqual(['Ovens'])
    expect(await asked('account')).toEqual(['Ovens', 'Opened'])
  })

  test('to a required question can’t be left out, and staff can remove it', async () => {
    const field = await create('Ovens', { kind: 'number', required: true })
    await answer(field.id, 2)
    expect(await answer(field.id, null)).toMatchObject({
      status: 400,
      body: { error: 'Ovens: an answer is required.' },
    })
    await must('admin-set-member-fields', { userId: reader.id, answers: [{ id: field.id, value: null }] })
    expect(await list({ field: field.id, filled: true })).toEqual([])
  })

  test('of one field doesn’t touch those of others, also at the same time', async () => {
    const [ovens, city] = [await create('Ovens', { kind: 'number' }), await create('City')]
    await Promise.all([answer(ovens.id, 2), answer(city.id, 'Bad Tölz')])
    await must('admin-set-member-fields', { userId: reader.id, answers: [{ id: ovens.id, value: 3 }] })
    const [row] = await server.database.db.select().from(customFieldValues)
    expect(row?.values).toEqual({ [ovens.id]: 3, [city.id]: 'Bad Tölz' })
    expect(await list({ field: city.id, words: 'tölz' })).toEqual([reader.id])
    expect(await list({ field: ovens.id, min: null, max: 2 })).toEqual([])
    const [facts] = await server.database.db.select().from(memberFacts).where(eq(memberFacts.userId, reader.id))
    expect(facts?.fieldTokens.toSorted()).toEqual(row?.tokens.toSorted())
  })

  test('that staff set is in the staff log once', async () => {
    const field = await create('Shop size', sizes)
    await must('admin-set-member-fields', { userId: reader.id, answers: [{ id: field.id, value: 'large_shop' }] })
    const [entry] = await auditEntries(server, 'member_fields_changed')
    expect(entry).toMatchObject({ changes: [{ field: 'Shop size', before: null, after: 'Large shop' }] })
    await must('admin-set-member-fields', { userId: reader.id, answers: [{ id: field.id, value: 'large_shop' }] })
    expect(await auditEntries(server, 'member_fields_changed')).toHaveLength(1)
  })

  test('is in the member’s own download and goes with the account', async () => {
    const field = await create('Shop size', sizes)
    await answer(field.id, 'large_shop')
    const { data } = await must<{ data: { customFields: unknown } }>('export-data', {}, reader)
    expect(data.customFields).toEqual([{ question: 'Shop size', answer: 'Large shop' }])
    await must('delete-account', { email: reader.email }, reader)
    expect(await server.database.db.$count(customFieldValues)).toBe(0)
  })
})

test('a view is described with the names of its fields', async () => {
  const field = await create('Shop size', sizes)
  const filter = { fields: [{ field: field.id, anyOf: ['small_shop', 'large_shop'] }] }
  await must('admin-save-member-view', { name: 'Shops', filter })
  const [entry] = await auditEntries(server, 'member_view_saved')
  expect(entry).toMatchObject({
    changes: [
      { field: 'filter', after: 'Shop size: Small shop or Large shop' },
      { field: 'name', after: 'Shops' },
    ],
  })
})
