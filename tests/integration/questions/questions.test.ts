import { asc } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { memberFacts } from '#server/db/schema/index.ts'
import { applyQuestions } from '#server/features/reader/preferences/question-store.ts'
import type { StoredQuestion } from '#shared/contracts/reader/questions.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'
import { questionDefaults } from '#shared/domain/questions.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
const publication = () => server.deps.config.settings.publication
let owner: TestUser
let reader: TestUser

beforeEach(async () => {
  await server.database.truncate()
  await applyQuestions(server.database.db, server.deps.config)
  owner = await buildUser(server, { admin: true })
  reader = await buildUser(server, {})
})

type Failure = { error: string; code: string }
const ask = async <Body = Failure>(name: string, body: object, who = owner) =>
  (await call(server, name, body, who.token)) as { status: number; body: Body }
const must = async <Body>(name: string, body: object, who = owner) => {
  const answer = await ask<Body>(name, body, who)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body
}
type Stored = { items: StoredQuestion[] }

async function read(question: QuestionName): Promise<StoredQuestion> {
  const found = (await must<Stored>('admin-questions', {})).items.find((item) => item.question === question)
  if (!found) throw new Error('The question is missing')
  return found
}
const toSave = ({ updatedAt: _at, updatedBy: _by, options, ...question }: StoredQuestion) => ({
  ...question,
  options: options.filter(({ retired }) => !retired).map(({ retired: _retired, ...option }) => option),
})
const edit = async (question: QuestionName, change: object) =>
  ask<Stored & Failure>('admin-save-question', { ...toSave(await read(question)), ...change })
const option = (label: string, key: string | null = null) => ({ key, label, description: '' })
const relabel = async (question: QuestionName, labels: Record<string, string>) =>
  toSave(await read(question)).options.map((each) => ({ ...each, label: labels[each.key] ?? each.label }))
const without = async (question: QuestionName, ...keys: string[]) =>
  toSave(await read(question)).options.filter(({ key }) => !keys.includes(key))

const answers = { focusAreas: ['Operations'], aiLevel: 'beginner', goals: ['Reduce costs'], franchiseType: 'Retail' }
const answer = (change: object = {}, who = reader, name = 'update-preferences') =>
  ask<{ preferences: typeof answers } & Failure>(name, { ...answers, ...change }, who)
const find = async (filter: object) =>
  (await must<{ items: { id: string }[] }>('admin-members', { filter })).items.map(({ id }) => id)

describe('the questions that come with the product', () => {
  test('are those of the specification until the owner changes one', async () => {
    const { items } = await must<Stored>('admin-questions', {})
    for (const { question, name, wording, hint, options, version, updatedAt } of items) {
      expect({ name, wording, hint, options }).toEqual(questionDefaults[question])
      expect({ version, updatedAt }).toEqual({ version: 0, updatedAt: null })
    }
    expect(items).toHaveLength(4)
    expect(publication().questions).toEqual({})
    await edit('goals', { wording: 'What do you want?' })
    expect(Object.keys(publication().questions)).toEqual(['goals'])
    // Back in the words of the specification, pages needn't carry it.
    await edit('goals', { wording: questionDefaults.goals.wording })
    expect(publication().questions).toEqual({})
  })

  test('are the owner’s alone to change', async () => {
    expect((await ask('admin-questions', {}, reader)).status).toBe(403)
    const question = toSave(await read('goals'))
    expect((await ask('admin-save-question', question, reader)).status).toBe(403)
    expect((await ask('admin-question-use', { question: 'goals' }, reader)).status).toBe(403)
  })

  test('are edited by one person at a time, each on its own', async () => {
    const [mine, theirs] = [await read('goals'), await read('focusAreas')]
    await edit('goals', { hint: 'Choose up to three.' })
    expect(await ask('admin-save-question', { ...toSave(mine), hint: 'Choose one.' })).toMatchObject({
      status: 409,
      body: { code: 'edit_conflict' },
    })
    expect((await ask('admin-save-question', { ...toSave(theirs), hint: 'Choose one.' })).status).toBe(200)
    expect((await read('goals')).hint).toBe('Choose up to three.')
  })

  test('saved by two people at once keep one of the two changes', async () => {
    const question = toSave(await read('goals'))
    const save = (hint: string) => ask('admin-save-question', { ...question, hint })
    const statuses = (await Promise.all([save('One'), save('Two')])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409])
    expect((await read('goals')).version).toBe(1)
  })
})

