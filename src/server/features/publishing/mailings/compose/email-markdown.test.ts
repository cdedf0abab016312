import { expect, test } from 'vitest'
import { createEmailMarkdown } from './email-markdown.ts'
import { PersonalParts } from './personal-parts.ts'
import { plainText } from './plain-text.ts'

const hash = 'a'.repeat(64)
const source = [
  '> [!WARNING]\n> Never on a **Friday**.',
  '[Book a demo](https://a.example "button")',
  `[![The lid test](/media/${hash}.jpg#640x360)](https://video.example/1 "video")`,
].join('\n\n')

test('an email shows callouts, buttons and videos with inline styles', () => {
  const parts = new PersonalParts()
  const markdown = createEmailMarkdown('https://frontcounter.example', parts, null)
  const html = parts
    .split(markdown.html(markdown.parse(source)))
    .map((part) => (typeof part === 'string' ? part : 'url' in part ? part.url : ''))
    .join('')
  expect(html).toMatch(
    /<div class="quote example" role="note" style="[^"]+">\n<p class="reason" style="[^"]+">Warning<\/p>/,
  )
  expect(html).toMatch(
    /<td class="button"[^>]+><a href="https:\/\/a\.example" class="button" style="[^"]+">Book a demo<\/a><\/td>/,
  )
  expect(html).toContain(`<img src="https://frontcounter.example/media/${hash}.jpg" alt="The lid test"`)
  expect(html).toMatch(/&#9654;&#xFE0E; Watch the video<\/span><\/a>/)
})

test('the plain text has them in words, with their addresses', () => {
  const markdown = createEmailMarkdown('https://frontcounter.example', new PersonalParts(), null)
  expect(plainText(markdown.parse(source))).toBe(
    [
      '| Warning\n|\n| Never on a *Friday*.',
      'Book a demo <https://a.example>',
      '[Picture: The lid test] Watch the video <https://video.example/1>',
    ].join('\n\n'),
  )
})

test('an email shows the caption of an image, and its size', () => {
  const parts = new PersonalParts()
  const markdown = createEmailMarkdown('https://frontcounter.example', parts, null)
  const htmlOf = (title: string) =>
    parts.split(markdown.html(markdown.parse(`![The till](/media/${hash}.jpg#2000x900 "${title}")`))).join('')
  expect(htmlOf('At noon {small}')).toMatch(
    /^<p class="ink text" style="[^"]+"><img [^>]+ width="(\d+)" style="[^"]*max-width:\1px[^"]*"><span class="muted" [^>]+>At noon<\/span><\/p>\n$/,
  )
  const widthIn = (html: string) => Number(/ width="(\d+)"/.exec(html)?.[1])
  expect(widthIn(htmlOf('{small}')) * 2).toBe(widthIn(htmlOf('{wide}')))
  expect(plainText(markdown.parse(`![The till](/media/${hash}.jpg "At noon")`))).toBe('[Picture: The till]\nAt noon')
})
