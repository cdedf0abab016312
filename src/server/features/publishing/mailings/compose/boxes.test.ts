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

const bookmark = `> [!BOOKMARK]\n> ${image('a')}\n>\n> [Labor \\*law\\*](https://example.com/a)\n>\n> One line`

test('a bookmark is a picture without words of its own, a linked title and a line', () => {
  expect(renderMarkdown(bookmark)).toBe(
    `<div class="bookmark">\n<p><img src="/media/${'a'.repeat(64)}.jpg" alt="" width="640" height="360" loading="lazy"></p>\n<p><a href="https://example.com/a" target="_blank" rel="noopener noreferrer">Labor *law*</a></p>\n<p>One line</p>\n</div>\n`,
  )
  expect(email.html(email.parse(bookmark))).toMatch(
    /^<div class="line" style="[^"]*border:1px[^"]*">\n<p [^>]*><img [^>]*alt=""[^>]*><\/p>\n<p [^>]*><a href="link"[^>]*>Labor \*law\*<\/a><\/p>\n<p [^>]*>One line<\/p>\n<\/div>\n$/,
  )
  expect(plainText(email.parse(bookmark))).toBe('| Labor *law* <https://example.com/a>\n|\n| One line')
})

test('a file and a sound are a link with its size or length; pages play the sound', () => {
  const path = (ending: string) => `/files/${'a'.repeat(64)}.${ending}`
  const file = `[The *list*](${path('pdf')} "file, PDF, 482 kB")`
  const audio = `[Talk "1"](${path('mp3')} "audio, 3:05")`
  expect(renderMarkdown(file)).toBe(
    `<p class="attachment"><a href="${path('pdf')}" class="file">The <em>list</em></a><span class="facts">PDF, 482 kB</span></p>\n`,
  )
  expect(renderMarkdown(audio)).toBe(
    `<p class="attachment"><a href="${path('mp3')}" class="audio">Talk &quot;1&quot;</a><span class="facts">3:05</span><audio controls preload="none" src="${path('mp3')}" aria-label="Talk &quot;1&quot;"></audio></p>\n`,
  )
  expect(email.html(email.parse(audio))).toMatch(
    /^<p [^>]*><a href="link"[^>]*>Talk &quot;1&quot;<\/a> <span [^>]*>3:05<\/span><\/p>\n$/,
  )
  expect(plainText(email.parse(audio))).toBe(`Talk "1"\n<https://a.test${path('mp3')}>\n(3:05)`)
  expect(renderMarkdown(`[A](https://example.com/a.mp3 "audio, 3:05")`)).not.toContain('<audio')
  expect(renderMarkdown(`[A](/files/../a.mp3 "audio, 3:05")`)).not.toContain('<a')
})
