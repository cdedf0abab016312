import { expect, test } from 'vitest'
import { emptyDraft, emptyPrompt, type PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import { publicationDefaults } from '../publication-defaults.ts'
import { applySuggestions, suggestValues } from './suggest-values.ts'

test('an empty draft gets no suggestions, of any kind', () => {
  for (const kind of ['issue', 'prompt-pack', 'guide', 'tool'] as const) {
    expect(suggestValues(publicationDefaults, emptyDraft(kind, 'Title'))).toEqual([])
  }
})

test('prompts get the level of the other prompts, and suggestions are applied to their fields', () => {
  const pack: PromptPackDraft = {
    ...(emptyDraft('prompt-pack', 'Pack') as PromptPackDraft),
    prompts: [{ ...emptyPrompt('a'), level: 'beginner' }, emptyPrompt('b')],
  }
  const suggestions = suggestValues(publicationDefaults, pack)
  expect(applySuggestions(pack, suggestions).prompts[1]?.level).toBe('beginner')
  expect(pack.prompts[1]?.level).toBeNull()
  expect(applySuggestions(pack, [{ path: 'prompts.7.level', text: '', value: 'beginner' }])).toEqual(pack)
})
