import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '#server/features/library/content/render-markdown.ts'
import { personalEmailContent } from '#server/features/operations/members/personal-email/personal-email-content.ts'
import { readMark } from '#server/features/operations/post-import/audience.ts'
import { compareTexts } from '#server/features/operations/post-import/compare-texts.ts'
import { readForeignSyntax, readMergeFields } from '#server/features/operations/post-import/foreign-syntax.ts'
import { htmlToMarkdown } from '#server/features/operations/post-import/html-to-markdown.ts'
import { normalizeHtml } from '#server/features/operations/post-import/normalize-html.ts'
import { PostFileError } from '#server/features/operations/post-import/source-post.ts'
import { readVisibleTexts } from '#server/features/publishing/mailings/checks/visible-text-colors.ts'
import { toMarkdown } from '#server/features/publishing/public-pages/to-markdown.ts'
import { parseRedirects } from '#server/features/publishing/site-settings/redirects.ts'
import { wrapText } from '#server/mail/wrap-text.ts'
import { checkMarkdown } from '#shared/domain/check-content.ts'
import { parseAmount } from '#shared/domain/format.ts'
import { imagesIn, linksIn } from '#shared/domain/markdown-images.ts'
import { markdownText } from '#shared/domain/markdown-text.ts'
import { openingParagraph } from '#shared/domain/opening-paragraph.ts'
import { findPersonalData, replaceFound, withStandIns } from '#shared/domain/personal-data.ts'
import { unwrap } from '#shared/domain/read-excerpt.ts'
import { cpuGrowth } from '#tests/support/cpu-growth.ts'

const ignoringRefusals = (work: (text: string) => unknown) => (text: string) => {
  try {
    work(text)
  } catch (error) {
    if (!(error instanceof PostFileError)) throw error
  }
}
const personal = (text: string) => personalEmailContent({ subject: 'Hello', text }, { name: 'Ann' })
const punctuation = (text: string) => normalizeHtml(`a<b>${text}x</b>b`, () => {})

const withoutPersonalData = (text: string) =>
  replaceFound(text, withStandIns(text, findPersonalData(text, ['a a a b', 'a'])))

/** Beginnings without an end, at each of which a careless check would read on to the end of the text. */
const openings = ['![](', '![', '[', '](', '> [', '[store_name: ', '1+', '=', '$1 + ', '\n', '`', '![](\\\\']

/** Each of these took quadratic time or more before, or is a neighbor of one that did. */
const cases: [name: string, work: (text: string) => unknown, units: string[]][] = [
  ['a comparison of an imported post', (text) => compareTexts(text, ''), ['<style></b>', '<sup>1a</sup>', 'a<b']],
  ['a comparison with its Markdown', (text) => compareTexts('', text), ['![a](', '![', '![](']],
  ['a comment of an imported post', readMark, [' ', '\n', ' /']],
  ['code of an old site', ignoringRefusals(readForeignSyntax), ['\t', ' ', '`', '[[a', '![[a.png|', '[[a#', 'a-']],
  ['merge fields of an old site', readMergeFields, ['`', '{{user.', '%%{']],
  ['a post’s HTML', ignoringRefusals(htmlToMarkdown), ['<li>', '<ol></ol>', '<pre></b>', '\u00a0', '&nbsp;']],
  ['a page as Markdown', toMarkdown, ['\u00a0', '\n']],
  ['punctuation in bold words', punctuation, ['!a', '!']],
  ['a personal email', personal, ['[', '[](', '{{', ' ', '*']],
  ['colors of an email', readVisibleTexts, ['<!--', '<', '.a {', '<p style="']],
  ['rendered Markdown', renderMarkdown, ['[', '*a ', '> ', '<!--', '&']],
  ['the plain text of Markdown', markdownText, ['{{', '{{a', '{{a|', '![](\\"\\', ' ', '[', '> ']],
  ['an opening paragraph', openingParagraph, ['{{a', '![', '[a](', '*a']],
  ['an excerpt', unwrap, ['\t', ' ', '\n ']],
  ['an amount', (text) => parseAmount(text, 'usd'), [' ', '\n', '1']],
  ['the plain text of an email', wrapText, ['\t ', ' ', 'a ']],
  ['images in Markdown', imagesIn, openings],
  ['links in Markdown', linksIn, openings],
  ['checked Markdown', (text) => checkMarkdown(['body'], text), openings],
  [
    'personal data',
    withoutPersonalData,
    ['a@', 'a.a', '1 ', '4111 ', '1', '555-', '+1', 'Maria ', 'Mr. ', 'Name: ', 'a ', '[guest 1]', "a'"],
  ],
  ['redirects', parseRedirects, ['/a /b\n', '/a ', '"', ' ']],
]

describe('takes time in proportion to a text of', () => {
  test.each(cases.flatMap(([name, work, units]) => units.map((unit) => [name, unit, work] as const)))(
    '%s: %j',
    (_name, unit, work) => {
      expect(cpuGrowth(work, unit)).toBeLessThan(10)
      expect(cpuGrowth((text) => work(`x ${text}`), unit)).toBeLessThan(10)
    },
  )
})

test('a post with more code of its old site than any real one is refused before it is searched', () => {
  expect(() => readForeignSyntax('{{< tip >}}'.repeat(20_000))).toThrow(PostFileError)
  expect(() => readForeignSyntax('{% raw %}a{% endraw %}\n\nText.\n\n'.repeat(1_000))).not.toThrow()
})

test('a post of more elements or deeper ones than any real one is refused', () => {
  expect(() => htmlToMarkdown('<sup>1</sup>'.repeat(15_001))).toThrow('too many elements')
  expect(() => htmlToMarkdown('<pre></b>'.repeat(401))).toThrow('nested too deeply')
  expect(() => htmlToMarkdown('<pre>a</PRE>'.repeat(401))).not.toThrow()
})

test('a tag that isn’t closed doesn’t keep a post out', () => {
  expect(htmlToMarkdown('<p>one</p><p<b>two</p>').markdown).toContain('two')
  expect(htmlToMarkdown('<p>one</p><td').markdown).toBe('one')
})
