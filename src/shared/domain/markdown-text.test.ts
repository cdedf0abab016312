import { expect, test } from 'vitest'
import { markdownHeadings, markdownText } from './markdown-text.ts'

test('leaves only what a reader sees', () => {
  const markdown = [
    '## The **red** list',
    '',
    '> Read the [playbook](/portal/guides#x) and ![a till](/media/1) first, {{first_name|friend}}.',
    '',
    '| Color | Who |',
    '| --- | --- |',
    '| Green | *AI* drafts |',
    '',
    '- `code` and 2 * 3',
  ].join('\n')
  expect(markdownText(markdown)).toBe(
    'The red list\nRead the playbook and a till first, friend.\nColor Who\nGreen AI drafts\ncode and 2 * 3',
  )
})

test('headings are lines with # and bold words at the start of a line', () => {
  expect(markdownHeadings('# One\n\ntext **no**\n**The red list:**\n- **no**')).toEqual(['One', 'The red list:'])
})