describe('a question that is turned off', () => {
  test('needs no answer, and the answers given before stay', async () => {
    expect((await answer()).status).toBe(200)
    await edit('aiLevel', { off: true })
    expect(publication().questions.aiLevel?.off).toBe(true)
    const { body } = await ask<{ preferences: object }>('get-preferences', {}, reader)
    expect(body.preferences).toMatchObject({ aiLevel: 'beginner' })
    const other = await buildUser(server, {})
    expect((await answer({ aiLevel: '' }, other, 'onboarding-welcome')).status).toBe(200)
    expect(await answer({ aiLevel: '', focusAreas: [] }, other)).toMatchObject({
      status: 400,
      body: { error: 'Select at least one focus area' },
    })
    await edit('focusAreas', { off: true })
    expect(await answer({ aiLevel: '', focusAreas: [] }, other)).toMatchObject({
      status: 200,
      body: { preferences: { aiLevel: '', focusAreas: [] } },
    })
    expect(await answer({ aiLevel: 'expert' }, other)).toMatchObject({ status: 400 })
  })

  test('is asked again as before', async () => {
    await edit('goals', { off: true })
    await edit('goals', { off: false })
    expect(publication().questions).toEqual({})
    await edit('aiLevel', { off: true })
    await edit('aiLevel', { off: false })
    expect(await answer({ aiLevel: '' })).toMatchObject({
      status: 400,
      body: { error: 'Please select your AI familiarity level' },
    })
  })
})

describe('an option', () => {
  test('that is renamed stays what members, filters and the protocol know', async () => {
    expect((await answer()).status).toBe(200)
    await edit('focusAreas', { name: 'Topics', options: await relabel('focusAreas', { Operations: 'Ovens' }) })
    const { body } = await ask<{ preferences: object }>('get-preferences', {}, reader)
    expect(body.preferences).toMatchObject({ focusAreas: ['Operations'] })
    expect(await find({ focusAreas: ['Operations'] })).toEqual([reader.id])
    const { items } = await must<{ items: { answers: string[] }[] }>('admin-members', {
      filter: { focusAreas: ['Operations'] },
    })
    expect(items[0]?.answers).toEqual(['Ovens', 'Beginner', 'Reduce costs'])
    const personal = await ask<{ contextLabels: object; recommendations: { labels: string[] } }>(
      'personalize-content',
      { contentType: 'weekly-drops' },
      reader,
    )
    expect(personal.body.contextLabels).toEqual({ focus: 'Ovens', aiLevel: 'Beginner' })
    expect(personal.body.recommendations.labels).toEqual(['No drops about Ovens yet; new ones will move to the top'])
  })

  test('that is added can be chosen, and sorts where the owner put it', async () => {
    const [first, ...rest] = toSave(await read('focusAreas')).options
    await edit('focusAreas', { options: [first, option('Sourdough'), ...rest] })
    expect((await read('focusAreas')).options[1]).toMatchObject({ key: 'sourdough', label: 'Sourdough' })
    expect((await answer({ focusAreas: ['Marketing', 'sourdough'] })).status).toBe(200)
    const { body } = await ask<{ contextLabels: { focus: string } }>(
      'personalize-content',
      { contentType: 'prompt-packs' },
      reader,
    )
    expect(body.contextLabels.focus).toBe('Sourdough and Marketing')
    expect(await find({ focusAreas: ['sourdough'] })).toEqual([reader.id])
  })

  test('that is retired stays with who chose it and can’t be chosen newly', async () => {
    await answer({ focusAreas: ['Sales', 'Finance'] })
    await edit('focusAreas', { options: await without('focusAreas', 'Sales') })
    const stored = (await read('focusAreas')).options
    expect(stored.map(({ key, retired }) => [key, retired])).toContainEqual(['Sales', true])
    expect(stored.map(({ key }) => key)).toEqual(questionDefaults.focusAreas.options.map(({ key }) => key))
    // It stays among the answers, also when others change.
    expect((await answer({ focusAreas: ['Sales', 'Marketing'] })).status).toBe(200)
    const newcomer = await buildUser(server, {})
    expect(await answer({ focusAreas: ['Sales', 'Marketing'] }, newcomer, 'onboarding-welcome')).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        error: '“Sales” is no longer offered. Choose again: Where should we help first?',
        question: 'focusAreas',
      },
    })
    expect(await find({ focusAreas: ['Sales'] })).toEqual([reader.id])
    // Given up, it can't be taken again.
    expect((await answer({ focusAreas: ['Marketing'] })).status).toBe(200)
    expect((await answer({ focusAreas: ['Sales'] })).status).toBe(400)
    expect(await find({ focusAreas: ['Sales'] })).toEqual([])
  })

  test('that is retired comes back with its key when it is written again', async () => {
    await edit('goals', { options: await without('goals', 'Reduce costs') })
    await edit('goals', { options: [...(await without('goals')), option('reduce COSTS')] })
    expect((await read('goals')).options.at(-1)).toMatchObject({ key: 'Reduce costs', label: 'reduce COSTS' })
    expect((await answer()).status).toBe(200)
  })

  test('called like the key of a renamed one has a key of its own', async () => {
    const options = await relabel('focusAreas', { Sales: 'Cakes' })
    await edit('focusAreas', { options: [...options, option('Sales')] })
    const keys = (await read('focusAreas')).options.map(({ key }) => key)
    expect(keys.at(-1)).toBe('sales_2')
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('has its members and texts counted before it is retired', async () => {
    await answer()
    await answer({ focusAreas: ['Operations', 'Sales'] }, await buildUser(server, {}))
    const { options } = await must<{ options: object }>('admin-question-use', { question: 'focusAreas' })
    expect(options).toMatchObject({
      Operations: { members: 2 },
      Sales: { members: 1 },
      Finance: { members: 0, items: 0 },
    })
    for (const question of ['aiLevel', 'goals', 'franchiseType']) {
      const use = await must<{ options: Record<string, object> }>('admin-question-use', { question })
      const chosen = { aiLevel: 'beginner', goals: 'Reduce costs', franchiseType: 'Retail' }[question] ?? ''
      expect(use.options[chosen]).toMatchObject({ members: 2 })
    }
  })
})

