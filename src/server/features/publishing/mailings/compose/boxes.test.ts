import { expect, test } from 'vitest'
import { renderMarkdown } from '#server/features/library/content/render-markdown.ts'
import { createEmailMarkdown } from './email-markdown.ts'
import type { PersonalParts } from './personal-parts.ts'
import { plainText } from './plain-text.ts'

const image = (letter: string) => `![${letter}](/media/${letter.repeat(64)}.jpg#640x360)`
const toggle = '> [!TOGGLE]\n> What **else**?\n>\n> More text.\n\nAfter.'
const gallery = `> [!GALLERY]\n> ${image('a')}\n>\n> ${image('b')}`
const email = createEmailMarkdown('https://a.test', { mark: () => 'link' } as unknown as PersonalParts, null)

test('a toggle folds on pages, and is open text in email and plain text', () => {
  expect(renderMarkdown(toggle)).toBe(
    '<details class="toggle">\n<summary>What <strong>else</strong>?</summary>\n<p>More text.</p>\n</details>\n<p>After.</p>\n',
  )
  const html = email.html(email.parse(toggle))
  expect(html).not.toMatch(/<(?:details|summary)/)
  expect(html).toMatch(
    /^<div [^>]*>\n<p [^>]*font-weight:600"[^>]*>What <strong>else<\/strong>\?<\/p>\n<p [^>]*>More text\.<\/p>\n<\/div>/,
  )
  expect(plainText(email.parse(toggle))).toBe('| What *else*?\n|\n| More text.\n\nAfter.')
})

test('a gallery sets images side by side on pages, and one below the other in email', () => {
  expect(renderMarkdown(gallery)).toMatch(
    /^<div class="gallery">\n<p><img [^>]*alt="a"[^>]*><\/p>\n<p><img [^>]*alt="b"[^>]*><\/p>\n<\/div>\n$/,
  )
  expect(email.html(email.parse(gallery))).toMatch(
    /^<div class="gallery">\n<p [^>]*><img [^>]*display:block[^>]*><\/p>\n<p [^>]*><img /,
  )
})

test('a toggle without a line that opens it keeps its text, and HTML in one is text', () => {
  expect(renderMarkdown('> [!TOGGLE]\n> - One')).toBe(
    '<details class="toggle">\n<ul>\n<li>One</li>\n</ul>\n</details>\n',
  )
  expect(renderMarkdown('> [!toggle]')).toBe('<details class="toggle"></details>\n')
  expect(renderMarkdown('> [!TOGGLE]\n> <img src=x onerror=x>')).toContain(
    '<summary>&lt;img src=x onerror=x&gt;</summary>',
  )
})
