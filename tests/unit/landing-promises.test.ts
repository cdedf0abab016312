import { expect, test } from 'vitest'
import { parseContentFiles } from '#server/features/library/content/parse-content-files.ts'
import { readContentDirectory } from '#server/seed/read-content-directory.ts'
import { focusAreas } from '#shared/domain/preferences.ts'
import { readSamples } from '../../scripts/build/landing-samples.ts'

const { drops, pages } = await parseContentFiles(readContentDirectory().files)
const { samples } = readSamples()

test('every drop has a question for the franchisor, as the landing page promises', () => {
  expect(drops.length).toBeGreaterThanOrEqual(12)
  const without = drops.filter(({ sections }) => !sections.some(({ kind }) => kind === 'question'))
  expect(without.map(({ slug }) => slug)).toEqual([])
})

test('a list says what never goes into an AI tool, as the landing page promises', () => {
  expect(pages.safety).toBeTruthy()
})

test('whatever focus area visitors choose, the drop of the landing page has short items about it', () => {
  const items = samples.drop?.sections.filter(({ partOfLead }) => !partOfLead) ?? []
  const covered = items.flatMap((item) => item.focusAreas)
  expect(focusAreas.filter((area) => !covered.includes(area))).toEqual([])
})

test('the landing page has no more text of the drop than the headings and one first paragraph', () => {
  const [section] = samples.drop?.sections ?? []
  expect(Object.keys(samples.drop ?? {}).toSorted()).toEqual([
    'date',
    'isWhole',
    'opening',
    'preview',
    'sections',
    'slug',
    'tags',
    'title',
  ])
  expect(Object.keys(section ?? {}).toSorted()).toEqual([
    'aiLevel',
    'focusAreas',
    'heading',
    'kind',
    'minutes',
    'partOfLead',
  ])
})
