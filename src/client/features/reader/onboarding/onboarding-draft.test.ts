import { expect, test } from 'vitest'
import { hourMs } from '#shared/domain/durations.ts'
import { emptyDraft, isDraftOf, parseDraft } from './onboarding-draft.ts'

const now = Date.UTC(2026, 10, 21)
const parse = (draft: object, at = now) => parseDraft(JSON.stringify(draft), at)

test('a draft survives being stored, with the chosen plan', () => {
  const draft = { ...emptyDraft('a@b.test', 'pro_yearly', now), step: 2 }
  draft.answers.focusAreas = ['Sales']
  expect(parse(draft, now + 23 * hourMs)).toEqual({ ...draft, answers: { ...draft.answers } })
})

test('missing, malformed, outdated and day-old drafts are ignored', () => {
  for (const stored of [null, '', '{', '[]', '{"email":"a","step":9,"answers":{}}'])
    expect(parseDraft(stored, now)).toBeNull()
  expect(parse(emptyDraft('a@b.test', null, now), now + 24 * hourMs)).toBeNull()
})

test('options that no longer exist are dropped, and the rest stays', () => {
  const answers = { focusAreas: ['Sales'], aiLevel: 'wizard', goals: ['Fly'] }
  const draft = parse({ email: 'a', savedAt: now, plan: 'gold', step: 3, answers })
  expect(draft).toMatchObject({ plan: null, answers: { focusAreas: ['Sales'], goals: [] } })
})

test('a draft is found by its email, ignoring case', () => {
  const draft = emptyDraft('Ana@Shop.test', null, now)
  expect([isDraftOf(draft, 'ana@shop.test'), isDraftOf(draft, 'ben@shop.test')]).toEqual([true, false])
})
