import { expect, test } from 'vitest'
import { publicationDefaults } from '../publication-defaults.ts'
import { composeLandingTexts } from './landing-texts.ts'
import { wordsOfTitle } from './own-words.ts'
import type { PlanTerms } from './plans.ts'

const everything = { promptCount: 57, guide: {}, tool: {} }
const [monthly, yearly, team] = publicationDefaults.plans as [PlanTerms, PlanTerms, PlanTerms]
const withPlans = (...plans: PlanTerms[]) => ({ ...publicationDefaults, plans })
const compose = (
  publication = publicationDefaults,
  stored = {},
  offered: typeof everything | typeof nothing = everything,
) => composeLandingTexts(publication, stored, offered)
const nothing = { promptCount: 0, guide: null, tool: null }
const answerTo = (start: string, ...given: Parameters<typeof compose>) =>
  compose(...given).faq.questions.find(({ question }) => question.startsWith(start))?.answer

test('the default plans are told as they are', () => {
  expect(compose().hero.note).toBe('From $10 a month. Cancel at any time.')
  expect(answerTo('What does Team Monthly add')).toContain('for up to 3 people, including you, on one bill.')
})

test('a plan priced per seat is told with its own least number of people', () => {
  const perSeat = { ...team, name: 'Crew', perSeat: true, seats: 1 }
  expect(answerTo('What does Crew add', withPlans(monthly, perSeat))).toContain(
    'for any number of people, including you, on one bill.',
  )
  expect(answerTo('What does Crew add', withPlans(monthly, { ...perSeat, seats: 5 }))).toContain(
    'for 5 or more people, including you, on one bill.',
  )
  const own = { 'landing.question5': 'How many?', 'landing.answer5': 'Up to {seats} bakers. On one bill.' }
  expect(answerTo('How many', withPlans(perSeat), own)).toBe('Any number of bakers. On one bill.')
})

test('without a plan for teams, nothing asks about it', () => {
  expect(answerTo('What does', withPlans(monthly, yearly))).toBeUndefined()
  expect(answerTo('What does', withPlans(monthly, { ...team, isRetired: true }))).toBeUndefined()
})

test('a price that only yearly plans have is one for a year', () => {
  expect(compose(withPlans(yearly, team)).hero.note).toBe('From $20 a month. Cancel at any time.')
  expect(compose(withPlans(yearly)).hero.note).toBe('From $99 a year. Cancel at any time.')
})

test('with nothing on sale, no price is named', () => {
  expect(compose(withPlans({ ...monthly, isRetired: true })).hero.note).toBe('Cancel at any time.')
})

test('unchanged texts promise nothing that isn’t there', () => {
  expect(compose().plans.benefits).toHaveLength(4)
  expect(compose(publicationDefaults, {}, nothing).plans.benefits).toEqual([
    'Every weekly drop, in the order that fits your business',
  ])
  expect(answerTo('What do I get', publicationDefaults, {}, nothing)).toContain(
    'You also get all past drops from day one.',
  )
  expect(answerTo('What do I get')).toContain('all prompts, guides, tool picks, and past drops from day one.')
})

test('unchanged texts call drops what the publisher calls them', () => {
  const texts = compose({ ...publicationDefaults, words: wordsOfTitle('Recipes') })
  expect(JSON.stringify(texts).replace('"drops":', '')).not.toMatch(/\bdrops?\b/i)
  expect(texts.samples.drops.title).toBe('Recipes')
  const own = { 'landing.heroText': 'One drop of oil a week.' }
  expect(compose({ ...publicationDefaults, words: wordsOfTitle('Recipes') }, own).hero.text).toBe(
    'One drop of oil a week.',
  )
})
