import { expect, test } from 'vitest'
import { readExcerpt } from './read-excerpt.ts'

test('a bold line is a heading, wrapped lines are one paragraph, and list items are separate', () => {
  const markdown =
    '**Is this the right week?**\n\nBy Friday you\nwill know.\n\n- **Agreement read.** You have\n  read it.\n- Done.\n'
  expect(readExcerpt(markdown)).toEqual([
    { kind: 'heading', text: 'Is this the right week?' },
    { kind: 'text', text: 'By Friday you will know.' },
    { kind: 'point', text: 'Agreement read. You have read it.' },
    { kind: 'point', text: 'Done.' },
  ])
})
