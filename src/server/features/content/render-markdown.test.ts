import { expect, test } from 'vitest'
import { renderMarkdown, renderPage } from './render-markdown.ts'

const headingsOf = (source: string) => [...renderMarkdown(source).matchAll(/<(h\d)>/g)].map(([, tag]) => tag)

test.each([
  ['# One\n\n## Two\n\n### Three', ['h3', 'h4', 'h5']],
  ['### Before\n\nText.\n\n### After', ['h3', 'h3']],
  ['## Two\n\n#### Four\n\n## Two again', ['h3', 'h4', 'h3']],
  ['# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5\n\n###### 6', ['h3', 'h4', 'h5', 'h6', 'h6', 'h6']],
  ['> ### In a quotation\n\n- ##### In a list', ['h3', 'h4']],
])('the top heading of a text ranks below the section’s, and no level is skipped: %j', (source, tags) => {
  expect(headingsOf(source)).toEqual(tags)
})

test('headings of a whole page begin at h2', () => {
  expect(renderPage('## One\n\n### Two')).toBe('<h2>One</h2>\n<h3>Two</h3>\n')
})

test('a table is in a focusable box that scrolls, since some fonts make it wider than a phone', () => {
  expect(renderMarkdown('| Day | Task |\n| --- | --- |\n| Monday | Close |')).toMatch(
    /^<div class="table-box" role="group" aria-label="Table" tabindex="0"><table>.*<\/table><\/div>\n$/s,
  )
})
