import { expect, test } from 'vitest'
import { openingParagraph } from './opening-paragraph.ts'

test.each([
  ['Count the **till**\ntwice.\n\nThen stop.', 'Count the till twice.'],
  ['Read [this page](https://example.com), *please*, and `run` it.', 'Read this page, please, and run it.'],
  ['Hello {{first_name|there}}, 2 * 3 is 6.', 'Hello there, 2 * 3 is 6.'],
  ['# A heading\n\nText', null],
  ['- One\n- Two', null],
  ['{{block:how-we-test}}\n\nText', null],
  ['![A sheet](/media/a.png)', null],
  ['> [!TIP]\n> Text', null],
  ['[Book a demo](https://a.example "button")\n\nText', null],
  ['[![A still](/media/a.png)](https://a.example "video")', null],
  ['  \n', null],
])('%j begins with %j', (markdown, words) => {
  expect(openingParagraph(markdown)).toBe(words)
})