describe('what can’t be saved', () => {
  test('is refused with what to change, and nothing is stored', async () => {
    const many = Array.from({ length: 200 }, (_, at) => option(`Option ${at}`))
    const wrong: [object, string][] = [
      [{ options: [] }, 'Add at least one option.'],
      [{ options: many }, 'A question can have 20 options at a time.'],
      [{ options: [option('Bread'), option(' bread ')] }, 'The option “bread” is there twice.'],
      [{ options: [option(' ')] }, 'Enter the text of each option'],
      [{ name: '' }, 'Enter a name'],
      [{ wording: ' ' }, 'Enter the question'],
      [{ name: 'goals' }, 'There’s already a question called “goals”. Choose another name.'],
      [{ options: [option('x'.repeat(61))] }, 'Use at most 60 characters for an option'],
    ]
    for (const [change, message] of wrong) {
      expect(await edit('focusAreas', change)).toMatchObject({ status: 400, body: { error: message } })
    }
    expect((await read('focusAreas')).version).toBe(0)
  })

  test('includes a key that no option has', async () => {
    expect((await edit('focusAreas', { options: [option('Bread', 'Bread')] })).status).toBe(409)
  })

  test('keeps the retired options to a number that pages can carry', async () => {
    for (let round = 0; round < 2; round++) {
      const options = Array.from({ length: 20 }, (_, at) => option(`Round ${round}, option ${at}`))
      expect((await edit('goals', { options })).status).toBe(200)
    }
    const options = Array.from({ length: 20 }, (_, at) => option(`Third, ${at}`))
    expect(await edit('goals', { options })).toMatchObject({
      status: 400,
      body: { error: 'A question can have 60 options with the retired ones. Rename one instead.' },
    })
  })

  test('has no name that a field of the publisher has, and the other way round', async () => {
    const field = { id: null, version: 0, help: '', kind: 'text', asked: 'account', required: false, options: [] }
    await must('admin-save-custom-field', { ...field, label: 'Ovens' })
    expect((await edit('focusAreas', { name: 'ovens' })).status).toBe(400)
    expect((await edit('focusAreas', { name: 'Topics' })).status).toBe(200)
    expect(await ask('admin-save-custom-field', { ...field, label: 'Topics' })).toMatchObject({ status: 400 })
  })
})

describe('answers', () => {
  test('that no option has are refused as before, with a sentence', async () => {
    expect(await answer({ focusAreas: ['Astrology'] })).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        error: '“Astrology” isn’t one of the answers. Choose again: Where should we help first?',
      },
    })
    expect(await answer({ aiLevel: 'wizard' })).toMatchObject({
      status: 400,
      body: { error: 'Please select your AI familiarity level' },
    })
    expect(await answer({ focusAreas: undefined })).toMatchObject({ body: { error: 'Select at least one focus area' } })
    expect(await answer({ aiLevel: ['beginner'] })).toMatchObject({
      body: { error: 'Please select your AI familiarity level' },
    })
    expect(await answer({ focusAreas: [] })).toMatchObject({
      body: { error: 'Select at least one focus area' },
    })
    expect(await answer({ aiLevel: undefined })).toMatchObject({
      body: { error: 'Please select your AI familiarity level' },
    })
    expect(await answer({ goals: ['<script>'] })).toMatchObject({ status: 400 })
  })

  test('to a question in other words say what is missing without the words of the specification', async () => {
    await edit('aiLevel', { name: 'Experience', wording: 'How long have you been baking?' })
    expect(await answer({ aiLevel: undefined })).toMatchObject({ body: { error: 'Please select an answer' } })
    expect((await answer()).status).toBe(200)
    const facts = await server.database.db.select().from(memberFacts).orderBy(asc(memberFacts.userId))
    expect(facts.find(({ userId }) => userId === reader.id)?.answers).toContain('level:beginner')
  })
})
