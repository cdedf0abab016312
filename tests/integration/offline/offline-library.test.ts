import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { OfflineAnswer } from '#shared/contracts/reader/offline.ts'
import { answerKey } from '#shared/domain/offline-library.ts'
import { findPaid, paidSentences } from '#tests/integration/content/paid-sentences.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { seedFirstDrops } from '#tests/support/seed-first-drops.ts'

const server = openForTests(() => createTestApp())
let reader: TestUser

beforeAll(() => seedFirstDrops(server.deps))
beforeEach(async () => {
  reader = await buildUser(server, { subscription: 'active' })
})

async function readLibrary(known: Record<string, string> = {}, who = reader): Promise<OfflineAnswer[]> {
  const answer = await call(server, 'offline-library', { known }, who.token)
  expect(answer.status).toBe(200)
  return (answer.body as { answers: OfflineAnswer[] }).answers
}
const versionsOf = (answers: OfflineAnswer[]) =>
  Object.fromEntries(answers.map(({ name, input, version }) => [answerKey(name, input), version]))
const changed = (answers: OfflineAnswer[]) => answers.filter(({ output }) => output !== undefined)

test('a device gets the answers of the portal’s calls as they are: twelve drops, all prompts, the profile', async () => {
  const answers = await readLibrary()
  expect(answers.filter(({ name }) => name === 'weekly-drop')).toHaveLength(12)
  const names = [
    'weekly-drops',
    'prompt-packs',
    'tools',
    'start-here',
    'glossary',
    'business-profile',
    'check-subscription',
  ]
  expect(answers.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  for (const { name, input, output } of answers) {
    const { body } = await call(server, name, input, reader.token)
    if (name !== 'guides') expect([name, output]).toEqual([name, body])
  }
  const { issues } = (await call(server, 'weekly-drops', {}, reader.token)).body as { issues: { slug: string }[] }
  const newest = issues.slice(0, 12).map(({ slug }) => slug)
  const drops = answers.filter(({ name }) => name === 'weekly-drop').map(({ input }) => input.slug)
  expect(drops).toEqual(newest)
  expect(JSON.stringify(answers), 'links of one reader').not.toContain('/guide-pages/')
})

test('an unchanged library is answered with versions only, and a change brings only what changed', async () => {
  const first = await readLibrary()
  const known = versionsOf(first)
  expect(Object.keys(known)).toHaveLength(first.length)
  expect(changed(await readLibrary(known))).toEqual([])
  await call(server, 'save-business-profile', { changes: { city: { from: '', to: 'Xylophone Falls' } } }, reader.token)
  const after = changed(await readLibrary(known))
  // The marks include the first week's checklist, of which this was a step.
  expect(after.map(({ name }) => name)).toEqual(['item-marks', 'business-profile'])
  expect(JSON.stringify(after)).toContain('Xylophone Falls')
})

test('collections are part of it with their items, and so are the assignments of a reader in a team', async () => {
  const [id, at] = [crypto.randomUUID(), server.clock.now.toISOString()]
  await call(server, 'save-collection', { id, name: 'Hiring', at }, reader.token)
  const { categories } = (await call(server, 'prompt-packs', {}, reader.token)).body as {
    categories: { prompts: { id: string }[] }[]
  }
  const item = { kind: 'prompt', id: categories[0]?.prompts[0]?.id }
  await call(server, 'collect-item', { ...item, collectionId: id, member: true, at }, reader.token)
  const answers = new Map(
    (await readLibrary()).map(({ name, input, output }) => [answerKey(name, input), output as object]),
  )
  expect(answers.get(answerKey('saved-items', { collectionId: id }))).toMatchObject({ items: [item] })
  expect(answers.get(answerKey('collections', {}))).toMatchObject({ collections: [{ id, count: 1 }] })
  expect(answers.get(answerKey('team-assignments', {}))).toEqual({ team: null })
})

test('one reader’s library has nothing of another’s', async () => {
  await call(server, 'save-business-profile', { changes: { city: { from: '', to: 'Xylophone Falls' } } }, reader.token)
  await readLibrary()
  const other = await buildUser(server, { subscription: 'active' })
  expect(JSON.stringify(await readLibrary({}, other))).not.toContain('Xylophone Falls')
})

test('no one without access gets a library, and odd versions are ignored or refused', async () => {
  const ended = await buildUser(server, { subscription: 'canceled' })
  const sentences = await paidSentences()
  for (const [token, status] of [
    [undefined, 401],
    [ended.token, 403],
  ] as const) {
    const answer = await call(server, 'offline-library', {}, token)
    expect(answer.status).toBe(status)
    expect(findPaid(JSON.stringify(answer.body), sentences)).toEqual([])
  }
  expect(changed(await readLibrary({ 'weekly-drops []': 'x', __proto__: 'y', nothing: 'z' })).length).toBeGreaterThan(
    12,
  )
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`key ${n}`, 'v']))
  for (const known of [many, { a: 1 }, { a: 'x'.repeat(65) }, { ['k'.repeat(401)]: 'v' }, 'text', { a: '\0' }]) {
    expect((await call(server, 'offline-library', { known }, reader.token)).status).toBe(400)
  }
})
