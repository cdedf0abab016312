import { expect, test } from 'vitest'
import { emptyDraft, parseDraft } from './draft.ts'

test('a draft survives being stored', () => {
  const draft = { ...emptyDraft('a@b.test'), step: 2 }
  draft.answers.focusAreas = ['Sales']
  expect(parseDraft(JSON.stringify(draft))).toMatchObject({
    email: 'a@b.test',
    step: 2,
    answers: { focusAreas: ['Sales'] },
  })
})

test('nothing, nonsense and drafts of another form are no drafts', () => {
  for (const stored of [null, '', '{', '[]', '{"email":"a","step":9,"answers":{}}'])
    expect(parseDraft(stored)).toBeNull()
})

test('an answer that is no longer offered is dropped and the others stay', () => {
  const stored = { email: 'a', step: 3, answers: { focusAreas: ['Sales'], aiLevel: 'wizard', goals: ['Fly'] } }
  expect(parseDraft(JSON.stringify(stored))?.answers).toMatchObject({ focusAreas: ['Sales'], goals: [] })
})
