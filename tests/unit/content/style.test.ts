import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findStiffPhrases } from '#server/features/library/content/find-stiff-phrases.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test.each([
  'A line that grows faster is no news.',
  'The permission lies with the approval.',
  'Hold each SOURCES line against the strip.',
  'If the questions come to less than an hour of your time, stop.',
  'The kinds of cover that the agreement names.',
  'Six ticks before you start',
  'You came by a member’s invitation.',
  'Check the colour of the sign.',
  'You canceled, and were not cancelled twice.',
])('the check finds “%s”', (sentence) => {
  expect(findStiffPhrases(`Fine here.\n${sentence}`)).toMatchObject([{ line: 2 }])
})

test.each([
  'If it adds up to less than an hour, stop.',
  'Compare each line with the strip.',
  'News comes by email.',
  'A cancellation costs nothing.',
  'Use the code `=colour(A1)`.',
])('the check accepts “%s”', (sentence) => {
  expect(findStiffPhrases(sentence)).toEqual([])
})

test('emails, series and guides are free of them, as the files that the server checks', () => {
  const emails = readdirSync(new URL('src/server/mail/texts/', root)).map((file) => `src/server/mail/texts/${file}`)
  const guides = readdirSync(new URL('content/guides/source/', root)).map((file) => `content/guides/source/${file}`)
  const files = [...emails, ...guides, 'content/series.yaml', 'src/shared/domain/landing-texts.ts']
  const found = files.flatMap((file) =>
    findStiffPhrases(read(file).replaceAll('`', '')).map((one) => ({ file, ...one })),
  )
  expect(found).toEqual([])
})
