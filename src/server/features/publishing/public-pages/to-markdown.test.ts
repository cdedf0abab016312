import { expect, test } from 'vitest'
import { toMarkdown } from './to-markdown.ts'

test.each([
  ['<p>Write &lt;u&gt; and &lt;/u&gt;</p>', 'Write \\<u> and \\</u>'],
  ['<p>Type &amp;copy; for the sign</p>', 'Type \\&copy; for the sign'],
  ['<p>1) Count the till</p>', '1\\) Count the till'],
  ['<p>3 &lt; 4 &amp; AT&amp;T</p>', '3 < 4 & AT&T'],
])('Text that looks like a tag, a sign or a list stays text: %s', (html, markdown) => {
  expect(toMarkdown(html)).toBe(markdown)
})
