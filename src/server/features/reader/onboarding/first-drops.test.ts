import { expect, test } from 'vitest'
import { defaultSettings } from '#server/config/settings.ts'
import { introduceDrops, linkedDrops, namedDrops } from '#server/mail/texts/welcome-emails.ts'
import type { Issue } from '#shared/contracts/library/issues.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { pickFirstDrops } from './first-drops.ts'

const config = { publicUrl: 'https://counter.example', settings: defaultSettings() }
const issue = (slug: string, ...tags: Issue['tags']): Issue => ({
  id: slug,
  slug,
  title: `Title of ${slug}`,
  date: '2026-11-03',
  preview: '',
  tags,
  checkedOn: null,
  readingMinutes: 5,
  touchSets: [],
})
const issues = [issue('sales', 'Sales'), issue('money', 'Finance', 'Sales'), issue('ops', 'Operations')]
const answers = (...focusAreas: Preferences['focusAreas']): Preferences => ({
  focusAreas,
  aiLevel: 'beginner',
  goals: [],
  franchiseType: null,
})

test('only matching drops are recommended, in the given order', () => {
  const first = pickFirstDrops(publicationDefaults, issues, answers('Finance'))
  expect(first.drops.map(({ slug }) => slug)).toEqual(['money'])
  expect(introduceDrops(publicationDefaults, first)).toBe('This drop matches your focus area, Finance:')
  expect(namedDrops(config, first)).toEqual([
    { label: 'Title of money', href: null, detail: 'Finance. Nov 3, 2026, 5 min read' },
  ])
})

test('no more than three are recommended', () => {
  const many = Array.from({ length: 5 }, (_, index) => issue(`sales-${index}`, 'Sales'))
  expect(pickFirstDrops(publicationDefaults, many, answers('Sales')).drops).toHaveLength(3)
})

test('without a match, the newest are labeled as latest rather than as matching', () => {
  const first = pickFirstDrops(publicationDefaults, issues, answers('Technology', 'Customer Service'))
  expect(first).toMatchObject({ match: false, drops: issues })
  expect(introduceDrops(publicationDefaults, first)).toBe(
    'No drop covers Technology and Customer Service yet. Here are the latest drops:',
  )
})

test('a member without answers gets the latest drops', () => {
  const first = pickFirstDrops(publicationDefaults, issues.slice(0, 1), null)
  expect(introduceDrops(publicationDefaults, first)).toBe('Here’s the latest drop:')
  expect(linkedDrops(config, first)).toMatchObject([
    { href: 'https://counter.example/portal/weekly-drops/sales', detail: 'Sales. Nov 3, 2026, 5 min read' },
  ])
})

test('nothing is recommended before anything is published', () => {
  const first = pickFirstDrops(publicationDefaults, [], answers('Sales'))
  expect([introduceDrops(publicationDefaults, first), namedDrops(config, first), linkedDrops(config, first)]).toEqual([
    '',
    [],
    [],
  ])
})
