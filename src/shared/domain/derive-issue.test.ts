import { expect, test } from 'vitest'
import { emptyDraft, emptySection, type IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { publicationDefaults } from '../publication-defaults.ts'
import { deriveIssue, maxPreviewLength } from './derive-issue.ts'

const text = (body: string, given: object = {}) => ({ ...emptySection('a'), body, ...given })
const issue = (given: Partial<IssueDraft>) => ({ ...(emptyDraft('issue', 'Till counts') as IssueDraft), ...given })
const previewOf = (...bodies: string[]) =>
  deriveIssue(publicationDefaults, issue({ sections: bodies.map((body) => text(body)) })).preview

test('a drop with only a title and a text gets an address, a preview, tags and minutes', () => {
  const sections = [text(`Count **twice**. Then stop.\n\n${'word '.repeat(440)}`, { focusAreas: ['Finance'] })]
  expect(deriveIssue(publicationDefaults, issue({ slug: '', sections }))).toMatchObject({
    slug: 'till-counts',
    preview: 'Count twice. Then stop.',
    tags: ['Finance'],
    sections: [{ minutes: 2 }],
  })
})

test('what is written stays', () => {
  const written = issue({
    slug: 'mine',
    preview: 'My words.',
    tags: ['Sales'],
    intro: 'Other words.',
    sections: [text('Words.', { minutes: 20, focusAreas: ['Finance'] })],
  })
  expect(deriveIssue(publicationDefaults, written)).toEqual(written)
})

test('a preview ends with a sentence, or else with a word', () => {
  const sentences = previewOf(`One is short. Two is short too. ${'And three goes on '.repeat(12)}.`)
  expect(sentences).toBe('One is short. Two is short too.')
  const endless = previewOf('word '.repeat(100))
  expect(endless).toMatch(/word…$/)
  expect(endless.length).toBeLessThanOrEqual(maxPreviewLength)
  expect(previewOf(`${'x'.repeat(400)}`)).toHaveLength(maxPreviewLength)
})

test('a preview comes from the first paragraph, past images, lists and quotations, or stays empty', () => {
  expect(previewOf('![A till](/media/a.webp)\n\n## Start\n\n> [!PROMPT]\n> Do it\n\nThis is it.')).toBe('This is it.')
  expect(previewOf('{{block:how-we-test}}', 'The second section.')).toBe('The second section.')
  expect(
    deriveIssue(publicationDefaults, issue({ intro: 'Hello {{first_name|there}}.', sections: [text('Other.')] }))
      .preview,
  ).toBe('Hello there.')
  expect(previewOf('- a list')).toBe('')
})

test('a title without Latin letters gets a plain address, and an empty text takes a minute', () => {
  const derived = deriveIssue(publicationDefaults, issue({ title: '日本', slug: '', sections: [text('')] }))
  expect([derived.slug, derived.sections[0]?.minutes]).toEqual(['drop', 1])
})
