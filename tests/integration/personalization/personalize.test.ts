import { afterAll, beforeAll, expect, test } from 'vitest'
import { userPreferences } from '#server/db/schema/index.ts'
import { describeOrder } from '#server/features/reader/personalization/personalize.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { PromptCategory } from '#shared/contracts/library/library.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
  await seedContent(server.deps)
})
afterAll(() => server.close())

const ask = async (user: TestUser, contentType: string) =>
  clientFor(server, user.token).functions.invoke('personalize-content', { body: { contentType } })

test('prompt packs: one label per chosen category, in the default order', async () => {
  const user = await buildUser(server, {
    preferences: { focusAreas: ['Sales', 'Operations'], aiLevel: 'intermediate' },
  })
  const { data } = await ask(user, 'prompt-packs')
  expect(data).toEqual({
    preferences: { focusAreas: ['Operations', 'Sales'] },
    recommendations: {
      labels: [
        'Operations is at the top because you chose this topic',
        'Sales is at the top because you chose this topic',
      ],
      priorityCategories: ['operations', 'sales'],
    },
    contextLabels: { focus: 'Operations and Sales', aiLevel: 'Intermediate' },
  })
})

test('prompt samples: the first three prompts of each pack, with examples of the reader’s trade first', async () => {
  const samplesOf = async (franchiseType: string | null) => {
    const preferences = { focusAreas: ['Sales'], aiLevel: 'beginner', franchiseType }
    const { token } = await buildUser(server, { subscription: 'active', preferences })
    const { categories } = (await call(server, 'prompt-packs', {}, token)).body as { categories: PromptCategory[] }
    const samples = (await call(server, 'prompt-samples', {}, token)).body as {
      trade: string | null
      categories: PromptCategory[]
    }
    return { categories, samples }
  }
  const { categories, samples } = await samplesOf(null)
  expect(samples).toEqual({
    trade: null,
    categories: categories.map((category) => ({ ...category, prompts: category.prompts.slice(0, 3) })),
  })

  const { samples: ofFitness } = await samplesOf('Health & Fitness')
  const isOfTrade = ({ example }: { example: { vertical: string } | null }) => example?.vertical === 'fitness'
  expect(ofFitness.trade).toBe('fitness')
  for (const [index, { count, prompts }] of ofFitness.categories.entries()) {
    const all = categories[index]?.prompts ?? []
    const ordered = [...all.filter(isOfTrade), ...all.filter((prompt) => !isOfTrade(prompt))]
    expect({ count, prompts }).toEqual({ count: all.length, prompts: ordered.slice(0, 3) })
  }
  expect(ofFitness.categories.some(({ prompts }) => prompts.some(isOfTrade))).toBe(true)
})

test('weekly drops: one label per focus area', async () => {
  const user = await buildUser(server, { preferences: { focusAreas: ['Operations', 'Finance'] } })
  const { data } = await ask(user, 'weekly-drops')
  expect(data.recommendations.labels).toEqual([
    'Drops about Operations are at the top because you chose this topic',
    'Drops about Finance are at the top because you chose this topic',
  ])
})

test('a focus area without content has its own label and no priority category', () => {
  const facts = { dropsByTag: new Map([['Sales', 2]]), categories: [{ key: 'sales', title: 'Sales' }] }
  const preferences = { focusAreas: ['Finance' as const], aiLevel: 'beginner' as const, goals: [], franchiseType: null }
  expect(describeOrder(publicationDefaults, preferences, 'prompt-packs', facts).recommendations).toEqual({
    labels: ['No prompt pack for Finance yet'],
    priorityCategories: [],
  })
  expect(describeOrder(publicationDefaults, preferences, 'weekly-drops', facts).recommendations.labels).toEqual([
    'No drops about Finance yet; new ones will move to the top',
  ])
  expect(
    describeOrder(publicationDefaults, { ...preferences, focusAreas: ['Sales'] }, 'weekly-drops', facts).recommendations
      .labels,
  ).toEqual(['Drops about Sales are at the top because you chose this topic'])
  const one = { ...facts, dropsByTag: new Map([['Sales', 1]]) }
  expect(
    describeOrder(publicationDefaults, { ...preferences, focusAreas: ['Sales'] }, 'weekly-drops', one).recommendations
      .labels,
  ).toEqual(['The drop about Sales is at the top because you chose this topic'])
})

test('without preferences the result is empty', async () => {
  const { data } = await ask(await buildUser(server), 'weekly-drops')
  expect(data).toEqual({
    preferences: { focusAreas: [] },
    recommendations: { labels: [], priorityCategories: [] },
    contextLabels: { focus: '', aiLevel: '' },
  })
})

test('preferences with unknown values count as none', async () => {
  const user = await buildUser(server)
  const row = { userId: user.id, focusAreas: ['Gardening'], aiLevel: 'wizard', goals: [] }
  await server.database.db.insert(userPreferences).values(row)
  expect((await ask(user, 'prompt-packs')).data.preferences.focusAreas).toEqual([])
})

test('an unknown kind of content is a validation error', async () => {
  const user = await buildUser(server)
  for (const contentType of ['guides', '', null, 7, undefined]) {
    expect((await call(server, 'personalize-content', { contentType }, user.token)).status).toBe(400)
  }
})
