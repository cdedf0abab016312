import { expect, test } from 'vitest'
import { renderMarkdown } from './render-markdown.ts'

const copied = (html: string) => /data-copy="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"')

test('a quoted prompt includes its plain text, paragraph by paragraph, for copying', () => {
  const html = renderMarkdown(
    'Paste this:\n\n> [!PROMPT]\n> Write to *one* guest.\n>\n> FACTS: [your five lines]\n> and "nothing else"\n',
  )
  expect(copied(html)).toBe('Write to one guest.\n\nFACTS: [your five lines]\nand "nothing else"')
})

test('lists in a quoted prompt are copied with their bullets and numbers', () => {
  const html = renderMarkdown(
    '> [!PROMPT]\n> Answer with:\n>\n> 1. a title\n> 2. a reason\n>    - in ten words\n>\n> Nothing else.\n',
  )
  expect(copied(html)).toBe('Answer with:\n\n1. a title\n2. a reason\n  - in ten words\n\nNothing else.')
})

test('placeholders of a quoted prompt are marked, and brackets elsewhere are left alone', () => {
  const html = renderMarkdown(
    'See [note].\n\n> Quoted [sic].\n\n> [!COPY]\n> For a [sandwich store], see [the guide](https://example.com/a).\n',
  )
  expect(html).toContain('<mark>[sandwich store]</mark>')
  expect(html.match(/<mark>/g)).toHaveLength(1)
})

test('a quoted prompt with placeholders also has a text with their names, for filling them in', () => {
  const html = renderMarkdown('> [!PROMPT]\n> For [business_type], with\n> [notes: what happened].\n')
  expect(html).toContain(
    'data-copy="For [Type of business], with\n[what happened]." data-template="For [business_type], with\n[notes: what happened]."',
  )
  expect(renderMarkdown('> [!PROMPT]\n> No blanks.\n')).not.toContain('data-template')
})

test('a quotation within a quotation belongs to the same copy', () => {
  expect(renderMarkdown('> [!PROMPT]\n> Outer\n>\n> > Inner\n').match(/data-copy/g)).toHaveLength(1)
})

test('copied text can’t break out of its attribute', () => {
  expect(renderMarkdown('> [!COPY]\n> "><script>alert(1)</script>\n')).not.toMatch(/<script/)
})

test('a quotation stays a quotation, with nothing to copy, and only a prompt is for an assistant', () => {
  expect(renderMarkdown('> He said “it [sic] works”.\n')).toBe(
    '<blockquote>\n<p>He said “it [sic] works”.</p>\n</blockquote>\n',
  )
  expect(renderMarkdown('> [!prompt]\n>\n> Write.\n')).toBe(
    '<blockquote data-copy="Write." data-prompt="">\n<p>Write.</p>\n</blockquote>\n',
  )
  expect(renderMarkdown('> [!COPY]\n> Thank you.\n')).toBe(
    '<blockquote data-copy="Thank you.">\n<p>Thank you.</p>\n</blockquote>\n',
  )
})
