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

test('callouts, buttons and videos leave their words', () => {
  const blocks =
    '> [!TIP]\n> Count twice.\n\n[Book a demo](https://a.example "button")\n\n[![The lid test](/media/a.png)](https://b.example "video")'
  expect(markdownText(blocks)).toBe('Count twice.\nBook a demo\nThe lid test')
})

test('an image leaves its alt text, whatever its caption has', () => {
  expect(markdownText('![A till](/media/a.png#1x1 "At noon (busy) {wide}") and ![a](b.png)')).toBe('A till and a')
})

test('headings are lines with # and bold words at the start of a line', () => {
  expect(markdownHeadings('# One\n\ntext **no**\n**The red list:**\n- **no**')).toEqual(['One', 'The red list:'])
})
