import { expect, test } from 'vitest'
import {
  emptyDraft,
  emptyPrompt,
  emptySection,
  type IssueDraft,
  type PromptPackDraft,
} from '#shared/contracts/publishing/documents.ts'
import { applySuggestions, suggestValues } from './suggest-values.ts'

const issue = (given: Partial<IssueDraft>) => ({ ...(emptyDraft('issue', 'Tills') as IssueDraft), ...given })
const section = (given: object) => ({ ...emptySection('a'), ...given })

test('an empty draft gets no suggestions, of any kind', () => {
  for (const kind of ['issue', 'prompt-pack', 'guide', 'tool'] as const) {
    expect(suggestValues(emptyDraft(kind, 'Title'))).toEqual([])
  }
})

test('preview and summaries come from the first sentence, tags and focus areas from each other', () => {
  const draft = issue({
    intro: 'Most differences are **slips**, not theft. Count twice.',
    sections: [
      section({ body: 'Use [this sheet](#x). Then stop.', focusAreas: ['Finance'], aiLevel: 'beginner' }),
      section({ body: '- a list', focusAreas: [] }),
    ],
  })
  expect(suggestValues(draft)).toEqual([
    {
      path: 'preview',
      text: '“Most differences are slips, not theft.”',
      value: 'Most differences are slips, not theft.',
    },
    { path: 'tags', text: 'Finance', value: ['Finance'] },
    { path: 'sections.0.summary', text: '“Use this sheet.”', value: 'Use this sheet.' },
    { path: 'sections.1.aiLevel', text: 'Beginner', value: 'beginner' },
  ])
  const tagged = suggestValues({ ...draft, tags: ['Finance'] })
  expect(tagged).toContainEqual({ path: 'sections.1.focusAreas', text: 'Finance', value: ['Finance'] })
})

test('what is written stays, and nothing is suggested without a source', () => {
  const long = issue({ intro: `${'word '.repeat(60)}end.`, sections: [section({ body: '> a quote' })] })
  expect(suggestValues(long)).toEqual([])
  const written = issue({ preview: 'Mine', tags: ['Sales'], intro: 'Other text.' })
  expect(suggestValues(written)).toEqual([])
  const mixed = issue({ sections: [section({ aiLevel: 'beginner' }), section({ aiLevel: 'advanced' }), section({})] })
  expect(suggestValues(mixed)).toEqual([])
})

test('prompts get the level of the other prompts, and suggestions are applied to their fields', () => {
  const pack: PromptPackDraft = {
    ...(emptyDraft('prompt-pack', 'Pack') as PromptPackDraft),
    prompts: [{ ...emptyPrompt('a'), level: 'beginner' }, emptyPrompt('b')],
  }
  const suggestions = suggestValues(pack)
  expect(applySuggestions(pack, suggestions).prompts[1]?.level).toBe('beginner')
  expect(pack.prompts[1]?.level).toBeNull()
  expect(applySuggestions(pack, [{ path: 'prompts.7.level', text: '', value: 'beginner' }])).toEqual(pack)
})
