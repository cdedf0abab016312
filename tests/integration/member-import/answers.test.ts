import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { publicationSettings, userPreferences, users } from '#server/db/schema/index.ts'
import { membersCsv } from '#server/features/operations/archive/write-members-csv.ts'
import { applyQuestions } from '#server/features/reader/preferences/question-store.ts'
import { questionDefaults } from '#shared/domain/questions.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { check, run } from './support.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser

beforeEach(async () => {
  await server.database.truncate()
  await applyQuestions(server.database.db, server.deps.config)
  owner = await buildUser(server, { admin: true })
})

const answersOf = async (email: string) => {
  const [row] = await server.database.db
    .select({
      focusAreas: userPreferences.focusAreas,
      aiLevel: userPreferences.aiLevel,
      goals: userPreferences.goals,
      franchiseType: userPreferences.franchiseType,
    })
    .from(userPreferences)
    .innerJoin(users, eq(users.id, userPreferences.userId))
    .where(eq(users.email, email))
  return row ?? null
}

/** Labels with commas, semicolons, and the start of a formula. */
async function renameGoals() {
  const { db } = server.database
  const option = (key: string, label: string) => ({ key, label, description: '', retired: false })
  const options = [option('grow', 'Grow, then sell; soon'), option('save', '=Save'), option('none', 'None')]
  const value = { ...questionDefaults.goals, name: 'Aims', options }
  await db.insert(publicationSettings).values({ name: 'question.goals', value, updatedAt: server.clock.now })
  await applyQuestions(db, server.deps.config)
}

test('answers are read by label or key, and a line with an unknown or incomplete one is refused', async () => {
  const file = [
    'Email,Focus areas,AI level,Goals,Franchise type',
    'ann@example.test,"Customer Service; finance",Beginner,"reduce costs, Scale operations",retail',
    'ben@example.test,"Sales, Magic",advanced,,',
    'cat@example.test,,,,',
    'dan@example.test,Sales,"beginner, advanced",,',
    'eve@example.test,Sales,,,Retail',
  ].join('\n')
  const checked = await check(server, owner, file)
  expect(checked.mapping).toEqual({ email: 0, focusAreas: 1, aiLevel: 2, goals: 3, franchiseType: 4 })
  expect(checked.examples.filter(({ outcome }) => outcome === 'refused').map(({ detail }) => detail)).toEqual([
    '“Magic” isn’t an answer to “Focus areas”.',
    '“AI level” takes one answer, not “beginner, advanced”.',
    'The line has answers but none to “AI level”, which every member answers.',
  ])
  await run(server, owner, checked)
  expect(await answersOf('ann@example.test')).toEqual({
    focusAreas: ['Customer Service', 'Finance'],
    aiLevel: 'beginner',
    goals: ['Reduce costs', 'Scale operations'],
    franchiseType: 'Retail',
  })
  expect(await answersOf('cat@example.test')).toBeNull()
})

test('answers of existing members stay, and only what they lack is filled in if the publisher says so', async () => {
  await buildUser(server, { email: 'own@example.test', preferences: { goals: ['Reduce costs'] } })
  await buildUser(server, { email: 'new@example.test' })
  const file = [
    'Email,Focus areas,AI level,Goals,Franchise type',
    'own@example.test,Sales,advanced,Stay competitive,Retail',
    'new@example.test,Sales,advanced,,',
  ].join('\n')
  const own = { focusAreas: ['Operations'], aiLevel: 'beginner', goals: ['Reduce costs'] }
  await run(server, owner, await check(server, owner, file))
  expect(await answersOf('own@example.test')).toEqual({ ...own, franchiseType: null })
  expect(await answersOf('new@example.test')).toBeNull()
  await run(server, owner, await check(server, owner, file, { fillExisting: true }))
  expect(await answersOf('own@example.test')).toEqual({ ...own, franchiseType: 'Retail' })
  expect(await answersOf('new@example.test')).toMatchObject({ focusAreas: ['Sales'], aiLevel: 'advanced' })
  const again = await check(server, owner, file, { fillExisting: true })
  expect(again.counts).toMatchObject({ changed: 0, unchanged: 2 })
})

test('a column named like an optional question alone isn’t taken for it', async () => {
  const checked = await check(server, owner, 'Email,Goals\nann@example.test,Run a marathon\n')
  expect(checked).toMatchObject({ mapping: { email: 0 }, counts: { new: 1, refused: 0 } })
})

const given = { focusAreas: ['Sales', 'Finance'], goals: ['grow', 'save', 'none'], franchiseType: 'Food & Beverage' }

async function exportMembers(): Promise<string> {
  const { body } = await call(server, 'admin-export-members', { target: { filter: {} } }, owner.token)
  return (await server.request(new URL(String(body.url)).pathname)).text()
}

const archived = () =>
  server.database.db.transaction(async (tx) => {
    let text = ''
    for await (const part of membersCsv(tx, server.clock.now)) text += part
    return text
  })

test.each([
  // Statuses of the list aren't those of a mailing list, so the publisher leaves the column out.
  ['the list', async () => (await exportMembers()).replace('"Status"', '"Left out"')],
  ['the archive', archived],
])('the members of %s have the same answers after an import', async (_name, read) => {
  await renameGoals()
  await buildUser(server, { email: 'all@before.test', preferences: { ...given, aiLevel: 'advanced' } })
  await buildUser(server, { email: 'one@before.test', preferences: { goals: ['none'] } })
  await buildUser(server, { email: 'no@before.test' })
  const text = (await read()).replaceAll('@before.test', '@after.test')
  await run(server, owner, await check(server, owner, text))
  const names = ['all', 'one', 'no'] as const
  const answers = (domain: string) => Promise.all(names.map((name) => answersOf(`${name}@${domain}.test`)))
  expect(await answers('after')).toEqual(await answers('before'))
  expect((await answers('after'))[0]).toMatchObject(given)
})
