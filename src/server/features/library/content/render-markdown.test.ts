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

const hash = 'a'.repeat(64)
const still = `![The lid test](/media/${hash}.jpg#640x360)`

test.each([
  ['> [!TIP]\n> Count **twice**.', 'tip', 'Tip', '<p>Count <strong>twice</strong>.</p>'],
  ['> [!warning]\n>\n> Never on a Friday.', 'warning', 'Warning', '<p>Never on a Friday.</p>'],
  ['> [!NOTE]\n> - One\n> - Two', 'note', 'Note', '<ul>\n<li>One</li>\n<li>Two</li>\n</ul>'],
])('%j is a callout with a title, and nothing to copy', (source, kind, title, inner) => {
  expect(renderMarkdown(source)).toBe(
    `<div class="callout callout-${kind}" role="note">\n<p class="callout-title">${title}</p>\n${inner}\n</div>\n`,
  )
})

test.each(['> [!TIP] in a line', '> [!DANGER]\n> Text', '> Text\n> [!TIP]', '[!TIP]\nText', '> > [!TIP]\n> > Text'])(
  '%j is no callout',
  (source) => {
    expect(renderMarkdown(source)).not.toContain('callout')
  },
)

test('a callout may hold a text to copy', () => {
  const html = renderMarkdown('> [!TIP]\n> Say this:\n>\n> > [!COPY]\n> > Hello [name]\n\n> [!PROMPT]\n> Another')
  expect(html.match(/data-copy/g)).toHaveLength(2)
  expect(html).toContain('<mark>')
})

test('a link titled “button” that is a paragraph of its own is a button, and in a sentence it stays a link', () => {
  expect(renderMarkdown('[Book a **demo**](https://a.example "button")')).toBe(
    '<p class="action"><a href="https://a.example" class="button" target="_blank" rel="noopener noreferrer">Book a <strong>demo</strong></a></p>\n',
  )
  expect(renderMarkdown('See [the demo](https://a.example "button") now')).not.toContain('class=')
  expect(renderMarkdown('[One](https://a.example "button") [Two](https://b.example "button")')).not.toContain('class=')
})

test('a linked image titled “video” shows that it plays', () => {
  expect(renderMarkdown(`[${still}](https://video.example/1 "video")`)).toBe(
    `<p><a href="https://video.example/1" class="video" target="_blank" rel="noopener noreferrer"><img src="/media/${hash}.jpg" alt="The lid test" width="640" height="360" loading="lazy"><span class="video-label">Watch the video</span></a></p>\n`,
  )
  expect(renderMarkdown('[Only words](https://video.example/1 "video")')).not.toContain('video-label')
})

test.each([
  '[Go](javascript:alert(1) "button")',
  '[Go](data:text/html,x "button")',
  `[${still}](javascript:alert(1) "video")`,
  '[![x](https://evil.example/a.png)](https://a.example "video")',
  '> [!TIP]\n> <script>alert(1)</script><img src=x onerror=alert(1)>',
  '[<b onclick=alert(1)>Go</b>](https://a.example "button")',
  '[Go](https://a.example/"onmouseover="alert(1) "button")',
])('hostile input stays text: %j', (source) => {
  const html = renderMarkdown(source)
  expect(html).not.toMatch(/<script|<b |<img src=x|href="(?!https:)|<[^>]* on\w+=|src="(?!\/media\/)/)
})

test('an image alone in its paragraph has its caption below it, and a size', () => {
  const image = `![The till](/media/${hash}.jpg#640x360 "At noon (<b>busy</b>) {wide}")`
  expect(renderMarkdown(image)).toBe(
    `<figure class="figure image-wide"><img src="/media/${hash}.jpg" alt="The till" width="640" height="360" loading="lazy"><figcaption class="caption">At noon (&lt;b&gt;busy&lt;/b&gt;)</figcaption></figure>\n`,
  )
  expect(renderMarkdown(image.replace('At noon (<b>busy</b>) {wide}', '{small}'))).toMatch(
    /^<figure class="figure image-small"><img [^>]+><\/figure>\n$/,
  )
  expect(renderMarkdown(`Text ${image}`)).not.toContain('figure')
  expect(renderMarkdown(`- ${image}`)).not.toContain('figure')
})
