import { expect, test } from 'vitest'
import type { MailingProblem } from '#shared/contracts/publishing/mailing-preview.ts'
import { describeCheck, lineOf, placeIn, placeOf, withoutRepeats } from './describe-checks.ts'

const ofEmail = (given: Partial<MailingProblem>): MailingProblem => ({
  severity: 'error',
  check: 'link',
  message: '“[x]()” has no address',
  place: 'Opening, line 3',
  target: { in: 'drop', id: 'a', field: 'intro', line: 3 },
  ...given,
})

test('a problem names its item, and its message the line', () => {
  expect(describeCheck({ path: 'sections.2.heading', message: 'The heading is missing' })).toBe(
    'Section 3: The heading is missing',
  )
  expect(describeCheck({ path: 'title', message: 'The title is missing' })).toBe('The title is missing')
  expect([lineOf('Line 12: Replace “TODO”'), lineOf('Replace “TODO”')]).toEqual([12, null])
})

test('with a text before the sections, the sections are numbered without it', () => {
  const missing = { path: 'sections.0.body', message: 'The text is missing' }
  expect(describeCheck(missing, true)).toBe('The text is missing')
  expect(describeCheck({ ...missing, path: 'sections.1.body' }, true)).toBe('Section 1: The text is missing')
  expect([placeIn('Section 1, line 3', true), placeIn('Section 3, line 3', true), placeIn('Section 1', false)]).toEqual(
    ['Text, line 3', 'Section 2, line 3', 'Section 1'],
  )
})

test('subject and preview text of an unsent drop are its title and preview', () => {
  expect(placeOf(ofEmail({ target: { in: 'mailing', field: 'subject', line: null } }))?.path).toBe('title')
  expect(placeOf(ofEmail({ target: { in: 'mailing', field: 'preheader', line: null } }))?.path).toBe('preview')
  expect(placeOf(ofEmail({}))).toEqual({ path: 'intro', line: 3 })
  expect(placeOf(ofEmail({ target: null }))).toBeNull()
})

test('what publishing refuses isn’t listed again for the email', () => {
  const link = ofEmail({})
  expect(withoutRepeats([link], [{ path: 'intro', message: 'Line 3: “x” isn’t a link for readers' }])).toEqual([])
  expect(withoutRepeats([link], [{ path: 'intro', message: 'Line 4: “x” isn’t a link for readers' }])).toEqual([link])
  const field = ofEmail({ check: 'merge-field' })
  expect(withoutRepeats([field], [{ path: 'intro', message: 'Line 3: Replace “TODO”' }])).toEqual([field])
  const subject = ofEmail({ check: 'subject', target: { in: 'mailing', field: 'subject', line: null } })
  expect(withoutRepeats([subject], [{ path: 'title', message: 'The title is missing' }])).toEqual([])
})
