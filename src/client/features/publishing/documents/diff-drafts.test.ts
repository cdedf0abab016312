import { expect, test } from 'vitest'
import { emptyDraft, emptyPrompt, type PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import { diffDrafts } from './diff-drafts.ts'

const prompt = (id: string, body: string) => ({ ...emptyPrompt(id), title: id, body })
const pack = (given: Partial<PromptPackDraft>): PromptPackDraft => ({
  ...(emptyDraft('prompt-pack', 'Pack') as PromptPackDraft),
  ...given,
})

test('equal texts have no differences', () => {
  expect(diffDrafts(pack({}), pack({}))).toEqual([])
})

test('each changed field is listed, with both texts', () => {
  expect(diffDrafts(pack({ title: 'Mine', summary: 's' }), pack({ title: 'Theirs', summary: 's' }))).toEqual([
    { field: 'Title', mine: 'Mine', theirs: 'Theirs', changedBy: 'both' },
  ])
})

test('a moved item isn’t reported as new, and changes in it are found', () => {
  const mine = pack({ prompts: [prompt('a', '1'), prompt('b', '2')] })
  const theirs = pack({ prompts: [prompt('b', '2'), prompt('a', 'one')] })
  expect(diffDrafts(mine, theirs)).toEqual([
    { field: 'Order of the prompts', mine: '1. a\n2. b', theirs: '1. b\n2. a', changedBy: 'both' },
    { field: 'Prompt 1: Text', mine: '1', theirs: 'one', changedBy: 'both' },
  ])
})

test('a field that I haven’t touched isn’t listed as my change', () => {
  const base = pack({ title: 'Before', summary: 'Before', prompts: [prompt('a', '1')] })
  const mine = pack({ ...base, title: 'Mine', summary: 'Mine' })
  const theirs = pack({ ...base, title: 'Theirs', prompts: [prompt('a', 'one')] })
  expect(diffDrafts(mine, theirs, base).map(({ field, changedBy }) => [field, changedBy])).toEqual([
    ['Title', 'both'],
    ['Summary', 'me'],
    ['Prompt 1: Text', 'them'],
  ])
})
