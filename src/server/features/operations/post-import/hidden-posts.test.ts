import { expect, test } from 'vitest'
import { toSlug } from '#shared/contracts/publishing/documents.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { buildDraft } from './build-draft.ts'
import { readGhost } from './read-ghost.ts'
import { readMarkdownPost } from './read-markdown.ts'
import { parseDate } from './source-post.ts'

const markdown = (frontMatter: string, path = 'a.md') =>
  readMarkdownPost(path, `---\ndate: 2022-06-05\n${frontMatter}\n---\n\nBody.`)
const ghost = (post: object, more: object = {}) =>
  readGhost(JSON.stringify({ data: { posts: [{ id: 1, published_at: 1373632820000, ...post }], ...more } }))[0]

test.each([
  'published: false',
  'Published: No',
  'draft: yes',
  'draft: "true"',
  'draft: perhaps',
  'isDraft: true',
  'status: private',
  'status: scheduled',
  'status: pending',
  'status: geplant',
  'visibility: hidden',
  'unlisted: 1',
])('a Markdown post with “%s” stays a draft, with the reason', (field) => {
  expect(markdown(field)).toMatchObject({ publishedAt: null, hiddenBecause: expect.stringContaining('the file says') })
})

test.each([
  'published: true',
  'draft: no',
  'draft:',
  'status: Publish',
  'visibility: members',
  'published: 2022-06-04',
])('a Markdown post with “%s” is public', (field) =>
  expect(markdown(field)).toMatchObject({ publishedAt: new Date('2022-06-05'), hiddenBecause: null }),
)

test('Ghost’s posts are public only with a status and a visibility that say so', () => {
  const isPublic = (post: object) => ghost(post)?.publishedAt !== null
  expect(isPublic({ status: 'published', visibility: 'paid' })).toBe(true)
  for (const status of ['draft', 'scheduled', 'archived', 7, null, undefined]) expect(isPublic({ status })).toBe(false)
  expect(isPublic({ status: 'published', visibility: 'none' })).toBe(false)
})

test('a tag without a name or id costs this tag only, and is reported', () => {
  const tags = [
    { id: '1', name: null },
    { id: 2, name: 'Marketing' },
  ]
  const posts_tags = [{ post_id: 1, tag_id: null }, { post_id: '1', tag_id: '2' }, null]
  expect(ghost({ status: 'published' }, { tags, posts_tags })).toMatchObject({
    tags: ['Marketing'],
    notes: ['Tags that the file doesn’t name: 1'],
    publishedAt: new Date(1373632820000),
  })
})

test('front matter in TOML, with blanks after its lines, or without an end', () => {
  const toml = readMarkdownPost(
    'content/first-post/index.md',
    '+++\ntitle = "T"\ndate = 2022-06-05\ndraft = true\n+++\n\nBody.',
  )
  expect(toml).toMatchObject({ title: 'T', slug: 'first-post', publishedAt: null })
  expect(readMarkdownPost('a.md', '+++\ndate = 2022-06-05\n+++\nBody.').publishedAt).toEqual(new Date('2022-06-05'))
  expect(readMarkdownPost('a.md', '---  \ntitle: Blanks\n--- \n\nBody.')).toMatchObject({ title: 'Blanks' })
  expect(() => readMarkdownPost('2022-06-05-a.md', '---\ndraft: true\n\nBody.')).toThrow('no closing line')
})

test('dates without zeros, in milliseconds and with zones are read the same in every zone; others aren’t guessed', () => {
  expect(parseDate('2023-4-5')).toEqual(new Date('2023-04-05'))
  expect(parseDate('2023-4-5 9:03')).toEqual(new Date('2023-04-05T09:03Z'))
  expect(parseDate('2022-06-05 10:00:00 +0200')).toEqual(new Date('2022-06-05T08:00Z'))
  expect(parseDate('1373632820000')).toEqual(new Date(1373632820000))
  expect(parseDate('April 5, 2023')).toEqual(new Date('2023-04-05'))
  for (const given of ['2023-02-30', '05.04.2023', '1', 'true', 'soon']) expect(parseDate(given), given).toBeNull()
})

test('a post keeps the day of the written offset, and times in UTC get the one of the publication’s zone', () => {
  const dayOf = (date: string) => readMarkdownPost('a.md', `---\ndate: ${date}\n---\nText.`).day
  expect(dayOf('2023-03-05T22:00:00-05:00')).toBe('2023-03-05')
  expect(dayOf('2023-03-05')).toBe('2023-03-05')
  expect(dayOf('2023-03-05 23:30')).toBe('2023-03-05')
  expect(dayOf('2024-03-10T02:30:00Z')).toBeNull()
  const [post] = readGhost(
    JSON.stringify({
      data: { posts: [{ id: 1, title: 'T', status: 'published', published_at: '2024-03-10T02:30:00.000Z' }] },
    }),
  )
  if (!post) throw new Error('no post')
  const dateIn = (zone: string) => buildDraft(publicationDefaults, post, [], zone).draft.date
  expect([dateIn('America/New_York'), dateIn('UTC'), dateIn('Asia/Tokyo')]).toEqual([
    '2024-03-09',
    '2024-03-10',
    '2024-03-10',
  ])
})

test('letters that don’t decompose are transliterated in addresses', () => {
  const titles = ['Straßburg', 'Smørrebrød på Østerbro', 'Łódź nad Łódką', 'Æbler og œufs', 'Þriðja bók', 'Đà Nẵng']
  const slugs = ['strassburg', 'smorrebrod-pa-osterbro', 'lodz-nad-lodka', 'aebler-og-oeufs', 'thridja-bok', 'da-nang']
  expect(titles.map(toSlug)).toEqual(slugs)
})
