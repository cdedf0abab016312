import { expect, test } from 'vitest'
import { emptyDraft, emptyPrompt, type PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import { mergeDrafts } from './merge-drafts.ts'

const prompt = (id: string, body = id) => ({ ...emptyPrompt(id), title: id, body })
const pack = (given: Partial<PromptPackDraft>): PromptPackDraft => ({
  ...(emptyDraft('prompt-pack', 'Pack') as PromptPackDraft),
  ...given,
})
const base = pack({ summary: 'Before', prompts: [prompt('a'), prompt('b'), prompt('c')] })

test('a change by one editor is kept, and if both changed something mine wins', () => {
  const mine = pack({ ...base, title: 'My title', summary: 'My summary' })
  const theirs = pack({
    ...base,
    summary: 'Their summary',
    prompts: [prompt('a', 'their text'), prompt('b'), prompt('c')],
  })
  expect(mergeDrafts(base, mine, theirs)).toEqual(
    pack({ title: 'My title', summary: 'My summary', prompts: theirs.prompts }),
  )
})

test('two changes to the same item are merged field by field', () => {
  const mine = pack({ ...base, prompts: [{ ...prompt('a'), title: 'My title' }, prompt('b'), prompt('c')] })
  const theirs = pack({ ...base, prompts: [prompt('a', 'their text'), prompt('b'), prompt('c')] })
  expect(mergeDrafts(base, mine, theirs).prompts[0]).toMatchObject({ title: 'My title', body: 'their text' })
})

test('items added by either are kept, items I removed are gone, and items I changed survive their removal', () => {
  const mine = pack({ ...base, prompts: [prompt('c', 'mine'), prompt('a'), prompt('new')] })
  const theirs = pack({ ...base, prompts: [prompt('a'), prompt('b'), prompt('added')] })
  expect(mergeDrafts(base, mine, theirs).prompts.map(({ id }) => id)).toEqual(['c', 'a', 'new', 'added'])
})

test('their order is kept if I moved nothing', () => {
  const mine = pack({ ...base, prompts: [prompt('a', 'mine'), prompt('b'), prompt('c')] })
  const theirs = pack({ ...base, prompts: [prompt('c'), prompt('a')] })
  expect(mergeDrafts(base, mine, theirs).prompts).toEqual([prompt('c'), prompt('a', 'mine')])
})
